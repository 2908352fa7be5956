import { consumptionBounds } from "@metrum/contract";
import type { AccountingPointId, ObjectId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import { dayText, visiblePoints, type Db, type Scope } from "#core";
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

/** A point with the seconds of the period and of the one before in its zone. */
export interface MeasuredPoint extends CountedPoint {
  readonly length: number;
  readonly beforeLength: number;
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

/** Sums by point; the amount of a gap counts where all of it lies in the span. */
const byPoint = (ids: readonly AccountingPointId[], days: Days): RawBuilder<unknown> => {
  const isInside = sql`d.gap_day >= ${dayText(days.from)}::date`;
  return sql`select d.point_id,
      case when count(d.amount) + count(d.gap_amount) filter (where ${isInside}) > 0 then
        coalesce(sum(d.amount), 0) + coalesce(sum(d.gap_amount) filter (where ${isInside}), 0) end as amount,
      sum(d.estimated) + coalesce(sum(d.gap_estimated) filter (where ${isInside}), 0) as estimated,
      sum(d.known_sec) + coalesce(sum(d.gap_sec) filter (where ${isInside}), 0) as covered
    from point_day d where d.point_id = any(${[...ids]}::int[]) and d.field = 'main' and ${within(days)}
    group by d.point_id`;
};

/**
 * Consumption by type of point. Rows: one a point and day of both spans, by the primary key of point_day. The points
 * come from `countedPointsOf`.
 */
export async function sumsByType(
  db: Db,
  points: readonly MeasuredPoint[],
  { now, before }: BranchPeriod,
): Promise<TypeSum[]> {
  const ids = points.map(({ id }) => id);
  const isWhole = sql`n.covered >= a.length`;
  const isCompared = sql`n.covered >= a.length and b.covered >= a.before_length`;
  const { rows } = await sql<TypeSum>`
    with asked as (
      select * from unnest(${ids}::int[], ${points.map(({ type }) => type)}::int[],
        ${points.map(({ length }) => length)}::int[], ${points.map(({ beforeLength }) => beforeLength)}::int[])
        as a(id, type, length, before_length)
    ), n as (${byPoint(ids, now)}), b as (${byPoint(ids, before)})
    select a.type, trim_scale(sum(n.amount))::text as amount,
      trim_scale(coalesce(sum(n.estimated), 0))::text as estimated, count(*)::int as point_count,
      (count(*) filter (where ${isWhole}))::int as whole_count,
      (count(*) filter (where ${isCompared}))::int as compared_count,
      trim_scale(sum(n.amount) filter (where ${isCompared}))::text as compared,
      trim_scale(sum(b.amount) filter (where ${isCompared}))::text as before
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

/** The same by part of the period; a part of which nothing is known has no row. */
export async function partsByType(
  db: Db,
  points: readonly CountedPoint[],
  { now, step }: BranchPeriod,
): Promise<PartSum[]> {
  const ids = points.map(({ id }) => id);
  const start = sql`date_trunc(${step}, d.day)::date`;
  const end = sql`least(${dayText(now.to)}::date, (part + ${`1 ${step}`}::interval)::date - 1)`;
  const { rows } = await sql<PartSum>`
    with asked as (
      select * from unnest(${ids}::int[], ${points.map(({ type }) => type)}::int[]) as a(id, type)
    ), by_point as (
      select d.point_id, ${start} as part, count(*) as days, sum(d.length_sec) as length,
        case when count(d.amount) + count(d.gap_amount) filter (where d.gap_day >= ${start}) > 0 then
          coalesce(sum(d.amount), 0) + coalesce(sum(d.gap_amount) filter (where d.gap_day >= ${start}), 0) end as amount,
        sum(d.known_sec) + coalesce(sum(d.gap_sec) filter (where d.gap_day >= ${start}), 0) as covered
      from point_day d where d.point_id = any(${ids}::int[]) and d.field = 'main' and ${within(now)}
      group by d.point_id, part
    )
    select a.type, part::text as day, trim_scale(sum(amount))::text as amount,
      (count(*) filter (where covered >= length and days = ${end} - part + 1))::int as whole_count
    from by_point join asked a on a.id = point_id group by a.type, part order by a.type, part`.execute(db);
  return rows;
}
