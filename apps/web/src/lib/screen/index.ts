export { leadTo } from "./leadTo.ts";
export { pointCardHref } from "./pointCardHref.ts";
export { screen, type Screen } from "./screen.ts";
