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
}

/** Lower numbers run first: requests of users before everything else. */
export const requestPriority = -100;

/** Jobs of one line run one after another, in any process: the queue is named after the line. */
export async function addLineJobs(db: Db, jobs: readonly LineJob[]): Promise<void> {
  if (jobs.length === 0) return;
  const payloads = jobs.map(({ kind, payload }) => JSON.stringify({ kind, ...payload }));
  await sql`
    select graphile_worker.add_jobs(array(
      select row(job.task, job.payload::json, 'line:' || job.line, now(), 3, job.key, job.priority, null)::graphile_worker.job_spec
      from unnest(${jobs.map((job) => job.task)}::text[], ${payloads}::text[],
        ${jobs.map((job) => job.line)}::text[], ${jobs.map((job) => job.key)}::text[],
        ${jobs.map((job) => job.priority)}::smallint[]) as job (task, payload, line, key, priority)
    ))`.execute(db);
}
