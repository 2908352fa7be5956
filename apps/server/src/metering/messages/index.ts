import type { Domain, Services } from "#core";
import { recountReceipts } from "#metering/device-state";
import { serveReadings } from "./calls.ts";
import { startDeriving } from "./derive/index.ts";
import { startVirtualDevices } from "./virtual/index.ts";
import { startZoneRecounts } from "./recounts/index.ts";

export {
  dependOn,
  dueColumns,
  dueKinds,
  forever,
  isDue,
  markDependants,
  pullDueNear,
  pullZonesNear,
  readingProgress,
  runDependants,
  startDependants,
  startWork,
  stopDepending,
  workOnce,
  type ChangedSpan,
  type DependantKind,
  type Dependants,
  type Due,
  type DueKind,
  type DueProgress,
  type DueQueue,
  type DueWork,
  type Leasing,
} from "./due/index.ts";
export { countedBefore, latestAhead, latestReadings, type LatestReading } from "./latest/index.ts";
export { verdictOf, vouched, withImportDoubts } from "./entered/index.ts";
export { ingest, ingestEach, openReadingStore, type Outcome } from "./ingest/index.ts";
export {
  counterTypes,
  countsBefore,
  countsFor,
  decodedAgain,
  isTrusted,
  isVouched,
  parseValues,
  sourceName,
  statusName,
  statusOfValue,
  trustedValues,
  worstStatus,
  type ByField,
  type DeviceMetadata,
  type FieldSets,
  type Incoming,
  type Ingested,
} from "./rows/index.ts";
export {
  counterRange,
  counterReadings,
  exactGrowth,
  expectedGrowth,
  firstCounterRow,
  grown,
  growth,
  knowingLoads,
  loadSec,
  lossOver,
  readLoads,
  withoutRollover,
  type CounterRange,
  type CounterReading,
  type CounterReadings,
  type DeviceSpan,
  type ExactRange,
  type LossStep,
  type Point,
  type SamplesOf,
} from "./growth/index.ts";
export { nearSec } from "./derive/index.ts";
export { readEvents, withRecords } from "./journals/index.ts";
export { recountSample, type SampleVerdict } from "./days/index.ts";
export {
  deviceRecount,
  differing,
  freshServices,
  isWaiting,
  timeText,
  virtualRecount,
  type Difference,
  type Examined,
  type Recount,
  type TimeSpan,
} from "./recounts/index.ts";
export { recountQuarantine } from "./quarantine/index.ts";
export {
  dailyShares,
  mainType,
  percentOf,
  receivedByDay,
  typesFilling,
  typesOfModel,
  united,
  type DayReceived,
  type Judged,
  type ReceivedDays,
  type Slot,
  type Span,
} from "./received/index.ts";
export {
  answerTo,
  counterOrigins,
  earlierReadings,
  firstTrusted,
  lastTrusted,
  lossOf,
  piecesOfPoint,
  ratioOf,
  replacedReadings,
  rowsFor,
  trustedSeries,
  within,
  type EarlierReading,
  type MeasuredBy,
  type MeasuredPoint,
  type OriginalReading,
  type Piece,
  type PointSource,
} from "./views/index.ts";
export {
  clocksOf,
  denseTypes,
  hasRows,
  lastOfDays,
  mostGiven,
  oldestGiven,
  spreadGiven,
  timesOf,
  untrustedValues,
  valuedTimes,
  type GivenRow,
  type GivenSpan,
  type TypeSpan,
  type SeriesRow,
} from "./read/index.ts";
export {
  computeVirtualDevices,
  isSummable,
  lockSources,
  putSources,
  shapeOf,
  sourcesInUse,
  sourcesOf,
  unused,
  virtualFieldsOf,
} from "./virtual/index.ts";

const settle = (services: Services) => () => services.parts.readingStore.settle();

export const messages: Domain = {
  name: "messages",
  calls: serveReadings,
  // In any role that stores readings, the last ones are written to the device list before the process ends.
  api: settle,
  broker: settle,
  worker: async (services) => {
    await recountReceipts(services.database.pool);
    const stopDeriving = startDeriving(services);
    const stopSumming = startVirtualDevices(services);
    const stopRecounting = startZoneRecounts(services);
    return async () => {
      await stopRecounting();
      await stopSumming();
      await stopDeriving();
      await services.parts.readingStore.settle();
    };
  },
};
