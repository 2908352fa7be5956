import { exchangeKinds, pollResults, type ExchangeKind, type PollResult } from "@metrum/contract";
import { sql } from "kysely";
import type { Db } from "#core";
import type { LoggedStep } from "./exchange.ts";

/** Days that exchanges are kept. */
const keptDays = 30;

export interface ExchangeRow {
  readonly deviceId: number;
  readonly startedMs: number;
  readonly receivedAt: number | null;
  readonly kind: ExchangeKind;
  readonly result: PollResult;
  readonly tries: number;
  readonly durationMs: number;
  readonly line: string;
  readonly readings: number;
  readonly message: string;
  readonly taskId: number | null;
  readonly steps: readonly LoggedStep[];
}

/**
 * Adds exchanges to the log in one statement. Two of one device that began in the same millisecond get neighbouring names.
 * Rows: one an exchange; table poll_log, by its primary key.
 */
export async function logExchanges(db: Db, rows: readonly ExchangeRow[]): Promise<void> {
  const taken = new Set<string>();
  let left: readonly ExchangeRow[] = rows.map((row) => ({ ...row, startedMs: free(row, taken) }));
  while (left.length > 0) {
    const added = await insertExchanges(db, left);
    left = left
      .filter((row) => !added.has(nameOf(row)))
      .map((row) => ({ ...row, startedMs: free({ ...row, startedMs: row.startedMs + 1 }, taken) }));
  }
  await forgetOld(db, rows);
}

const nameOf = ({ deviceId, startedMs }: ExchangeRow): string => `${deviceId}:${startedMs}`;

function free(row: ExchangeRow, taken: Set<string>): number {
  let { startedMs } = row;
  while (taken.has(nameOf({ ...row, startedMs }))) startedMs += 1;
  taken.add(nameOf({ ...row, startedMs }));
  return startedMs;
}

async function insertExchanges(db: Db, rows: readonly ExchangeRow[]): Promise<ReadonlySet<string>> {
  const { rows: added } = await sql<{ name: string }>`
    insert into poll_log (device_id, started_ms, received_at, kind, result, tries, duration_ms, line, readings,
      message, device_task_id, steps)
    select * from unnest(${rows.map((row) => row.deviceId)}::int[], ${rows.map((row) => row.startedMs)}::bigint[],
      ${rows.map((row) => row.receivedAt)}::bigint[], ${rows.map((row) => exchangeKinds[row.kind].id)}::smallint[],
      ${rows.map((row) => pollResults[row.result].id)}::smallint[], ${rows.map((row) => row.tries)}::smallint[],
      ${rows.map((row) => row.durationMs)}::int[], ${rows.map((row) => row.line)}::text[],
      ${rows.map((row) => row.readings)}::int[], ${rows.map((row) => row.message)}::text[],
      ${rows.map((row) => row.taskId)}::int[], ${rows.map((row) => JSON.stringify(row.steps))}::jsonb[])
    on conflict do nothing returning device_id || ':' || started_ms as name`.execute(db);
  return new Set(added.map(({ name }) => name));
}

/** Now and then, by the devices' own keys only, so that no sweep over the whole log is needed. */
async function forgetOld(db: Db, rows: readonly ExchangeRow[]): Promise<void> {
  const due = rows.filter((row) => row.startedMs % 97 === 0);
  if (due.length === 0) return;
  await sql`
    delete from poll_log using unnest(${due.map((row) => row.deviceId)}::int[],
      ${due.map((row) => row.startedMs - keptDays * 86_400_000)}::bigint[]) as old (device_id, before_ms)
    where poll_log.device_id = old.device_id and started_ms < old.before_ms`.execute(db);
}

/** Notes how the last poll ended. Nothing is written when nothing changed, which is the rule. */
export async function noteResult(db: Db, deviceIds: readonly number[], result: PollResult): Promise<void> {
  const { id } = pollResults[result];
  await sql`
    update device_state set last_poll_result = ${id},
      poll_failures = case when ${id} = 0 then 0 else least(poll_failures + 1, 1000) end
    where device_id = any(${[...deviceIds]}::int[])
      and (poll_failures > 0 or ${id} > 0 or last_poll_result is distinct from ${id})`.execute(db);
}
