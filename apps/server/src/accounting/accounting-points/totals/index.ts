export { carriedGaps, isCarried, type CarriedGap } from "./carriedStore.ts";
export { clientOf } from "./clientStore.ts";
export { expectedSec, expectedSecOf, lengthToKnow } from "./expectedStore.ts";
export {
  packedDaysOfPoints,
  unpackedDays,
  type DayNumbers,
  type PackedDay,
  type PackedDays,
} from "./packedDaysStore.ts";
export { markPoint } from "./pointDueStore.ts";
export { progressOf } from "./progress.ts";
export {
  amountSums,
  dayRowsOfPoints,
  monthsOfPoint,
  registersOfPoint,
  sums,
  totalsOfPoints,
  type DaySpan,
  type PointDay,
  type PointMonth,
  type PointTotal,
  type RegisterDays,
} from "./readStore.ts";
export { computeDays } from "./recompute.ts";
export { pointRecount } from "./recount.ts";
export { recountPointSample } from "./sample.ts";
export { historyOf, sourcesOf } from "./sources.ts";
export { computeTotals, startTotals } from "./totalsJob.ts";
export { lockDays, replaceDays } from "./totalsStore.ts";
