import type { AccountingPointId, CompanyId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db, Scope } from "#core";
import type { PeriodId } from "./tables.ts";

/** A span of a point: `from` inclusive, `to` exclusive, null: without end; `zone` is that of the point. */
export interface PointSpan {
  readonly from: number;
  readonly to: number | null;
  readonly zone: string;
}

/** A closed period as a span of the zone that was asked for. */
export interface ClosedSpan {
  readonly period_id: PeriodId;
  readonly from_day: string;
  readonly to_day: string;
  /** The newest stored one, which is billed. */
  readonly version: number;
  readonly from: number;
  readonly to: number;
}

/** Closed periods that a span touches, in order. Index: exclusion constraint of settlement_period. */
export async function closedSpans(
  db: Db,
  companyId: CompanyId,
  { from, to, zone }: PointSpan,
): Promise<ClosedSpan[]> {
  const { rows } = await sql<ClosedSpan>`
    select * from (
      select id as period_id, from_day::text, to_day::text, version,
        extract(epoch from from_day::timestamp at time zone ${zone}::text)::float8 as "from",
        extract(epoch from (to_day + 1)::timestamp at time zone ${zone}::text)::float8 as "to"
      from settlement_period where company_id = ${companyId}::int and state = 'closed'
    ) closed
    where "to" > ${from}::float8 and (${to}::float8 is null or "from" < ${to}::float8)
    order by "from"`.execute(db);
  return rows;
}

/** A total of the newest version of a closed period; amounts are exact decimals. */
export interface BilledTotal {
  readonly point_id: AccountingPointId;
  readonly period_id: PeriodId;
  readonly version: number;
  readonly amount: string | null;
  /** Part of it that a gap brings which began in a closed period before. */
  readonly carried: string;
  readonly estimated: string;
  /** Null: no share of losses held, or the version was stored before losses were. */
  readonly loss: string | null;
  readonly length_sec: number;
  readonly covered_sec: number;
  readonly start_value: number | null;
  readonly end_value: number | null;
  readonly flags: number;
  readonly status: number | null;
}

/** Totals of points in the closed period of exactly these days; null if there is none. Primary key of period_total. */
export async function billedRows(
  db: Db,
  companyId: CompanyId,
  of: {
    readonly from_day: string;
    readonly to_day: string;
    readonly points: readonly AccountingPointId[];
    readonly field: string;
  },
): Promise<BilledTotal[] | null> {
  const period = await db
    .selectFrom("settlement_period")
    .select(["id", "version"])
    .where("company_id", "=", companyId)
    .where("from_day", "=", of.from_day)
    .where("to_day", "=", of.to_day)
    .where("state", "=", "closed")
    .executeTakeFirst();
  if (!period) return null;
  const { rows } = await sql<BilledTotal>`
    select point_id, period_id, version, amount::text, trim_scale(carried)::text as carried, estimated::text,
      trim_scale(loss)::text as loss, length_sec, covered_sec, start_value, end_value, flags, status
    from period_total
    where period_id = ${period.id}::int and version = ${period.version}::int and field = ${of.field}
      and point_id = any(${[...of.points]}::int[])`.execute(db);
  return rows;
}

/** Any number: the first of the pair of an advisory lock, with the company as the second. */
const periodLock = 1_040_104;

/** Closings, corrections and openings of a company follow one another. */
export async function lockPeriods(db: Db, { companyId }: Pick<Scope, "companyId">): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(periodLock)}, ${companyId}::int)`.execute(db);
}

/** Until the end of the transaction no period of the company is closed: what was seen to be open stays so. */
export async function holdPeriods(db: Db, { companyId }: Pick<Scope, "companyId">): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${sql.lit(periodLock)}, ${companyId}::int)`.execute(db);
}
