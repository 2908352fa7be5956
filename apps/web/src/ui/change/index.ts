export { change } from "./change.ts";
export { permittedBy } from "./permitted.ts";
