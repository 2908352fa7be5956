import { sql } from "kysely";
import type { Db } from "#core";
import { polledColumns, polledTables, type PolledDevice } from "#headend/exchanges";

/** Devices whose slot has come, oldest first, locked for this planner; another one takes the next. Index device_state_due. */
export async function dueDevices(db: Db, now: number, limit: number): Promise<PolledDevice[]> {
  const { rows } = await sql<PolledDevice>`
    select ${polledColumns} from ${polledTables} where s.next_poll_at <= ${now}
    order by s.next_poll_at limit ${limit} for update of s skip locked`.execute(db);
  return rows;
}

/** Devices that have no slot yet; index device_state_unplanned. */
export async function unplannedDevices(
  db: Db,
  limit: number,
): Promise<{ id: number; modelId: number; hasLine: boolean }[]> {
  const { rows } = await sql<{ id: number; modelId: number; hasLine: boolean }>`
    select d.id, d.model_id as "modelId", (d.gateway_id is not null or d.properties ?| array['host', 'serial']) as "hasLine"
    from device_state s join device d on d.id = s.device_id where s.next_poll_at is null
    limit ${limit} for update of s skip locked`.execute(db);
  return rows;
}

export async function setSlots(db: Db, slots: readonly { id: number; at: number }[]): Promise<void> {
  await sql`
    update device_state set next_poll_at = slot.at
    from unnest(${slots.map(({ id }) => id)}::int[], ${slots.map(({ at }) => at)}::bigint[]) as slot (id, at)
    where device_id = slot.id`.execute(db);
}

/** After the clock was set back: slots that are farther away than any plan puts them come near again. */
export async function pullSlotsNear(db: Db, now: number, slowestSec: number, never: number): Promise<void> {
  await sql`
    update device_state s
    set next_poll_at = ${now}::bigint + (s.next_poll_at - ${now}::bigint) % d.report_period_update
    from device d where d.id = s.device_id and s.next_poll_at < ${never}::bigint
      and s.next_poll_at > ${now}::bigint + 2 * greatest(d.report_period_update, ${slowestSec}::int)`.execute(
    db,
  );
}

/** The line is back: whoever was left out because of it is asked soon instead of at the end of its pause. */
export async function hurrySilent(db: Db, gatewayId: number, now: number): Promise<void> {
  await sql`
    update device_state s set next_poll_at = ${now}::bigint + 1 + s.device_id % 10
    from device d where d.id = s.device_id and d.gateway_id = ${gatewayId} and s.poll_failures > 0
      and s.next_poll_at > ${now}::bigint + 15`.execute(db);
}

/** Processes that hold these lines. */
export async function holdersOf(db: Db, lines: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (lines.length === 0) return new Map();
  const { rows } = await sql<{ line: string; process_id: number }>`
    select line, process_id from line_holder where line = any(${[...lines]}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.line, row.process_id]));
}

export interface LineJob {
  /** Name of the work: of the process that holds the line, or of any. */
  readonly task: string;
  readonly payload: object;
  readonly line: string;
  /** A job of the same key that has not begun is replaced. */
  readonly key: string;
  readonly priority: number;
}

/** Jobs of one line run one after another, whoever runs them: the queue is named by the line. */
export async function addJobs(db: Db, jobs: readonly LineJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await sql`
    select graphile_worker.add_jobs(array(
      select row(job.task, job.payload::json, 'line:' || job.line, now(), 3, job.key, job.priority, null)::graphile_worker.job_spec
      from unnest(${jobs.map((job) => job.task)}::text[], ${jobs.map((job) => JSON.stringify(job.payload))}::text[],
        ${jobs.map((job) => job.line)}::text[], ${jobs.map((job) => job.key)}::text[],
        ${jobs.map((job) => job.priority)}::smallint[]) as job (task, payload, line, key, priority)
    ))`.execute(db);
}
