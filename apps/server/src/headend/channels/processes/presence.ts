import type pg from "pg";
import type { Database, Log } from "#core";
import { freeProcesses, lockProcess, writeProcess } from "./processStore.ts";

const maxProcesses = 1000;
const retryMs = 1000;
/** The connection that held the lock before may take this long to end. */
const ownTries = 10;
const ownPauseMs = 100;

/**
 * This process among those that share the database. Its number is free for another one as soon as the process
 * has ended.
 */
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
  /**
   * Another process has the number now, so nothing claimed under it belongs to this process; a new number has
   * been taken.
   */
  readonly onLost?: () => void;
}

/**
 * Takes the lowest free number and holds an advisory lock on it for as long as the process lives. The lock
 * has its own connection; when that breaks it is acquired again.
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
    const taken = (await lockOwn(next, id)) ? id : await takeFree(next);
    const isSame = taken === id;
    id = taken;
    client = next;
    if (!isSame) {
      workers = [];
      await freeProcesses(database, [id]);
    }
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
      await freeProcesses(database, [id]).catch((error: unknown) =>
        log.debug({ err: error }, "leaving without goodbye"),
      );
      await last?.end().catch(() => undefined);
    },
  };
}

async function takeFree(client: pg.Client): Promise<number> {
  for (let id = 1; id <= maxProcesses; id++) if (await lockProcess(client, id)) return id;
  throw new Error(`more than ${maxProcesses} processes on one database`);
}

async function lockOwn(client: pg.Client, id: number): Promise<boolean> {
  for (let tried = 1; id !== 0 && tried <= ownTries; tried++) {
    if (await lockProcess(client, id)) return true;
    await new Promise((resolve) => setTimeout(resolve, ownPauseMs));
  }
  return false;
}
