import type { DeviceId } from "@metrum/vocabulary";
import type pg from "pg";
import {
  Batcher,
  createPartitions,
  isDataFault,
  partitionedTable,
  sqlStateOf,
  sqlStates,
  type Database,
  type Events,
  type Partitions,
  type Services,
} from "#core";
import type { MetadataCache, Outcome } from "../ingest/index.ts";
import type { Incoming } from "../rows/index.ts";
import { eventOf, journalType, numberEvents, type Event } from "./events.ts";
import { insertEvents } from "./store.ts";

const limits = { fullAt: 2_000, closeAfterMs: 20, flights: 1, mostWaiting: 20_000 };

interface Numbered {
  readonly reading: Incoming;
  readonly record: number;
}

/** Store of meter events. */
export interface Journal {
  /** Stores events not stored yet; returns the outcome of each. Resolves after COMMIT. */
  add(readings: readonly Incoming[]): Promise<readonly Outcome[]>;
  settle(): Promise<void>;
}

type Deps = Pick<Services, "clock" | "bus"> & {
  readonly database: Database;
  readonly metadata: MetadataCache;
};

export function createJournal({ database, clock, bus, metadata }: Deps): Journal {
  const { pool } = database;
  const partitions = createPartitions(pool, clock, partitionedTable("journal_event"));
  const batcher = new Batcher<Numbered, Outcome>({
    ...limits,
    isOfItem: isDataFault,
    async write(batch) {
      const devices = await metadata.of(new Set(batch.map(({ reading }) => reading.deviceId)));
      const events = batch.map(({ reading, record }) => {
        const device = devices.get(reading.deviceId);
        return device && eventOf(reading, device, record);
      });
      const known = events.filter((event) => event !== undefined);
      const isNew = new Map(await writeEvents(pool, partitions, known));
      const stored = known.filter((event) => isNew.get(event));
      if (stored.length > 0) bus.publish("readingsStored", spansOf(stored));
      return events.map((event) =>
        event === undefined ? "unknown" : isNew.get(event) ? "stored" : "repeated",
      );
    },
  });
  return {
    add(readings) {
      const records = numberEvents(readings);
      return batcher.add(readings.map((reading, at) => ({ reading, record: records[at] ?? 0 })));
    },
    settle: () => batcher.settle(),
  };
}

async function writeEvents(
  pool: pg.Pool,
  partitions: Partitions,
  events: readonly Event[],
): Promise<(readonly [Event, boolean])[]> {
  if (events.length === 0) return [];
  // Every batch locks its keys in the same order, which prevents deadlocks.
  const sorted = [...events].sort(
    (a, b) => a.deviceId - b.deviceId || a.ts - b.ts || a.code - b.code || a.record - b.record,
  );
  for (let isAgain = false; ; isAgain = true) {
    await partitions.ensure(sorted.map(({ ts }) => ts));
    try {
      const isNew = await insertEvents(pool, sorted);
      return sorted.map((event, at) => [event, isNew[at] ?? false]);
    } catch (error) {
      // The partition of a row has just been dropped, or two batches collided.
      const code = sqlStateOf(error);
      if (isAgain || (code !== sqlStates.checkViolation && code !== sqlStates.deadlock)) throw error;
      partitions.forget();
    }
  }
}

function spansOf(events: readonly Event[]): Events["readingsStored"] {
  const spans = new Map<DeviceId, Events["readingsStored"][number]>();
  for (const { deviceId, companyId, ts } of events) {
    const { from, to } = spans.get(deviceId) ?? { from: ts, to: ts };
    spans.set(deviceId, {
      companyId,
      deviceId,
      msgType: journalType,
      from: Math.min(from, ts),
      to: Math.max(to, ts),
    });
  }
  return [...spans.values()];
}
