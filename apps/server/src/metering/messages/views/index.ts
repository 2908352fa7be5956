export { deviceOf } from "./deviceOf.ts";
export { rowsFor } from "./loadPiece.ts";
export { lossOf, piecesOfPoint, ratioOf, within, type Piece } from "./piece.ts";
export type { MeasuredBy, MeasuredPoint, PointSource } from "./pointSource.ts";
export {
  counterOrigins,
  earlierReadings,
  readingAt,
  replacedReadings,
  type EarlierReading,
  type OriginalReading,
} from "./readingAt.ts";
export { answerTo, lastMessage, listMessages, periodSummary } from "./readings.ts";
export { firstTrusted, isSaid, lastTrusted, trustedSeries } from "./shown.ts";
export { allTypes, fieldTitles, typesOf } from "./titles.ts";
