import type { Domain } from "#core";
import { serveLines } from "./calls.ts";

export { lineTestJob } from "./testJob.ts";

/** Lines that the server opens, as users set and test them. */
export const lines: Domain = { name: "lines", calls: serveLines };
