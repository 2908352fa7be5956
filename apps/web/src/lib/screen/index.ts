export { leadTo } from "./leadTo.ts";
export { screen, type Screen } from "./screen.ts";
