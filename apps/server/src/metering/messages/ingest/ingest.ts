import {
  Batcher,
  createPartitions,
  isDataFault,
  partitionedTable,
  sqlStateOf,
  sqlStates,
  type Partitions,
  type Parts,
  type Services,
} from "#core";
import { writeBatch, type Store, type Written } from "./batch.ts";
import { clockFault, createFieldSets, type FieldSets, type Incoming, type Ingested } from "../rows/index.ts";
import { RowVanished, type Outcome } from "./conflicts.ts";
import { createMetadataCache, type MetadataCache } from "./metadataCache.ts";
import { createLastReceipts, createLatestCache, type LatestCache } from "../latest/index.ts";
import { createJournal, journalType } from "../journals/index.ts";

/** One batch is prepared while the database works on the other. */
const limits = { fullAt: 5_000, closeAfterMs: 20, flights: 2, mostWaiting: 50_000 };
const tries = 3;

export interface ReadingStore {
  readonly revisionPartitions: Partitions;
  ingest(readings: readonly Incoming[]): Promise<Ingested>;
  ingestEach(readings: readonly Incoming[]): Promise<readonly Outcome[]>;
  readonly sets: FieldSets;
  readonly metadata: MetadataCache;
  readonly latestCache: LatestCache;
  /** Resolves when no reading is in progress, updates of the device list included. */
  settle(): Promise<void>;
}

type Deps = Pick<Services, "database" | "bus" | "clock" | "log">;

/** Any context with access to ingest. */
interface Reaching {
  readonly parts: Pick<Parts, "readingStore">;
}

declare module "#core" {
  interface Parts {
    /** The ingest of this process. */
    readonly readingStore: ReadingStore;
  }
}

/**
 * The only way into the store: polled, pushed, imported, entered and calculated readings, and events of
 * journals (type 7), which have their own table, one row per event. Resolves after COMMIT; only then may
 * a caller acknowledge. Idempotent on (device, message type, time). If it rejects nothing may be
 * acknowledged, and repeating the same readings is harmless. Await it before reading more from a device: that
 * is the back-pressure.
 */
export function ingest(services: Reaching, readings: readonly Incoming[]): Promise<Ingested> {
  return services.parts.readingStore.ingest(readings);
}

/** Like `ingest`; returns the outcome of each reading, in their order. */
export function ingestEach(services: Reaching, readings: readonly Incoming[]): Promise<readonly Outcome[]> {
  return services.parts.readingStore.ingestEach(readings);
}

export function openReadingStore({ database, bus, clock, log }: Deps): ReadingStore {
  const { pool } = database;
  const sets = createFieldSets(pool);
  const latestCache = createLatestCache(pool, sets, clock);
  const metadata = createMetadataCache(pool, clock);
  const partitions = createPartitions(pool, clock, partitionedTable("message"));
  const revisionPartitions = createPartitions(pool, clock, partitionedTable("message_revision"));
  const store: Store = { pool, clock, sets, latestCache, metadata, partitions, revisionPartitions };
  const lastReceipts = createLastReceipts(pool, { log, clock });
  const batcher = new Batcher<Incoming, Outcome>({
    ...limits,
    isOfItem: isDataFault,
    async write(batch) {
      const written = await writeWithRetry(store, batch);
      lastReceipts.note(written.lastReceipts);
      if (written.stored.length > 0) bus.publish("readingsStored", written.stored);
      if (written.quarantineBegan.length > 0) bus.publish("quarantineBegan", written.quarantineBegan);
      return written.outcomes;
    },
  });
  const journal = createJournal({ database, clock, bus, metadata });
  const ingestEach = async (readings: readonly Incoming[]): Promise<readonly Outcome[]> => {
    if (!readings.some(({ msgType }) => msgType === journalType)) return batcher.add(readings);
    const devices = await metadata.of(new Set(readings.map(({ deviceId }) => deviceId)));
    // Readings with an implausible time stamp go into quarantine, whatever their type.
    const isEvent = readings.map((reading) => {
      const device = reading.msgType === journalType ? devices.get(reading.deviceId) : undefined;
      return device !== undefined && clockFault(reading, device) === undefined;
    });
    const [events, others] = [
      readings.filter((_, at) => isEvent[at]),
      readings.filter((_, at) => !isEvent[at]),
    ];
    const [ofEvents, ofOthers] = await Promise.all([
      events.length > 0 ? journal.add(events) : [],
      others.length > 0 ? batcher.add(others) : [],
    ]);
    let [event, other] = [0, 0];
    return isEvent.map((is) => (is ? ofEvents[event++] : ofOthers[other++]) ?? "unknown");
  };
  return {
    revisionPartitions,
    sets,
    metadata,
    latestCache,
    ingest: async (readings) => countOf(await ingestEach(readings)),
    ingestEach,
    async settle() {
      await batcher.settle();
      await journal.settle();
      await lastReceipts.settle();
    },
  };
}

/** Deadlocks and lost races are retried at once; for other errors the caller must repeat. */
async function writeWithRetry(store: Store, batch: readonly Incoming[]): Promise<Written> {
  for (let tried = 1; ; tried++) {
    try {
      return await writeBatch(store, batch);
    } catch (error) {
      const code = sqlStateOf(error);
      // No partition holds a row: the one that did has just been dropped.
      if (code === sqlStates.checkViolation) {
        store.partitions.forget();
        store.revisionPartitions.forget();
      }
      const isPassing =
        error instanceof RowVanished ||
        code === sqlStates.deadlock ||
        code === sqlStates.serializationFailure ||
        code === sqlStates.checkViolation;
      if (tried === tries || !isPassing) throw error;
    }
  }
}

function countOf(outcomes: readonly Outcome[]): Ingested {
  const counted = { stored: 0, repeated: 0, replaced: 0, refused: 0, quarantined: 0, unknown: 0 };
  for (const outcome of outcomes) counted[outcome] += 1;
  return counted;
}
