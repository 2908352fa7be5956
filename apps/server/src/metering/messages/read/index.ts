export { type RowAround, rowsAround } from "./aroundStore.ts";
export { deviceOf } from "./deviceOf.ts";
export { type Piece, lossOf, piecesOfPoint, ratioOf, within } from "./piece.ts";
export type { MeasuredBy, MeasuredPoint, PointSource } from "./pointSource.ts";
export {
  type EarlierReading,
  type OriginalReading,
  counterOrigins,
  earlierReadings,
  readingAt,
  replacedReadings,
} from "./readingAt.ts";
export { answerTo, lastMessage, listMessages, periodSummary } from "./readings.ts";
export { rowsFor } from "./series.ts";
export { type ShownRow, firstTrusted, isSaid, lastTrusted, shownRows, trustedSeries } from "./shown.ts";
export { type SeriesWanted, readSeriesForward } from "./store.ts";
export { allTypes, fieldTitles, typesOf } from "./titles.ts";
export {
  denseTypes,
  hasRows,
  mostGiven,
  oldestGiven,
  spreadGiven,
  type GivenRow,
  type GivenSpan,
} from "./givenStore.ts";
export { clocksOf, lastOfDays } from "./lastOfDayStore.ts";
export { untrustedValues } from "./untrustedStore.ts";
