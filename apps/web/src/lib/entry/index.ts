export { enterBy } from "./entry.ts";
