export { DeviceLink } from "./DeviceLink.tsx";
export { deviceDataRight, deviceHref, gatewayHref, nodeHref, pointCardHref } from "./hrefs.ts";
export { leadTo } from "./leadTo.ts";
export { screen, type Screen } from "./screen.ts";
