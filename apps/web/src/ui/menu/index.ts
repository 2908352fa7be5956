export { Menu, type MenuEntry } from "./Menu.tsx";
export { placeOf, type Align } from "./place.ts";
export { Popover, type TriggerProps } from "./Popover.tsx";
export { useClosing } from "./useClosing.ts";
