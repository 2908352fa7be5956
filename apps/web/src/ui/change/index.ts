export { change, changeEach } from "./change.ts";
