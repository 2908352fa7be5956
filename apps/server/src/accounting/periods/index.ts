import type { Domain } from "#core";
import { servePeriods } from "./calls.ts";
import { startComparing } from "./compareJob.ts";

export type { Acting } from "./acting.ts";
export { compareStale } from "./compareJob.ts";
export { periodRecount } from "./recount.ts";
export { closeMonth, correctPeriod, preview } from "./periods.ts";

/** Settlement periods: what is billed, in versions that are never altered. */
export const periods: Domain = { name: "periods", calls: servePeriods, worker: startComparing };
