export { reportError, watchErrors } from "./report.ts";
