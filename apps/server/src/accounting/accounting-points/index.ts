import type { Domain } from "#core";
import { servePoints } from "./calls.ts";
import { servePointData, servePointImport } from "./dataCalls.ts";
import { servePointDevices } from "./deviceCalls.ts";
import { startTotals } from "./totals/index.ts";
import { servePointHistory } from "./historyCalls.ts";

export { addPoints, hasRegister, registerOfModel, type NewPoint, type NewTie } from "./seed.ts";
export { dayFlags, refuseBilledChanges } from "./records/index.ts";
export { closedBills, type ClosedBill, type ClosedBills } from "./why/index.ts";
export { createPointSource, createRatioUse, lossesOfMonth } from "./terms/index.ts";
export {
  hasRatio,
  powersOfPoints,
  ratioWithin,
  ratiosOf,
  registerWords,
  tiesOf,
  type RatioStep,
  type Tie,
  type TimeSpan,
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
  type DayNumbers,
  type DaySpan,
  type PackedDay,
  type PackedDays,
  type PointDay,
  type PointMonth,
  type PointTotal,
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
