import type { Domain } from "#core";
import { servePeriods } from "./calls.ts";
import { startComparing } from "./compareJob.ts";

export { billedTotals } from "./billed.ts";
export { isClosed, refuseClosed } from "./closed.ts";
export { closedSpans, type BilledTotal, type ClosedSpan, type PointSpan } from "./closedStore.ts";

/** Settlement periods: what is billed, in versions that are never altered. */
export const periods: Domain = { name: "periods", calls: servePeriods, worker: startComparing };
