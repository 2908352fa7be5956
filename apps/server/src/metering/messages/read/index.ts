/** The one reader of `message`: see ARCHITECTURE. Each file is a shape in which readings are asked for. */
export type { Reader } from "./ask.ts";
export {
  counterSamples,
  stepsOfCounters,
  type CounterAt,
  type DoubtedCounter,
  type DoubtedStep,
  type WantedSteps,
} from "./counterStore.ts";
export { clocksOf, lastOfDays } from "./dayStore.ts";
export {
  denseTypes,
  hasRows,
  mostGiven,
  oldestGiven,
  spreadGiven,
  type GivenRow,
  type GivenSpan,
} from "./givenStore.ts";
export {
  nearestClocks,
  nearestRows,
  newestCalculated,
  type MeterClock,
  type NearRow,
} from "./nearestStore.ts";
export { rowsOfPeriod, rowsOfSpans, type MessageRow, type PeriodRow } from "./periodStore.ts";
export {
  readLatest,
  readSeries,
  readSeriesAndBefore,
  readSeriesForward,
  type SeriesRow,
  type SeriesWanted,
} from "./seriesStore.ts";
export {
  firstAndLastTime,
  firstTime,
  timesOf,
  trustedTimes,
  valuedTimes,
  type TypeSpan,
} from "./timesStore.ts";
export { untrustedValues } from "./untrustedStore.ts";
export { lastReceipt, setsUsed } from "./wholeDeviceStore.ts";
