export { DevicesPage } from "./DevicesPage.tsx";
export { interfaceTitle } from "./deviceColumns.tsx";
export { stateKinds } from "./devices.ts";
