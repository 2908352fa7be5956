import pg from "pg";
import type { Bus, Clock, Database, Log, Services } from "#core";
import { writeBatch, type Store, type Written } from "./batch.ts";
import type { Outcome } from "./conflicts.ts";
import { createFacts } from "./facts.ts";
import { createFieldSets, type FieldSets } from "./fieldSets.ts";
import { createHeard, type Heard } from "./heard.ts";
import { createLevels } from "./levels.ts";
import { createPartitions } from "./partitions.ts";
import type { Incoming, Ingested } from "./types.ts";

/** A batch is closed when it is this full or this old, whichever comes first. */
const fullAt = 5_000;
const closeAfterMs = 20;
/** Batches in flight: one is prepared while the database works on the other. */
const flights = 2;
/** Readings that may wait; beyond it callers wait before their readings are even looked at. */
const mostWaiting = 50_000;
const tries = 3;

interface Waiting {
  readonly readings: readonly Incoming[];
  readonly done: (answer: Ingested) => void;
  readonly failed: (error: unknown) => void;
}

interface Door {
  ingest(readings: readonly Incoming[]): Promise<Ingested>;
  readonly heard: Heard;
  readonly sets: FieldSets;
  /** Resolves when nothing is on its way any more. */
  settle(): Promise<void>;
}

type Deps = Pick<Services, "database" | "bus" | "clock" | "log">;

const doors = new WeakMap<Database, Door>();

/** The door of this process to a database. */
export function doorOf(services: Deps): Door {
  let door = doors.get(services.database);
  if (!door) doors.set(services.database, (door = openDoor(services)));
  return door;
}

/**
 * The only way into the store: polled, pushed, imported, entered and calculated readings. Resolves after COMMIT; whoever
 * is told so may acknowledge. Idempotent on (device, message type, time). When it rejects nothing may be acknowledged,
 * and giving the same readings again is harmless. Wait for it before you read more from a device: that is the back-pressure.
 */
export function ingest(services: Deps, readings: readonly Incoming[]): Promise<Ingested> {
  return doorOf(services).ingest(readings);
}

function openDoor({
  database,
  bus,
  clock,
  log,
}: {
  database: Database;
  bus: Bus;
  clock: Clock;
  log: Log;
}): Door {
  const { pool } = database;
  const sets = createFieldSets(pool);
  const store: Store = {
    pool,
    clock,
    sets,
    facts: createFacts(pool, clock),
    levels: createLevels(pool, sets, clock),
    partitions: createPartitions(pool),
  };
  const heard = createHeard(pool, log);
  const queue: Waiting[] = [];
  const forRoom: (() => void)[] = [];
  const idle: (() => void)[] = [];
  let waiting = 0;
  let flying = 0;
  let timer: NodeJS.Timeout | undefined;

  const takeBatch = (): Waiting[] => {
    const taken: Waiting[] = [];
    let size = 0;
    for (let next = queue[0]; next; next = queue[0]) {
      if (taken.length > 0 && size + next.readings.length > fullAt) break;
      queue.shift();
      taken.push(next);
      size += next.readings.length;
    }
    waiting -= size;
    return taken;
  };
  const fly = async (): Promise<void> => {
    flying += 1;
    await storeBatch(takeBatch());
    flying -= 1;
    while (waiting < mostWaiting && forRoom.length > 0) forRoom.shift()?.();
    schedule();
    if (flying === 0 && queue.length === 0) for (const each of idle.splice(0)) each();
  };
  const storeBatch = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const written = await writeWithRetry(
        store,
        batch.flatMap(({ readings }) => readings),
      );
      heard.note(written.heard);
      answer(batch, written.outcomes);
      if (written.stored.length > 0) bus.publish("readingsStored", written.stored);
    } catch (error) {
      if (batch.length > 1 && isOfTheData(error)) for (const each of batch) await storeBatch([each]);
      else for (const each of batch) each.failed(error);
    }
  };
  const schedule = (): void => {
    if (queue.length === 0 || flying >= flights) return;
    if (waiting >= fullAt) {
      clearTimeout(timer);
      timer = undefined;
      void fly();
      if (waiting >= fullAt) schedule();
      return;
    }
    timer ??= setTimeout(() => {
      timer = undefined;
      if (queue.length > 0 && flying < flights) void fly();
    }, closeAfterMs);
  };

  const enqueue = (readings: readonly Incoming[]): Promise<Ingested> =>
    new Promise((done, failed) => {
      queue.push({ readings, done, failed });
      waiting += readings.length;
      schedule();
    });

  return {
    heard,
    sets,
    async ingest(readings) {
      const answers: Promise<Ingested>[] = [];
      for (let from = 0; from < readings.length; from += fullAt) {
        while (waiting >= mostWaiting) await new Promise<void>((resolve) => forRoom.push(resolve));
        const part = enqueue(readings.slice(from, from + fullAt));
        // Heard of below; until then a failure of one part is no unhandled one.
        part.catch(() => undefined);
        answers.push(part);
      }
      return (await Promise.all(answers)).reduce(sum, none);
    },
    async settle() {
      if (flying > 0 || queue.length > 0) await new Promise<void>((resolve) => idle.push(resolve));
      await heard.settle();
    },
  };
}

const none: Ingested = { stored: 0, repeated: 0, replaced: 0, refused: 0, aside: 0, unknown: 0 };

function sum(a: Ingested, b: Ingested): Ingested {
  return {
    stored: a.stored + b.stored,
    repeated: a.repeated + b.repeated,
    replaced: a.replaced + b.replaced,
    refused: a.refused + b.refused,
    aside: a.aside + b.aside,
    unknown: a.unknown + b.unknown,
  };
}

/** Deadlocks and lost races are tried again at once; everything else is the caller's to repeat. */
async function writeWithRetry(store: Store, batch: readonly Incoming[]): Promise<Written> {
  for (let tried = 1; ; tried++) {
    try {
      return await writeBatch(store, batch);
    } catch (error) {
      const code = error instanceof pg.DatabaseError ? error.code : undefined;
      if (tried === tries || (code !== "40P01" && code !== "40001")) throw error;
    }
  }
}

/** A value that the database does not take: then the others of the batch must not suffer for it. */
function isOfTheData(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? "");
}

function answer(batch: readonly Waiting[], outcomes: readonly Outcome[]): void {
  let at = 0;
  for (const { readings, done } of batch) {
    const counted = { ...none } as Record<Outcome, number>;
    for (const outcome of outcomes.slice(at, at + readings.length)) counted[outcome] += 1;
    at += readings.length;
    done(counted);
  }
}
