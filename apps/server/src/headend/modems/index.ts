import type { Domain } from "#core";
import { serveModems } from "./calls.ts";

export { modemPollJob } from "./modemPollJob.ts";
export { impatient } from "./trials.ts";
export { tryModels, type Found } from "./tryModels.ts";

/** Modems as shown to platform staff, and the inbox of unregistered callers. */
export const modems: Domain = { name: "modems", calls: serveModems };
