import { pollResults, type ExchangeOutcome, type TaskLog } from "@metrum/contract/headend";
import { sql, type RawBuilder } from "kysely";
import type { Db, Scope } from "#core";
import type { LoggedStep } from "./exchange.ts";
import { unpackSteps } from "./steps.ts";

const daySec = 86_400;

export interface LogFilter {
  /** Devices of the company. */
  readonly device_ids: readonly number[];
  readonly id?: number | undefined;
  readonly device_task_id?: number | undefined;
  readonly type_id?: number | undefined;
  readonly result_code?: number | undefined;
  readonly outcome?: ExchangeOutcome | undefined;
  readonly start_date?: number | undefined;
  readonly stop_date?: number | undefined;
  readonly steps?: boolean | undefined;
}

export interface LogRow extends Omit<TaskLog, "steps"> {
  readonly steps: readonly LoggedStep[] | null;
}

interface PackedRow extends Omit<TaskLog, "steps"> {
  readonly steps: Buffer | null;
}

const ended: Readonly<Record<ExchangeOutcome, RawBuilder<boolean>>> = {
  retried: sql`tries > 1`,
  failed: sql`result <> ${pollResults.ok.id}`,
};

/** A single device is compared with `=`, so that the index also gives the order. */
function ofDevices(ids: readonly number[], { companyId }: Scope): RawBuilder<unknown> {
  const [id] = ids;
  return ids.length === 1
    ? sql`device_id = (select id from device where id = ${id} and company_id = ${companyId})`
    : sql`device_id in (select id from device where id = any(${[...ids]}::int[]) and company_id = ${companyId})`;
}

/**
 * A page of the exchanges of devices, newest first. Rows: those of the devices in the period, by primary
 * key. The log has no company column, so the ids must come from a query on `device`.
 */
export async function logPage(
  { db, scope }: { readonly db: Db; readonly scope: Scope },
  filter: LogFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: LogRow[]; total: number; counts: Record<ExchangeOutcome, number> }> {
  const conditions = [
    ofDevices(filter.device_ids, scope),
    ...(filter.id === undefined ? [] : [sql`started_ms = ${filter.id}`]),
    ...(filter.device_task_id === undefined ? [] : [sql`device_task_id = ${filter.device_task_id}`]),
    ...(filter.type_id === undefined ? [] : [sql`kind = ${filter.type_id}`]),
    ...(filter.result_code === undefined ? [] : [sql`result = ${filter.result_code}`]),
    ...(filter.start_date === undefined
      ? [] // A row may count failures until the end of its day.
      : [
          sql`started_ms >= ${(filter.start_date - daySec) * 1000}`,
          sql`coalesce(last_ms, started_ms) >= ${filter.start_date * 1000}`,
        ]),
    ...(filter.stop_date === undefined ? [] : [sql`started_ms < ${(filter.stop_date + 1) * 1000}`]),
  ];
  const where = sql.join(conditions, sql` and `);
  const isWanted = filter.outcome === undefined ? sql`true` : ended[filter.outcome];
  const steps = filter.steps === true || filter.id !== undefined ? sql`steps` : sql`null::bytea`;
  const { rows } = await sql<PackedRow>`
    select started_ms as id, device_task_id, device_id, kind as type_id, result as result_code, message,
      started_ms / 1000 as created_at, received_at, duration_ms, tries, readings, line, repeats,
      coalesce(last_ms, started_ms) / 1000 as last_at, ${steps} as steps
    from poll_log where ${where} and ${isWanted} order by started_ms desc limit ${page.limit} offset ${page.offset}`.execute(
    db,
  );
  const { rows: counted } = await sql<Record<ExchangeOutcome | "total", number>>`
    select count(*) filter (where ${isWanted})::int as total,
      count(*) filter (where ${ended.retried})::int as retried, count(*) filter (where ${ended.failed})::int as failed
    from poll_log where ${where}`.execute(db);
  const { total = 0, retried = 0, failed = 0 } = counted[0] ?? {};
  return {
    rows: rows.map((row) => ({ ...row, steps: row.steps && unpackSteps(row.steps) })),
    total,
    counts: { retried, failed },
  };
}
