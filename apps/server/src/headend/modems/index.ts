import type { Domain } from "#core";
import { serveModems } from "./calls.ts";

export { modemPollJob } from "./modemPollJob.ts";

/** Modems as platform staff see them, and the inbox of those who call and are registered nowhere. */
export const modems: Domain = { name: "modems", calls: serveModems };
