import { useState, useSyncExternalStore } from "react";

/** Below this width the menu is always a rail. */
const full = "(min-width: 1440px)";

/** Kept in this browser per user: a rail leaves more room for tables. */
export function useFold(userId: number) {
  const key = `metrum.menu.${String(userId)}`;
  const [isFolded, setFolded] = useState(() => localStorage.getItem(key) !== null);
  const isWide = useSyncExternalStore(
    (listener) => {
      const media = matchMedia(full);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => matchMedia(full).matches,
  );
  const fold = () => {
    if (isFolded) localStorage.removeItem(key);
    else localStorage.setItem(key, "folded");
    setFolded(!isFolded);
  };
  return { isFolded, isRail: isFolded || !isWide, fold };
}
