export { DevicesPage } from "./DevicesPage.tsx";
export { DeviceTabs } from "./DeviceTabs.tsx";
export { interfaceTitle } from "./interfaceTitle.ts";
export { isPermitted } from "./permitted.ts";
export { stateKinds } from "./devices.ts";
