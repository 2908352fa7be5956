import { useSyncExternalStore } from "react";

const query = "(max-width: 639px)";

/** Below 640 px a table becomes two-line rows. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
  );
}
