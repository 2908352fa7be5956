import type { Domain } from "#core";
import { servePoints } from "./calls.ts";
import { servePointData, servePointImport } from "./dataCalls.ts";
import { servePointDevices } from "./deviceCalls.ts";
import { startTotals } from "./totals/totalsJob.ts";
import { servePointHistory } from "./historyCalls.ts";

export { addPoints, hasRegister, registerOfModel, type NewPoint, type NewTie } from "./seed.ts";
export { refuseBilledChanges } from "./billed.ts";
export { closedBills, type ClosedBill, type ClosedBills } from "./closedBills.ts";
export { createPointSource } from "./pointSource.ts";
export { createRatioUse } from "./ratioUse.ts";
export { powersOfPoints } from "./powers.ts";
export { leaveBranch } from "./points.ts";
export { tieDevices } from "./devices.ts";
export { reasonIn } from "./doubtedReadings.ts";
export { reasonColumn } from "./importFields.ts";
export { refuseDoubtedTie } from "./tying.ts";
export { createPoints, removePoints, updatePoint } from "./points.ts";
export { markPoint } from "./totals/pointDueStore.ts";
export {
  amountSums,
  dayRowsOfPoints,
  monthsOfPoint,
  registersOfPoint,
  sums as daySums,
  totalsOfPoints,
  type DaySpan,
  type PointDay,
  type PointMonth,
  type PointTotal,
} from "./totals/readStore.ts";
export { lossesOfMonth } from "./losses.ts";
export { registerWords } from "./registerWords.ts";
export { isCarried } from "./totals/carriedStore.ts";
export { expectedSec } from "./totals/expectedStore.ts";
export {
  packedDaysOfPoints,
  unpackedDays,
  type DayNumbers,
  type PackedDay,
  type PackedDays,
} from "./totals/packedDaysStore.ts";
export { ratioWithin } from "./totals/chain.ts";
export { hasRatio, type RatioStep } from "./totals/ratios.ts";
export { ratiosOf, tiesOf, type Tie, type TimeSpan } from "./totals/tieStore.ts";
export { dayFlags } from "./tables.ts";
export { pointRecount } from "./totals/recount.ts";
export { recountPointSample } from "./totals/sample.ts";
export { computeTotals } from "./totals/totalsJob.ts";

/** What is measured at a place, whichever device measures it. */
export const accountingPoints: Domain = {
  name: "accounting-points",
  calls: async (api) => {
    servePoints(api);
    servePointDevices(api);
    servePointData(api);
    await servePointHistory(api);
    await servePointImport(api);
  },
  worker: startTotals,
};
