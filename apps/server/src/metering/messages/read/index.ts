export {
  denseTypes,
  hasRows,
  mostGiven,
  oldestGiven,
  spreadGiven,
  type GivenRow,
  type GivenSpan,
} from "./givenStore.ts";
export { clocksOf, lastOfDays } from "./dayStore.ts";
export { untrustedValues } from "./untrustedStore.ts";
export {
  readLatest,
  readSeries,
  readSeriesAndBefore,
  readSeriesForward,
  type SeriesRow,
  type SeriesWanted,
} from "./seriesStore.ts";
