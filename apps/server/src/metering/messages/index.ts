import type { Domain, Services } from "#core";
import { recountReceipts } from "#metering/device-state";
import { serveReadings } from "./calls.ts";
import { startDeriving } from "./deriveJob.ts";
import { startVirtualDevices } from "./virtual/virtualJob.ts";
import { startZoneRecounts } from "./zoneJob.ts";

export { pullDueNear } from "./due/dueStore.ts";
export { pullZonesNear } from "./zoneDueStore.ts";
export { latestAhead } from "./latestStore.ts";
export { countedBefore } from "./latestOfMessages.ts";
export { withImportDoubts } from "./importDoubts.ts";
export { ingest, ingestEach, openReadingStore } from "./ingest.ts";
export type { FieldSets } from "./fieldSets.ts";
export { estimateMark } from "./messageStore.ts";
export { latestReadings, type LatestReading } from "./latestReadingStore.ts";
export { runDependants, startDependants, type ChangedSpan, type Dependants } from "./due/dependants.ts";
export {
  counterReadings,
  firstCounterRow,
  type CounterReading,
  type CounterReadings,
  type DeviceSpan,
} from "./counterStore.ts";
export { exactGrowth, growth, grown, type ExactRange } from "./growth.ts";
export { expectedGrowth, loadSec } from "./load.ts";
export { knowingLoads, type SamplesOf } from "./loads.ts";
export { readLoads, loadsFor } from "./loadStore.ts";
export { nearSec } from "./derive.ts";
export { counterTypes, countsBefore, countsFor, isVouched } from "./instant.ts";
export { worstStatus } from "./trust.ts";
export type { DeviceMetadata } from "./types.ts";
export {
  dependOn,
  dueColumns,
  isDue,
  markDependants,
  readingProgress,
  stopDepending,
  type DueProgress,
} from "./due/dueStore.ts";
export { dueKinds, forever, type DependantKind, type DueKind } from "./due/kinds.ts";
export { type Due, type DueQueue, type Leasing } from "./due/queue.ts";
export { startWork, workOnce, type DueWork } from "./due/runner.ts";
export { readEvents } from "./journals/store.ts";
export { withRecords } from "./journals/events.ts";
export { recountSample, type SampleVerdict } from "./recountSample.ts";
export { deviceRecount } from "./recounts/deviceRecount.ts";
export {
  differing,
  isWaiting,
  timeText,
  type Difference,
  type Examined,
  type Recount,
  type TimeSpan,
} from "./recounts/difference.ts";
export { freshServices } from "./recounts/freshServices.ts";
export { virtualRecount } from "./recounts/virtualRecount.ts";
export { recountQuarantine } from "./quarantineWriteStore.ts";
export { mainType, percentOf, typesFilling, typesOfModel, type Judged } from "./received.ts";
export { dailyShares, receivedByDay, type DayReceived, type ReceivedDays } from "./receivedDays.ts";
export { untrustedIn, type TypeSpan } from "./receivedStore.ts";
export { storedSlots } from "./storedSlots.ts";
export { decodedAgain } from "./resolveConflict.ts";
export {
  counterOrigins,
  earlierReadings,
  replacedReadings,
  type EarlierReading,
  type OriginalReading,
} from "./readingAt.ts";
export { verdictOf } from "./plausible.ts";
export { answerTo } from "./readings.ts";
export { lossOf, piecesOfPoint, ratioOf, within, type Piece } from "./piece.ts";
export { lossOver, type LossStep } from "./losses.ts";
export type { MeasuredBy, MeasuredPoint, PointSource } from "./pointSource.ts";
export { rowsFor } from "./series.ts";
export { firstTrusted, lastTrusted, trustedSeries, type ShownRow } from "./shown.ts";
export { counterRange, type CounterRange, type Point, withoutRollover } from "./counter.ts";
export { isTrusted, statusOfValue, trustedValues, type ByField } from "./trust.ts";
export { isSummable, virtualFieldsOf } from "./virtual/definition.ts";
export { lockSources, putSources, shapeOf, sourcesInUse, sourcesOf, unused } from "./virtual/store.ts";
export { computeVirtualDevices } from "./virtual/virtualJob.ts";
export { united, type Slot, type Span } from "./slots.ts";
export type { Outcome } from "./conflicts.ts";
export { sourceName, statusName, type Incoming, type Ingested } from "./types.ts";
export { parseValues } from "./values.ts";
export { vouched } from "./vouch.ts";

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
