import { sql } from "kysely";
import type pg from "pg";
import type { Database, Db } from "#core";
import { releaseLinesOf } from "../lines/lineStore.ts";
import { forgetModemsOf } from "../modems/modemStore.ts";

/** First key of the advisory locks that mark process N as alive; the second is N. */
export const processLockClass = 7_301_002;

/** Task name of the work that only this process can do: that of the lines it holds. */
export const workOf = (processId: number): string => `line@${processId}`;

/** A number that no process has had. */
export async function nextNumber(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ id: number }>("select nextval('process_number')::int as id");
  const [found] = rows;
  if (!found) throw new Error("the database gives no number to this process");
  return found.id;
}

/** Tries to take the lock of a process on this connection; it is held until the connection ends. */
export async function lockProcess(client: pg.ClientBase, id: number): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1, $2) as locked", [
    processLockClass,
    id,
  ]);
  return rows[0]?.locked ?? false;
}

/** Releases the lock of a process that this connection holds. */
export async function unlockProcess(client: pg.ClientBase, id: number): Promise<void> {
  await client.query("select pg_advisory_unlock($1, $2)", [processLockClass, id]);
}

/** Numbers of the processes that have a row. */
export async function knownProcesses(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from process order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Numbers of processes whose lock is gone, also of those that have a line and no row any more. */
export async function goneProcesses(database: Database): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from (select id from process union select process_id from line_holder) known where not exists (
      select from pg_locks where locktype = 'advisory' and granted and classid = ${processLockClass} and objid = known.id
        and database = (select oid from pg_database where datname = current_database())
    ) order by id`.execute(database.system);
  return rows.map(({ id }) => id);
}

/**
 * Writes a process with the workers whose jobs others may free when it is dead. Others may have deleted its
 * row: it is written completely.
 */
export async function writeProcess(
  database: Database,
  id: number,
  workers: readonly string[],
): Promise<void> {
  await sql`insert into process (id, started_at, workers)
    values (${id}, extract(epoch from now())::bigint, ${[...workers]}::text[])
    on conflict (id) do update set workers = excluded.workers`.execute(database.system);
}

/**
 * Releases jobs of workers that this process had before, except those still running: a released job would be
 * started a second time, and its end would leave the queue of its line locked.
 */
export async function freeOwnWorkers(
  database: Database,
  id: number,
  running: readonly string[],
): Promise<void> {
  await sql`
    with own as (
      select workers from process where id = ${id}
    ), freed as (
      update graphile_worker._private_jobs j set locked_by = null, locked_at = null
      from own where j.locked_by = any(own.workers) and j.id <> all(${[...running]}::bigint[])
    )
    update graphile_worker._private_job_queues q set locked_by = null, locked_at = null
    from own where q.locked_by = any(own.workers) and not exists (
      select from graphile_worker._private_jobs j where j.job_queue_id = q.id and j.id = any(${[...running]}::bigint[])
    )`.execute(database.system);
}

/**
 * Frees queues that are locked although none of their jobs is: a job and its queue are locked and freed by
 * one statement, so such a lock is never released. Without this the jobs of such a line wait for the four
 * hours after which graphile-worker gives up a lock. Rows: one per line.
 */
export async function freeIdleQueues(database: Database): Promise<void> {
  await sql`
    update graphile_worker._private_job_queues q set locked_by = null, locked_at = null
    where q.locked_by is not null and not exists (
      select from graphile_worker._private_jobs j where j.job_queue_id = q.id and j.locked_by is not null
    )`.execute(database.system);
}

/**
 * Releases the lines and the jobs of dead processes, and returns these. Jobs return to the queue at once instead of
 * after hours. A process that has its lock back keeps everything: meanwhile none of those released can take it.
 */
export async function freeProcesses(database: Database, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  return database.system.transaction().execute(async (db) => {
    const dead = await lockDead(db, ids);
    await releaseLinesOf(db, dead);
    await forgetModemsOf(db, dead);
    await endJobsOf(db, dead, await removeProcesses(db, dead));
    return dead;
  });
}

/** Of these processes, those whose lock is free; it stays taken until the transaction ends. */
async function lockDead(db: Db, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from unnest(${[...ids]}::int[]) as id where pg_try_advisory_xact_lock(${processLockClass}, id)`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Returns their workers. */
async function removeProcesses(db: Db, ids: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ workers: string[] }>`
    delete from process where id = any(${[...ids]}::int[]) returning workers`.execute(db);
  return rows.flatMap(({ workers }) => workers);
}

async function endJobsOf(db: Db, ids: readonly number[], workers: readonly string[]): Promise<void> {
  if (workers.length === 0) return;
  await sql`select graphile_worker.force_unlock_workers(${[...workers]}::text[])`.execute(db);
  // Jobs for lines that the process held: the lines are gone, so the planner decides again.
  await sql`select graphile_worker.complete_jobs(array(
    select id from graphile_worker.jobs where task_identifier = any(${ids.map(workOf)}::text[])))`.execute(
    db,
  );
}

/** A runner never looks the ids of its task names up a second time, so those of recent processes stay. */
const tasksKept = 1_000;

/** Deletes the task names of the lines of processes that started long before this one. */
export async function forgetTasks(database: Database, id: number): Promise<void> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass('graphile_worker._private_tasks') is not null as there`.execute(database.system);
  if (!rows[0]?.there) return;
  await sql`
    delete from graphile_worker._private_tasks t
    where t.identifier like 'line@%' and substring(t.identifier from 6)::int < ${id - tasksKept}
      and not exists (select from process where id = substring(t.identifier from 6)::int)
      and not exists (select from graphile_worker._private_jobs j where j.task_id = t.id)`.execute(
    database.system,
  );
}
