export { modelHref } from "./modelHref.ts";
