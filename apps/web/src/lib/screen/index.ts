export { deviceDataRight, deviceHref } from "./deviceHref.ts";
export { DeviceLink } from "./DeviceLink.tsx";
export { leadTo } from "./leadTo.ts";
export { pointCardHref } from "./pointCardHref.ts";
export { screen, type Screen } from "./screen.ts";
