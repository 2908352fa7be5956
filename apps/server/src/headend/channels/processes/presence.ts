import type pg from "pg";
import type { Database, Log } from "#core";
import {
  forgetTasks,
  freeProcesses,
  goneProcesses,
  lockProcess,
  nextNumber,
  unlockProcess,
  writeProcess,
} from "./processStore.ts";

const retryMs = 1000;
/** The connection that held the lock before may take this long to end. */
const ownTries = 10;
const ownPauseMs = 100;

/** This process among those that share the database. No other one, and no later start, has its number. */
export interface Presence {
  readonly id: number;
  /** Whether the lock is held at this moment; without it others may treat this process as dead. */
  readonly isHeld: boolean;
  /** Records which workers belong to this process, so that others can free their jobs. */
  noteWorkers(workers: readonly string[]): Promise<void>;
  leave(): Promise<void>;
}

export interface PresenceOptions {
  /** The lock was lost for a moment: rows that others may have freed meanwhile must be claimed again. */
  readonly onBack?: () => void;
  /** Others treat the old number as dead, so nothing claimed under it counts; a new number has been taken. */
  readonly onLost?: () => void;
}

/**
 * Takes a new number and holds an advisory lock on it for as long as the process lives. The lock has its own
 * connection; when that breaks it is acquired again. What dead processes held is released first, so that after a
 * restart nothing waits for the next sweep.
 */
export async function enterPresence(
  database: Database,
  log: Log,
  { onLost, onBack }: PresenceOptions = {},
): Promise<Presence> {
  let stopped = false;
  let client: pg.Client | undefined;
  let id = 0;
  let workers: readonly string[] = [];

  const hold = async (): Promise<void> => {
    const next = database.client();
    next.on("error", () => lose(next));
    next.on("end", () => lose(next));
    await next.connect();
    const isSame = await lockOwn(next, id);
    if (!isSame) {
      id = await takeNumber(next);
      workers = [];
    }
    client = next;
    await freeProcesses(database, await goneProcesses(database));
    await forgetTasks(database, id);
    await writeProcess(database, id, workers);
  };
  const lose = (lost: pg.Client): void => {
    if (client !== lost || stopped) return;
    client = undefined;
    log.warn({ process: id }, "presence lost, taking it again");
    void again();
  };
  const again = async (): Promise<void> => {
    const before = id;
    while (!stopped && !client) {
      await new Promise((resolve) => setTimeout(resolve, retryMs).unref());
      await hold().catch((error: unknown) => log.debug({ err: error }, "presence not yet back"));
    }
    if (id === before) onBack?.();
    else onLost?.();
  };

  await hold();
  return {
    get id() {
      return id;
    },
    get isHeld() {
      return client !== undefined;
    },
    async noteWorkers(names) {
      workers = names;
      await writeProcess(database, id, workers);
    },
    async leave() {
      stopped = true;
      const last = client;
      client = undefined;
      try {
        if (last) await unlockProcess(last, id);
        await freeProcesses(database, [id]);
      } catch (error) {
        log.debug({ err: error }, "leaving without goodbye");
      }
      await last?.end().catch(() => undefined);
    },
  };
}

async function takeNumber(client: pg.Client): Promise<number> {
  for (;;) {
    const id = await nextNumber(client);
    if (await lockProcess(client, id)) return id;
  }
}

async function lockOwn(client: pg.Client, id: number): Promise<boolean> {
  for (let tried = 1; id !== 0 && tried <= ownTries; tried++) {
    if (await lockProcess(client, id)) return true;
    await new Promise((resolve) => setTimeout(resolve, ownPauseMs));
  }
  return false;
}
