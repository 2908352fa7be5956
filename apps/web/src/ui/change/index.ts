export { change } from "./change.ts";
