import type { Domain } from "#core";
import { servePoints } from "./calls.ts";
import { servePointData, servePointImport } from "./dataCalls.ts";
import { servePointDevices } from "./deviceCalls.ts";
import { startTotals } from "./totals/index.ts";
import { servePointHistory } from "./historyCalls.ts";

export { addPoints, hasRegister, registerOfModel, type NewPoint, type NewTie } from "./seed.ts";
export { dayFlags, refuseBilledChanges } from "./records/index.ts";
export { type ClosedBill, type ClosedBills, closedBills } from "./why/index.ts";
export { createPointSource, createRatioUse, lossesOfMonth } from "./terms/index.ts";
export {
  type RatioStep,
  type Tie,
  type TimeSpan,
  hasRatio,
  powersOfPoints,
  ratioWithin,
  ratiosOf,
  registerWords,
  tiesOf,
} from "./days/index.ts";
export {
  createPoints,
  leaveBranch,
  reasonIn,
  refuseDoubtedTie,
  removePoints,
  tieDevices,
  updatePoint,
} from "./ties/index.ts";
export { reasonColumn } from "./import/index.ts";
export {
  type DayNumbers,
  type DaySpan,
  type PackedDay,
  type PackedDays,
  type PointDay,
  type PointMonth,
  type PointTotal,
  amountSums,
  computeTotals,
  dayRowsOfPoints,
  expectedSec,
  isCarried,
  markPoint,
  monthsOfPoint,
  packedDaysOfPoints,
  pointRecount,
  recountPointSample,
  registersOfPoint,
  sums as daySums,
  totalsOfPoints,
  unpackedDays,
} from "./totals/index.ts";

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
