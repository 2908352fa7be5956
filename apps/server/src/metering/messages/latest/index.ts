export { createLastReceipts } from "./lastReceipts.ts";
export { latestIn, tsOfLatest, withMessage, type Latest } from "./latest.ts";
export { createLatestCache, type LatestCache } from "./latestCache.ts";
export { countedBefore, latestOfMessages } from "./latestOfMessages.ts";
export { latestReadings, type LatestReading } from "./latestReadingStore.ts";
export {
  latestAhead,
  lockLatest,
  raiseLatest,
  readLatestOf,
  removeLatest,
  writeLatest,
  type Raised,
} from "./latestStore.ts";
export { lowerLatest } from "./lowerLatest.ts";
