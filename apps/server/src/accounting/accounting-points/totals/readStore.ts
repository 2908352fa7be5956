import { statuses, type AccountingPointId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import { startOfDay, type Db } from "#core";
import { isCarried } from "./carriedStore.ts";
import { expectedSec } from "./expectedStore.ts";

/** Days of the calendar of each point, `2026-03-01`, both inclusive. */
export interface DaySpan {
  readonly fromDay: string;
  readonly toDay: string;
}

/** Days of one register of points. */
export interface RegisterDays extends DaySpan {
  readonly pointIds: readonly AccountingPointId[];
  readonly field: string;
}

/** Consumption of a point in a period. */
export interface PointTotal {
  readonly pointId: AccountingPointId;
  /** Exact decimal in the unit of the point, ratio included, losses not; null: nothing is known. */
  readonly amount: string | null;
  /** Part of it that rests on estimated or added values; exact. */
  readonly estimated: string;
  /** Seconds that the amount covers, of those of the period: less means that something is missing. */
  readonly coveredSec: number;
  readonly lengthSec: number;
  /** Bits of `dayFlags`. */
  readonly flags: number;
  /** The most severe status of the values it rests on. */
  readonly status: number | null;
  /** The first and the last known register of the period, as the devices show it. */
  readonly firstRegister: number | null;
  readonly lastRegister: number | null;
}

/** Status ids by severity, as `worstStatus` of messages orders them. */
const severity = [
  statuses.suspect.id,
  statuses.rejected.id,
  statuses.estimated.id,
  statuses.late.id,
  statuses.measured.id,
  statuses.manual.id,
  statuses.corrected.id,
];
const among = sql`bit_or(1 << d.status)`;
const worst = sql`case ${sql.join(
  severity.map((id) => sql`when ${among} & ${sql.lit(1 << id)} <> 0 then ${sql.lit(id)}::int2`),
  sql` `,
)} end`;

interface AmountRow {
  readonly amount: string | null;
  readonly carried: string;
  readonly estimated: string;
  readonly covered: number;
}

interface SumRow extends AmountRow {
  readonly flags: number;
  readonly status: number | null;
  readonly first: number | null;
  readonly last: number | null;
}

/** What a sum counts of the gap of a day `d`. */
export interface CountedGaps {
  /** The gap lies within the period. */
  readonly isInside: RawBuilder<unknown>;
  /** It is billed here although it began before `from`, epoch seconds. */
  readonly carried?: { readonly is: RawBuilder<unknown>; readonly from: RawBuilder<unknown> };
}

/** Columns of a sum over days `d`: its amount, and the time that this covers. */
export function amountSums({ isInside, carried }: CountedGaps): RawBuilder<AmountRow> {
  const isCarried = carried?.is ?? sql`false`;
  const isCounted = sql`(${isInside} or ${isCarried})`;
  const since = carried ? sql`greatest(d.gap_from, ${carried.from})` : sql`d.gap_from`;
  return sql`
  trim_scale(case when count(d.amount) + count(d.gap_amount) filter (where ${isCounted}) = 0 then null
    else coalesce(sum(d.amount), 0) + coalesce(sum(d.gap_amount) filter (where ${isCounted}), 0) end)::text as amount,
  trim_scale(coalesce(sum(d.gap_amount) filter (where ${isCarried}), 0))::text as carried,
  trim_scale(coalesce(sum(d.estimated), 0) + coalesce(sum(d.gap_estimated) filter (where ${isCounted}), 0))::text
    as estimated,
  (coalesce(sum(d.known_sec), 0) + coalesce(sum(d.gap_sec) filter (where ${isInside}), 0)
    + coalesce(sum(d.gap_from + d.gap_sec - ${since}) filter (where ${isCarried}), 0))::float8 as covered`;
}

/** Columns of a sum over days `d`, for every total. */
export const sums = (gaps: CountedGaps): RawBuilder<SumRow> => sql`
  ${amountSums(gaps)},
  coalesce(bit_or(d.flags), 0) as flags, ${worst} as status,
  (array_agg(d.start_value order by d.day) filter (where d.start_value is not null))[1] as first,
  (array_agg(d.end_value order by d.day) filter (where d.end_value is not null))[count(d.end_value)] as last`;

/**
 * Consumption of points in a period, in the order of their ids; a point without known days has a null amount. The
 * ids come from a query on accounting_point. Rows: one a point and day, by the primary key of point_day.
 */
export async function totalsOfPoints(
  db: Db,
  given: DaySpan & { readonly pointIds: readonly AccountingPointId[]; readonly field?: string },
): Promise<PointTotal[]> {
  const { pointIds, field = "main", fromDay, toDay } = given;
  const { rows } = await totalsQuery({ pointIds, field, fromDay, toDay }).execute(db);
  const lengthOf = lengths({ fromDay, toDay });
  return rows.map((row) => ({
    pointId: row.id,
    ...totalOf(row, lengthOf(row.timezone)),
  }));
}

interface TotalRow extends SumRow {
  readonly id: AccountingPointId;
  readonly timezone: string;
}

/** The statement of `totalsOfPoints`, exported for the test of its plan. */
export function totalsQuery({ pointIds, field, fromDay, toDay }: RegisterDays): RawBuilder<TotalRow> {
  return sql<TotalRow>`
    select p.id, p.timezone, t.* from accounting_point p cross join lateral (
      select ${sums({ isInside: sql`d.gap_day >= ${fromDay}::date` })} from point_day d
      where d.point_id = p.id and d.field = ${field} and d.day >= ${fromDay}::date and d.day <= ${toDay}::date
    ) t where p.id = any(${[...pointIds]}::int4[]) order by p.id`;
}

const totalOf = (row: SumRow, lengthSec: number): Omit<PointTotal, "pointId"> => ({
  amount: row.amount,
  estimated: row.estimated,
  // An added amount may overlap a gap.
  coveredSec: Math.min(row.covered, lengthSec),
  lengthSec,
  flags: row.flags,
  status: row.status,
  firstRegister: row.first,
  lastRegister: row.last,
});

const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 86_400_000;

/** Seconds of a period by zone. */
function lengths({ fromDay, toDay }: DaySpan): (zone: string) => number {
  const known = new Map<string, number>();
  return (zone) => {
    const length =
      known.get(zone) ?? startOfDay(zone, dayNumber(toDay) + 1) - startOfDay(zone, dayNumber(fromDay));
    known.set(zone, length);
    return length;
  };
}

/** A day of a point; a day of which nothing is known has no row. */
export interface PointDay {
  readonly pointId: AccountingPointId;
  readonly field: string;
  readonly day: string;
  /** Known consumption within the day; exact. */
  readonly amount: string | null;
  /** Consumption since `gapFrom`, before the day, that no reading divides; exact. */
  readonly gapAmount: string | null;
  readonly gapFrom: number | null;
  readonly gapDay: string | null;
  readonly gapSec: number | null;
  readonly estimated: string;
  readonly gapEstimated: string;
  readonly lengthSec: number;
  readonly knownSec: number;
  readonly startValue: number | null;
  readonly endValue: number | null;
  readonly ratio: string | null;
  readonly status: number | null;
  readonly flags: number;
}

/**
 * Days of points, in the order of point, field and day. `fields`: default `main` only. Rows: one a point, field
 * and day, by the primary key of point_day; callers bound the product of both.
 */
export async function dayRowsOfPoints(
  db: Db,
  given: DaySpan & { readonly pointIds: readonly AccountingPointId[]; readonly fields?: readonly string[] },
): Promise<PointDay[]> {
  const { pointIds, fields = ["main"], fromDay, toDay } = given;
  const { rows } = await sql<PointDay>`
    select d.point_id as "pointId", d.field, d.day::text as day, trim_scale(d.amount)::text as amount,
      trim_scale(d.gap_amount)::text as "gapAmount", d.gap_from as "gapFrom", d.gap_day::text as "gapDay",
      d.gap_sec as "gapSec", trim_scale(d.estimated)::text as estimated,
      trim_scale(d.gap_estimated)::text as "gapEstimated", d.length_sec as "lengthSec", d.known_sec as "knownSec",
      d.start_value as "startValue", d.end_value as "endValue", trim_scale(d.ratio)::text as ratio, d.status, d.flags
    from point_day d
    where d.point_id = any(${[...pointIds]}::int4[]) and d.field = any(${[...fields]}::text[])
      and d.day >= ${fromDay}::date and d.day <= ${toDay}::date
    order by d.point_id, d.field, d.day`.execute(db);
  return rows;
}

/** Consumption of a point in a calendar month. */
export interface PointMonth extends Omit<PointTotal, "pointId"> {
  /** `2026-03`. */
  readonly month: string;
  /** Seconds of the month in which a device measures the point, or an amount stands for it. */
  readonly expectedSec: number;
  /** Part of the amount that a gap brings which began in a closed period before; exact. */
  readonly carried: string;
}

/**
 * Months of a point that have a day, oldest first, as they are billed; `2026-03`, both inclusive. Rows: 31 a month, by the primary key
 * of point_day.
 */
export async function monthsOfPoint(
  db: Db,
  given: {
    readonly pointId: AccountingPointId;
    readonly field?: string;
    readonly fromMonth: string;
    readonly toMonth: string;
  },
): Promise<PointMonth[]> {
  const { pointId, field = "main", fromMonth, toMonth } = given;
  const at = (day: RawBuilder<unknown>) =>
    sql`extract(epoch from ${day}::timestamp at time zone m.timezone)::bigint`;
  const month = sql`date_trunc('month', d.day)::date`;
  const span = { from: at(sql`m.first_day`), to: at(sql`(m.first_day + interval '1 month')`) };
  const { rows } = await sql<
    SumRow & { readonly month: string; readonly timezone: string; expected: number }
  >`
    select m.*, ${expectedSec({ point: sql`${pointId}::int4`, ...span })} as expected from (
      select to_char(d.day, 'YYYY-MM') as month, date_trunc('month', d.day)::date as first_day, p.timezone,
        ${sums({ isInside: sql`d.gap_day >= ${month}`, carried: { is: isCarried(month), from: sql`extract(epoch from ${month}::timestamp at time zone p.timezone)` } })}
      from point_day d join accounting_point p on p.id = d.point_id
      where d.point_id = ${pointId}::int4 and d.field = ${field} and d.day >= ${`${fromMonth}-01`}::date
        and d.day < ${`${toMonth}-01`}::date + interval '1 month'
      group by 1, 2, 3
    ) m order by m.month`.execute(db);
  return rows.map((row) => ({
    month: row.month,
    expectedSec: row.expected,
    carried: row.carried,
    ...totalOf(row, monthLength(row.timezone, row.month)),
  }));
}

function monthLength(zone: string, month: string): number {
  const [year = 1970, number = 1] = month.split("-").map(Number);
  const at = (index: number): number => startOfDay(zone, Date.UTC(year, index, 1) / 86_400_000);
  return at(number) - at(number - 1);
}

/** Registers of a point that have days, `main` first. Rows: one a register, by the primary key of point_day. */
export async function registersOfPoint(db: Db, pointId: AccountingPointId): Promise<string[]> {
  const { rows } = await sql<{ field: string }>`
    with recursive r(field) as (
      (select field from point_day where point_id = ${pointId}::int4 order by field limit 1)
      union all
      select (select d.field from point_day d where d.point_id = ${pointId}::int4 and d.field > r.field
        order by d.field limit 1) from r where r.field is not null
    ) select field from r where field is not null order by field <> 'main', field`.execute(db);
  return rows.map(({ field }) => field);
}
