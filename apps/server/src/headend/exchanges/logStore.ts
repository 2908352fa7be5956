import { exchangeKinds, pollResults, type ExchangeKind, type PollResult } from "@metrum/contract/headend";
import { sql } from "kysely";
import type { Db } from "#core";
import type { LoggedStep } from "./exchange.ts";
import { packSteps } from "./steps.ts";

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
 * Adds exchanges to the log in one statement. Two of one device that began in the same millisecond get
 * consecutive keys. A failure equal to the newest row of its device is counted there, with a new row each
 * day: a device that is silent for years does not fill the disk. Rows: one per exchange; table poll_log, by
 * its primary key.
 */
export async function logExchanges(db: Db, rows: readonly ExchangeRow[]): Promise<void> {
  const repeated = await countRepeats(db, rows);
  let left: readonly ExchangeRow[] = rows.filter((row) => !repeated.has(row));
  while (left.length > 0) left = await addExchanges(db, left);
}

/**
 * Adds exchanges that count no failure; returns those whose keys were taken, with later ones, to be added again. One
 * statement.
 */
export async function addExchanges(db: Db, rows: readonly ExchangeRow[]): Promise<readonly ExchangeRow[]> {
  if (rows.length === 0) return [];
  const taken = new Set<string>();
  const named = rows.map((row) => ({ ...row, startedMs: free(row, taken) }));
  const added = await insertExchanges(db, named);
  return named
    .filter((row) => !added.has(nameOf(row)))
    .map((row) => ({ ...row, startedMs: free({ ...row, startedMs: row.startedMs + 1 }, taken) }));
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
      ${rows.map((row) => row.taskId)}::int[], ${rows.map((row) => packSteps(row.steps))}::bytea[])
    on conflict do nothing returning device_id || ':' || started_ms as name`.execute(db);
  return new Set(added.map(({ name }) => name));
}

const dayMs = 86_400_000;

/**
 * A failed scheduled poll without readings: no caller waits for it, and its bytes add nothing to those of the
 * previous one.
 */
const mayRepeat = (row: ExchangeRow): boolean =>
  row.kind === "poll" && row.result !== "ok" && row.receivedAt === null && row.taskId === null;

/**
 * Counts failures that repeat the newest row of their device of the same day (UTC); returns the counted ones.
 * Rows: the newest of each device, by the primary key of poll_log.
 */
async function countRepeats(db: Db, rows: readonly ExchangeRow[]): Promise<ReadonlySet<ExchangeRow>> {
  const failed = new Map<number, ExchangeRow>();
  for (const row of rows) if (mayRepeat(row)) failed.set(row.deviceId, row);
  if (failed.size === 0) return new Set();
  const failures = [...failed.values()];
  const { rows: counted } = await sql<{ id: number }>`
    update poll_log l set repeats = l.repeats + 1, last_ms = greatest(l.last_ms, f.started_ms)
    from unnest(${failures.map((row) => row.deviceId)}::int[], ${failures.map((row) => row.startedMs)}::bigint[],
        ${failures.map((row) => row.startedMs - (row.startedMs % dayMs))}::bigint[],
        ${failures.map((row) => pollResults[row.result].id)}::smallint[], ${failures.map((row) => row.line)}::text[],
        ${failures.map((row) => row.message)}::text[])
      as f (device_id, started_ms, day_ms, result, line, message)
    where l.device_id = f.device_id and l.kind = ${exchangeKinds.poll.id} and l.result = f.result and l.line = f.line
      and l.message = f.message and l.device_task_id is null and l.received_at is null
      and l.started_ms = (
        select newest.started_ms from poll_log newest
        where newest.device_id = f.device_id and newest.started_ms between f.day_ms and f.started_ms
        order by newest.started_ms desc limit 1)
    returning l.device_id as id`.execute(db);
  return new Set(counted.flatMap(({ id }) => failed.get(id) ?? []));
}
