import type pg from "pg";
import { sql } from "kysely";
import type { Database, Log } from "#core";
import { forgetModemsOf } from "./modemStore.ts";

/** First number of the advisory locks that say "process N lives"; the second is N. */
const lockClass = 7_301_002;
const maxProcesses = 1000;
const retryMs = 1000;
/** The connection that held the lock before may take this long to end. */
const ownTries = 10;
const ownPauseMs = 100;

/** Name of the work that only this process can do: that of the lines it holds. */
export const workOf = (processId: number): string => `line@${processId}`;

/** This process among those that share the database. Its number is free for another one as soon as the process is gone. */
export interface Presence {
  readonly id: number;
  /** Whether the lock is held at this moment; without it others may count this process as gone. */
  readonly isHeld: boolean;
  leave(): Promise<void>;
}

export interface PresenceOptions {
  /** The number was gone for a moment: what others may have freed in that time has to be taken again. */
  readonly onBack?: () => void;
  /** Another process has the number now, so nothing that was held under it is ours any more; a new number has been taken. */
  readonly onLost?: () => void;
}

/**
 * Takes the lowest free number and holds an advisory lock on it for as long as the process lives. The lock rests on a connection of its
 * own; when that breaks it is taken again.
 */
export async function enterPresence(
  database: Database,
  log: Log,
  { onLost, onBack }: PresenceOptions = {},
): Promise<Presence> {
  let stopped = false;
  let client: pg.Client | undefined;
  let id = 0;

  const hold = async (): Promise<void> => {
    const next = database.client();
    next.on("error", () => lose(next));
    next.on("end", () => lose(next));
    await next.connect();
    const taken = (await lockOwn(next, id)) ? id : await takeFree(next);
    const isSame = taken === id;
    id = taken;
    client = next;
    if (!isSame) await clean(database, id);
    await writeProcess(database, id);
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
    async leave() {
      stopped = true;
      const last = client;
      client = undefined;
      await clean(database, id).catch((error: unknown) =>
        log.debug({ err: error }, "leaving without goodbye"),
      );
      await last?.end().catch(() => undefined);
    },
  };
}

async function takeFree(client: pg.Client): Promise<number> {
  for (let id = 1; id <= maxProcesses; id++) if (await tryLock(client, id)) return id;
  throw new Error(`more than ${maxProcesses} processes on one database`);
}

async function lockOwn(client: pg.Client, id: number): Promise<boolean> {
  for (let tried = 1; id !== 0 && tried <= ownTries; tried++) {
    if (await tryLock(client, id)) return true;
    await new Promise((resolve) => setTimeout(resolve, ownPauseMs));
  }
  return false;
}

async function tryLock(client: pg.Client, id: number): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1, $2) as locked", [
    lockClass,
    id,
  ]);
  return rows[0]?.locked ?? false;
}

/** Forgets what a process of this number held. */
async function clean(database: Database, id: number): Promise<void> {
  await freeProcesses(database, [id]);
}

/** Numbers of processes whose lock is gone. */
export async function goneProcesses(database: Database): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from process where not exists (
      select from pg_locks where locktype = 'advisory' and granted and classid = ${lockClass} and objid = process.id
        and database = (select oid from pg_database where datname = current_database())
    )`.execute(database.system);
  return rows.map(({ id }) => id);
}

/** Gives back the lines and the jobs of processes that are gone. Jobs return to the queue at once instead of after hours. */
export async function freeProcesses(database: Database, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await database.system.transaction().execute(async (db) => {
    const gone = sql`any(${[...ids]}::int[])`;
    await sql`delete from line_holder where process_id = ${gone}`.execute(db);
    await forgetModemsOf(db, ids);
    const { rows } = await sql<{ workers: string[] }>`
      delete from process where id = ${gone} returning workers`.execute(db);
    const workers = rows.flatMap((row) => row.workers);
    if (workers.length === 0) return;
    await sql`select graphile_worker.force_unlock_workers(${workers}::text[])`.execute(db);
    // Work for lines that the process held: its lines are gone, so the plan decides anew.
    await sql`select graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs where task_identifier = any(${ids.map(workOf)}::text[])))`.execute(
      db,
    );
  });
}

/** Workers of this process by its number. Others may have removed its row while its lock was gone; then it is written again whole. */
const workersOf = new WeakMap<Database, Map<number, readonly string[]>>();

/** Notes which workers are this process's, so that others can free their jobs. */
export async function noteWorkers(database: Database, id: number, workers: readonly string[]): Promise<void> {
  const noted = workersOf.get(database) ?? new Map<number, readonly string[]>();
  workersOf.set(database, noted.set(id, workers));
  await writeProcess(database, id);
}

async function writeProcess(database: Database, id: number): Promise<void> {
  const workers = workersOf.get(database)?.get(id) ?? [];
  await sql`insert into process (id, started_at, workers)
    values (${id}, extract(epoch from now())::bigint, ${[...workers]}::text[])
    on conflict (id) do update set workers = excluded.workers`.execute(database.system);
}

/** Gives back the jobs of workers that this process had before. */
export async function freeOwnWorkers(database: Database, id: number): Promise<void> {
  await sql`select graphile_worker.force_unlock_workers(workers) from process where id = ${id}`.execute(
    database.system,
  );
}
