import { consumptionBounds } from "@metrum/contract/accounting";
import type { AccountingPointId, ObjectId } from "@metrum/vocabulary";
import { sql, type RawBuilder, type SqlBool } from "kysely";
import { dayText, startOfDay, visiblePoints, type Db, type Scope } from "#core";
import { amountSums, expectedSec, isCarried } from "#accounting/accounting-points";
import type { BranchPeriod, Days } from "./branchPeriod.ts";

export interface CountedPoint {
  readonly id: AccountingPointId;
  readonly type: number;
  readonly timezone: string;
}

/**
 * Points at a node that came through `resolve` and below it, one more than a calculation takes at most. Rows: of the
 * branch, by object_node_children and accounting_point_of_object.
 */
export async function countedPointsOf(db: Db, scope: Scope, object: ObjectId): Promise<CountedPoint[]> {
  const { rows } = await sql<CountedPoint>`
    select p.id, p.resource_type_id as type, p.timezone
    from object_branch(array[${object}::int]) b join accounting_point p on p.object_id = b
    where ${visiblePoints(scope)}
    order by p.id limit ${consumptionBounds.points + 1}`.execute(db);
  return rows;
}

/** Moments between which a span of days lies in the zone of a point, `to` exclusive. */
export interface Moments {
  readonly from: number;
  readonly to: number;
}

/** A point with the period and the one before in its zone. */
export interface MeasuredPoint extends CountedPoint {
  readonly now: Moments;
  readonly before: Moments;
}

export interface TypeSum {
  readonly type: number;
  readonly amount: string | null;
  readonly estimated: string;
  readonly point_count: number;
  readonly whole_count: number;
  readonly compared_count: number;
  /** Of the compared points. */
  readonly compared: string | null;
  readonly before: string | null;
}

const within = ({ from, to }: Days) => sql`d.day between ${dayText(from)}::date and ${dayText(to)}::date`;

/**
 * Sums of a span of days that begins at `first` (date). A gap counts where all of it lies in the span, and in a span of
 * months also where the month in which it ends bills it although it began before.
 */
const sumsSince = (first: RawBuilder<unknown>, isOfMonths: boolean): RawBuilder<unknown> => {
  const isInside = sql`d.gap_day >= ${first}`;
  if (!isOfMonths) return amountSums({ isInside });
  const isOfItsMonth = isCarried(sql`date_trunc('month', d.day)::date`);
  const carried = {
    is: sql`(case when d.gap_day < ${first} then ${isOfItsMonth} else false end)`,
    from: sql`extract(epoch from ${first}::timestamp at time zone p.timezone)`,
  };
  return amountSums({ isInside, carried });
};

/** Sums by point. */
const byPoint = (
  ids: readonly AccountingPointId[],
  days: Days,
  { isOfMonths }: Pick<BranchPeriod, "isOfMonths">,
): RawBuilder<unknown> => sql`
  select d.point_id, ${sumsSince(sql`${dayText(days.from)}::date`, isOfMonths)}
  from point_day d join accounting_point p on p.id = d.point_id
  where d.point_id = any(${[...ids]}::int[]) and d.field = 'main' and ${within(days)}
  group by d.point_id`;

/**
 * Condition: all that is expected of the point in the span is known: of a point that ever had a device, the time that
 * `expectedSec` tells, of another all of it.
 */
const isAllExpected = (of: {
  readonly point: RawBuilder<unknown>;
  readonly from: RawBuilder<unknown>;
  readonly to: RawBuilder<unknown>;
  readonly covered: RawBuilder<unknown>;
}): RawBuilder<SqlBool> => sql<SqlBool>`case when ${of.covered} >= ${of.to} - ${of.from} then true
  else exists (select from point_device where point_id = ${of.point}) and coalesce(${of.covered}, 0) >= ${expectedSec(of)} end`;

/**
 * Consumption by type of point. Rows: one a point and day of both spans, by the primary key of point_day. The points
 * come from `countedPointsOf`.
 */
export async function sumsByType(
  db: Db,
  points: readonly MeasuredPoint[],
  period: BranchPeriod,
): Promise<TypeSum[]> {
  const { now, before } = period;
  const ids = points.map(({ id }) => id);
  const span = { from: sql`a.from_ts`, to: sql`a.to_ts` };
  const isWhole = isAllExpected({ point: sql`a.id`, ...span, covered: sql`n.covered` });
  const isCompared = sql`n.covered >= a.to_ts - a.from_ts and b.covered >= a.before_to - a.before_from`;
  const { rows } = await sql<TypeSum>`
    with asked as (
      select * from unnest(${ids}::int[], ${points.map(({ type }) => type)}::int[],
        ${points.map(({ now: { from } }) => from)}::int8[], ${points.map(({ now: { to } }) => to)}::int8[],
        ${points.map((point) => point.before.from)}::int8[], ${points.map((point) => point.before.to)}::int8[])
        as a(id, type, from_ts, to_ts, before_from, before_to)
    ), n as (${byPoint(ids, now, period)}), b as (${byPoint(ids, before, period)})
    select a.type, trim_scale(sum(n.amount::numeric))::text as amount,
      trim_scale(coalesce(sum(n.estimated::numeric), 0))::text as estimated, count(*)::int as point_count,
      (count(*) filter (where ${isWhole}))::int as whole_count,
      (count(*) filter (where ${isCompared}))::int as compared_count,
      trim_scale(sum(n.amount::numeric) filter (where ${isCompared}))::text as compared,
      trim_scale(sum(b.amount::numeric) filter (where ${isCompared}))::text as before
    from asked a left join n on n.point_id = a.id left join b on b.point_id = a.id
    group by a.type order by a.type`.execute(db);
  return rows;
}

export interface PartSum {
  readonly type: number;
  readonly day: string;
  readonly amount: string | null;
  readonly whole_count: number;
}

/** The same by part of the period, whose first days are given; a part of which nothing is known has no row. */
export async function partsByType(
  db: Db,
  points: readonly CountedPoint[],
  { period: { now, step }, days }: { readonly period: BranchPeriod; readonly days: readonly string[] },
): Promise<PartSum[]> {
  const ids = points.map(({ id }) => id);
  const start = sql`date_trunc(${step}, d.day)::date`;
  const bounds = boundsOf(new Set(points.map(({ timezone }) => timezone)), { days, last: now.to });
  const isWhole = isAllExpected({
    point: sql`s.point_id`,
    ...{ from: sql`b.from_ts`, to: sql`b.to_ts`, covered: sql`s.covered` },
  });
  const { rows } = await sql<PartSum>`
    with asked as (
      select * from unnest(${ids}::int[], ${points.map(({ type }) => type)}::int[],
        ${points.map(({ timezone }) => timezone)}::text[]) as a(id, type, timezone)
    ), bounds as (
      select * from unnest(${bounds.map(({ zone }) => zone)}::text[], ${bounds.map(({ day }) => day)}::date[],
        ${bounds.map(({ from }) => from)}::int8[], ${bounds.map(({ to }) => to)}::int8[]) as b(timezone, part, from_ts, to_ts)
    ), by_point as (
      select d.point_id, ${start} as part, ${sumsSince(start, step === "month")}
      from point_day d join accounting_point p on p.id = d.point_id
      where d.point_id = any(${ids}::int[]) and d.field = 'main' and ${within(now)}
      group by d.point_id, part
    )
    select a.type, s.part::text as day, trim_scale(sum(s.amount::numeric))::text as amount,
      (count(*) filter (where ${isWhole}))::int as whole_count
    from by_point s join asked a on a.id = s.point_id join bounds b on b.timezone = a.timezone and b.part = s.part
    group by a.type, s.part order by a.type, s.part`.execute(db);
  return rows;
}

/** Where each part lies in each zone: it ends with the next one, the last with the period. */
function boundsOf(
  zones: ReadonlySet<string>,
  { days, last }: { readonly days: readonly string[]; readonly last: number },
) {
  const numbers = days.map((day) => Date.parse(day) / 86_400_000);
  return [...zones].flatMap((zone) =>
    days.map((day, at) => ({
      ...{ zone, day },
      from: startOfDay(zone, numbers[at] ?? 0),
      to: startOfDay(zone, numbers[at + 1] ?? last + 1),
    })),
  );
}
