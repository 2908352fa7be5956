export { createLastReceipts } from "./lastReceipts.ts";
export { type Latest, latestIn, tsOfLatest, withMessage } from "./latest.ts";
export { type LatestCache, createLatestCache } from "./latestCache.ts";
export { countedBefore, latestOfMessages } from "./latestOfMessages.ts";
export { type LatestReading, latestReadings } from "./latestReadingStore.ts";
export {
  type Raised,
  latestAhead,
  lockLatest,
  raiseLatest,
  readLatestOf,
  removeLatest,
  writeLatest,
} from "./latestStore.ts";
export { lowerLatest } from "./lowerLatest.ts";
