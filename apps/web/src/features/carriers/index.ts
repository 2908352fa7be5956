export { DeviceTabs } from "./DeviceTabs.tsx";
export { GatewayField } from "./GatewayField.tsx";
export { interfaceTitle, interfaceWords } from "./interfaceTitle.ts";
export { CarrierBulk, loadPermits } from "./lazy.ts";
export { isPermitted } from "./permitted.ts";
export { placeFilter, placeInput, placeOf, placeOfRow, type Place } from "./places.ts";
export { PlaceSwitch, usePlaceCounts } from "./PlaceSwitch.tsx";
export { refreshed } from "./refreshed.ts";
