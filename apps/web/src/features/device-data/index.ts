export { DeviceDataPage } from "./DeviceDataPage.tsx";
