export { DevicesPage } from "./DevicesPage.tsx";
export { interfaceTitle } from "./interfaceTitle.ts";
export { stateKinds } from "./devices.ts";
