import { sql } from "kysely";
import type { Db } from "#core";
import { openColumns, type OpenCommand } from "../openStore.ts";

/** Commands that were not sent in time, locked. */
export async function overdue(db: Db, now: number, limit: number): Promise<OpenCommand[]> {
  const { rows } = await sql<OpenCommand>`
    select ${openColumns} from device_command c where c.state = 'queued' and c.expires_at <= ${now}
    order by c.id limit ${limit} for update skip locked`.execute(db);
  return rows;
}

/** A command being sent for longer than any dialogue has lost its job. */
const lostAfterSec = 900;

/** Commands whose process ended while they were sent, locked. */
export async function lost(db: Db, now: number, limit: number): Promise<OpenCommand[]> {
  const { rows } = await sql<OpenCommand>`
    select ${openColumns} from device_command c
    where c.state = 'sending' and c.order_id is null and (c.sent_at < ${now - lostAfterSec}
      or not exists (select from process where process.id = c.process_id))
    order by c.id limit ${limit} for update skip locked`.execute(db);
  return rows;
}

/** Condition: a command `f` counts as a failure of its task. What a device never confirms is none. */
const hasFailed = sql`f.state in ('failed', 'unknown', 'expired') and coalesce(f.message_code, '') not in ('handed_over', 'on_air')`;

/** Commands that were not sent, of tasks that stop after a number of failures; locked. */
export async function stopped(db: Db, _now: number, limit: number): Promise<OpenCommand[]> {
  const { rows } = await sql<OpenCommand>`
    select ${openColumns} from device_command c
    join command_request r on r.task_id = c.task_id
    where c.state = 'queued' and r.stop_after is not null and r.stop_after <= (
      select count(*) from device_command f where f.task_id = c.task_id and ${hasFailed})
    order by c.id limit ${limit} for update of c skip locked`.execute(db);
  return rows;
}

/** Of tasks, those that stop after a number of failures and have as many. Index device_command_task. */
export async function stoppedAmong(db: Db, taskIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (taskIds.length === 0) return new Set();
  const { rows } = await sql<{ id: number }>`
    select r.task_id as id from command_request r where r.task_id = any(${[...taskIds]}::int[]) and r.stop_after <= (
      select count(*) from device_command f where f.task_id = r.task_id and ${hasFailed})`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
