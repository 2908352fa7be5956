import { sql } from "kysely";
import type { Db } from "#core";

/** A job waiting for its line. */
export interface LineJob {
  /** Name of a declared `LineJobKind`. */
  readonly kind: string;
  /** Task name of the worker: of the process that holds the line, or of any. */
  readonly task: string;
  readonly payload: object;
  readonly line: string;
  /** A job of the same key that has not started is replaced. */
  readonly key: string;
  readonly priority: number;
  /** Seconds from now before which it does not start; absent: none. */
  readonly delaySec?: number;
}

/** A job in the queue of its line. */
export interface QueuedJob {
  readonly line: string;
  readonly key: string;
  readonly priority: number;
  /** Null while it waits. */
  readonly startedAt: number | null;
}

/**
 * The jobs of these lines in the order in which they run. Rows: those of the queue, one at most per due device;
 * its table exists once a worker has been started.
 */
export async function queuedJobs(system: Db, lines: readonly string[]): Promise<QueuedJob[]> {
  const { rows: found } = await sql<{ there: boolean }>`
    select to_regclass('graphile_worker.jobs') is not null as there`.execute(system);
  if (!found[0]?.there) return [];
  const { rows } = await sql<QueuedJob>`
    select substring(queue_name from 6) as line, key, priority,
      extract(epoch from locked_at)::bigint as "startedAt"
    from graphile_worker.jobs
    where queue_name = any(${lines.map((line) => `line:${line}`)}::text[]) and attempts < max_attempts
    order by locked_at nulls last, priority, run_at, id`.execute(system);
  return rows;
}

/** Lower numbers run first: requests of users before everything else. */
export const requestPriority = -100;

/** Jobs of one line run one after another, in any process: the queue is named after the line. */
export async function addLineJobs(db: Db, jobs: readonly LineJob[]): Promise<void> {
  if (jobs.length === 0) return;
  const payloads = jobs.map(({ kind, payload }) => JSON.stringify({ kind, ...payload }));
  await sql`
    select graphile_worker.add_jobs(array(
      select row(job.task, job.payload::json, 'line:' || job.line, now() + make_interval(secs => job.delay), 3, job.key, job.priority, null)::graphile_worker.job_spec
      from unnest(${jobs.map((job) => job.task)}::text[], ${payloads}::text[],
        ${jobs.map((job) => job.line)}::text[], ${jobs.map((job) => job.key)}::text[],
        ${jobs.map((job) => job.priority)}::smallint[], ${jobs.map((job) => job.delaySec ?? 0)}::float8[])
        as job (task, payload, line, key, priority, delay)
    ))`.execute(db);
}

/** A job that starts later than this was not planned by the present clock: pauses before a job are shorter. */
const longestDelaySec = 600;

/** After the clock was set back: waiting jobs of lines that would start much later start now. */
export async function pullJobsNear(db: Db): Promise<void> {
  await sql`
    update graphile_worker._private_jobs set run_at = now()
    where id in (
      select j.id from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier like ${`${anyTask}%`} and j.locked_at is null
        and j.run_at > now() + make_interval(secs => ${longestDelaySec}) order by j.id for update of j)`.execute(
    db,
  );
}

/** Task names of line jobs begin so. */
const anyTask = "line";

/** A job that uses several lines: each exchange waits for its line. */
export type LinesJob = Pick<LineJob, "kind" | "task" | "payload" | "priority">;

/** Adds jobs that belong to no queue: they run at once, beside those of the lines. */
export async function addLinesJobs(db: Db, jobs: readonly LinesJob[]): Promise<void> {
  if (jobs.length === 0) return;
  const payloads = jobs.map(({ kind, payload }) => JSON.stringify({ kind, ...payload }));
  await sql`
    select graphile_worker.add_jobs(array(
      select row(job.task, job.payload::json, null, now(), 3, null, job.priority, null)::graphile_worker.job_spec
      from unnest(${jobs.map((job) => job.task)}::text[], ${payloads}::text[],
        ${jobs.map((job) => job.priority)}::smallint[]) as job (task, payload, priority)
    ))`.execute(db);
}
