export { billedTotals } from "./billed.ts";
export { closedProblem, isClosed, refuseClosed } from "./closed.ts";
export {
  closedSpans,
  holdPeriods,
  lockPeriods,
  type BilledTotal,
  type ClosedSpan,
  type PointSpan,
} from "./closedStore.ts";
export type { PeriodId } from "./tables.ts";
