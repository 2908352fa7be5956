import { useSyncExternalStore } from "react";

/** Where the actions of a device stand: as buttons, in a menu, or in the bar at the foot of a phone. */
export type ActionsPlace = "wide" | "menu" | "phone";

const narrow = "(max-width: 1280px)";
const phone = "(max-width: 639px)";

const placeOf = (): ActionsPlace =>
  matchMedia(phone).matches ? "phone" : matchMedia(narrow).matches ? "menu" : "wide";

/** At 1280 px or narrower the buttons collapse into a menu. */
export function useActionsPlace(): ActionsPlace {
  return useSyncExternalStore((listener) => {
    const media = [matchMedia(narrow), matchMedia(phone)];
    for (const each of media) each.addEventListener("change", listener);
    return () => {
      for (const each of media) each.removeEventListener("change", listener);
    };
  }, placeOf);
}
