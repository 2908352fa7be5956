import { lazily } from "#lib/load";

export { DevicesPage } from "./DevicesPage.tsx";
export { DeviceTabs } from "./DeviceTabs.tsx";
export { GatewayField } from "./GatewayField.tsx";
export { interfaceTitle, interfaceWords } from "./interfaceTitle.ts";
export { isPermitted } from "./permitted.ts";
export { PlaceSwitch } from "./PlaceSwitch.tsx";
export { placeFilter, placeInput, placeOf, placeOfRow, type Place } from "./devices.ts";
export type { Moved } from "./ReplaceDialog.tsx";

/** Moves devices behind a gateway to another. */
export const ReplaceDialog = lazily(async () => ({
  default: (await import("./ReplaceDialog.tsx")).ReplaceDialog,
}));
