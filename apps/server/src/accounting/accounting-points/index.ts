export { markPoint } from "./totals/pointDueStore.ts";
export {
  dayRowsOfPoints,
  monthsOfPoint,
  registersOfPoint,
  totalsOfPoints,
  type DaySpan,
  type PointDay,
  type PointMonth,
  type PointTotal,
} from "./totals/readStore.ts";
export { ratioAt, type RatioStep } from "./totals/ratios.ts";
export { ratiosOf, tiesOf, type Tie, type TimeSpan } from "./totals/tieStore.ts";
export { dayFlags } from "./tables.ts";
