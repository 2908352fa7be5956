import type { AccountingPointId, CompanyId } from "@metrum/vocabulary";
import { sql, type RawBuilder, type SqlBool } from "kysely";
import { visiblePoints, type Db, type Scope } from "#core";
import { daySums, expectedSec, isCarried } from "#accounting/accounting-points";

/** Calendar days, both inclusive. */
export interface Days {
  readonly from_day: string;
  readonly to_day: string;
}

/** Days of which each point counts those that are over in its own zone at an instant (epoch seconds). */
export interface CountedDays extends Days {
  /** Undefined: all of them. */
  readonly at?: number;
}

/** Points that a query is about: those of a session, or all of a company. */
export type Whose = Scope | CompanyId;

export const pointsOf = (whose: Whose): RawBuilder<SqlBool> =>
  visiblePoints(typeof whose === "number" ? { companyId: whose, onlyTiedDevices: false } : whose);

/**
 * Subquery: the present totals of a period, one row a point and register, from its days. A point belongs to the
 * period if it has days in it, or was measured before its end, or existed before its end without ever being
 * measured. It is to be covered while a device measures it: not before its first one, nor after its last one was
 * removed; without any, all of the time. A gap counts if it lies wholly in the period, or ends in it and began in a
 * closed one before (`isCarried`). The same rules as `monthsOfPoint`, for all registers at once and in one statement
 * with what is made of them. Rows: days of these points in the period, by primary key.
 */
export function liveTotals(whose: Whose, { from_day, to_day, at }: CountedDays): RawBuilder<unknown> {
  const first = sql`${from_day}::date`;
  // Of a point where the first day has not ended no day counts.
  const last =
    at === undefined
      ? sql`${to_day}::date`
      : sql`least(${to_day}::date, greatest(${first}, (to_timestamp(${at}::float8) at time zone timezone)::date) - 1)`;
  return sql`
    select s.id as point_id, coalesce(t.field, 'main') as field, s.name, s.resource_type_id, s.timezone,
      t.amount::numeric as amount, coalesce(t.carried::numeric, 0) as carried, coalesce(t.estimated::numeric, 0) as estimated,
      greatest(s.expected, least(coalesce(t.covered, 0), s.ends - s.starts))::int as length_sec,
      least(coalesce(t.covered, 0), s.ends - s.starts)::int as covered_sec,
      t.first as start_value, t.last as end_value, coalesce(t.flags, 0) as flags, t.status, t.computed_at, s.last_day
    from (
      select p.*, h.first as since, case when h.first is null then p.ends - p.starts
        else ${expectedSec({ point: sql`p.id`, from: sql`p.starts`, to: sql`p.ends` })} end as expected
      from (
        select p.id, p.name, p.resource_type_id, p.timezone, p.last_day, extract(epoch from p.created_at) as created,
          extract(epoch from ${first}::timestamp at time zone p.timezone)::bigint as starts,
          extract(epoch from (p.last_day + 1)::timestamp at time zone p.timezone)::bigint as ends
        from (select *, ${last} as last_day from accounting_point) p where ${pointsOf(whose)}
      ) p left join lateral (select min(from_ts) as first from point_device t where t.point_id = p.id) h on true
    ) s left join lateral (
      select d.field, max(d.computed_at) as computed_at,
        ${daySums({ isInside: sql`d.gap_day >= ${first}`, carried: { is: isCarried(first), from: sql`s.starts` } })}
      from point_day d where d.point_id = s.id and d.day between ${first} and s.last_day
      group by d.field
    ) t on true
    where t.field is not null or s.since < s.ends or (s.since is null and s.created < s.ends)`;
}

/** Losses of points, exact decimals. */
export type Losses = ReadonlyMap<AccountingPointId, string>;

/** Subquery: rows of totals with the losses of their points, which belong to the main registers. */
export const withLosses = (rows: RawBuilder<unknown>, losses: Losses): RawBuilder<unknown> => sql`
  (select t.*, l.loss from ${rows} t
    left join unnest(${[...losses.keys()]}::int[], ${[...losses.values()]}::numeric[]) as l (lossy, loss)
      on l.lossy = t.point_id and t.field = 'main')`;

/** Expression over rows of totals: SHA-256 of what is billed, in the order of points and registers. */
export const digestOf = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select encode(sha256(convert_to(coalesce(string_agg(concat_ws('|', point_id, field, resource_type_id, timezone,
    coalesce(trim_scale(amount)::text, '-'), trim_scale(estimated)::text, covered_sec, length_sec,
    coalesce(start_value::text, '-'), coalesce(end_value::text, '-'), flags, coalesce(status::text, '-'),
    trim_scale(nullif(carried, 0))::text, 'loss ' || trim_scale(loss)::text),
    E'\n' order by point_id, field), ''), 'UTF8')), 'hex') from ${rows} digested`;

/** Numbers of a set of totals; without_data is part of lacking. */
export interface TotalsSummary {
  readonly points: number;
  readonly lacking: number;
  readonly without_data: number;
  readonly estimated: number;
  readonly covered: number | null;
}

/** Condition on rows of totals: some of what is expected is missing. */
const isLacking = sql<SqlBool>`(covered_sec < length_sec or (amount is null and length_sec > 0))`;

/** A part of a time from 0 to 1, rounded down to six decimals: what lacks a second is not complete. */
export const share = (part: RawBuilder<unknown>, whole: RawBuilder<unknown>): RawBuilder<number | null> =>
  sql<number | null>`trunc((${part})::numeric / nullif(${whole}, 0), 6)::float8`;

/** Aggregates over rows of totals. A point counts once, by its main register. */
const isMain = sql`filter (where field = 'main')`;
export const summaryColumns = sql`
  count(*) ${isMain}::int as points,
  count(*) filter (where field = 'main' and ${isLacking})::int as lacking,
  count(*) filter (where field = 'main' and amount is null and length_sec > 0)::int as without_data,
  count(*) filter (where field = 'main' and estimated <> 0)::int as estimated,
  ${share(sql`sum(covered_sec::bigint) ${isMain}`, sql`sum(length_sec::bigint) ${isMain}`)} as covered`;

export async function liveSummary(db: Db, whose: Whose, days: CountedDays): Promise<TotalsSummary> {
  const { rows } = await sql<TotalsSummary>`
    select ${summaryColumns} from (${liveTotals(whose, days)}) live`.execute(db);
  return rows[0] ?? { points: 0, lacking: 0, without_data: 0, estimated: 0, covered: null };
}

export interface ResourceTotal {
  readonly resource_type_id: number;
  readonly points: number;
  readonly amount: number;
  readonly estimated: number;
  readonly loss: number;
}

export interface LivePreview extends TotalsSummary {
  readonly digest: string;
  readonly resources: ResourceTotal[];
  /** Epoch seconds at which the last day ends everywhere. */
  readonly ends: number | null;
  /** The last day that counts for every point; null: there is none. */
  readonly counted_to: string | null;
}

/** Epoch seconds at which the last day ends for every point with a total; null: there is none. */
export async function endOf(db: Db, whose: Whose, days: Days): Promise<number | null> {
  const { rows } = await sql<{ ends: number | null }>`
    select ${ends(days)} as ends from (${liveTotals(whose, days)}) live`.execute(db);
  return rows[0]?.ends ?? null;
}

const ends = ({ to_day }: Days): RawBuilder<unknown> =>
  sql`extract(epoch from max((${to_day}::date + 1)::timestamp at time zone timezone))::float8`;

/** All numbers of a preview in one statement, so that they belong to the same instant; their losses are given. */
export async function livePreview(
  db: Db,
  whose: Whose,
  { days, losses }: { readonly days: CountedDays; readonly losses: Losses },
): Promise<LivePreview> {
  const { rows } = await sql<LivePreview>`
    with live as materialized (${withLosses(sql`(${liveTotals(whose, days)})`, losses)})
    select ${summaryColumns}, (${digestOf(sql`live`)}) as digest,
      (select coalesce(json_agg(r order by r.resource_type_id), '[]') from (
        select resource_type_id, count(*)::int as points, coalesce(sum(amount), 0)::float8 as amount,
          sum(estimated)::float8 as estimated, coalesce(sum(loss), 0)::float8 as loss
        from live where field = 'main' group by 1) r) as resources,
      ${ends(days)} as ends, min(last_day)::text as counted_to
    from live`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("an aggregate has one row");
  return row;
}

export interface IncompleteRow {
  readonly point_id: number;
  readonly name: string;
  readonly resource_type_id: number;
  readonly covered: number;
  readonly has_amount: boolean;
  readonly estimated: number;
}

/** Points of a period that lack data, worst first. */
export async function incompletePoints(
  db: Db,
  whose: Whose,
  days: CountedDays,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<IncompleteRow[]> {
  const { rows } = await sql<IncompleteRow>`
    select point_id, name, resource_type_id, ${share(sql`covered_sec`, sql`length_sec`)} as covered,
      amount is not null as has_amount, estimated::float8 as estimated
    from (${liveTotals(whose, days)}) live
    where field = 'main' and ${isLacking}
    order by (amount is not null), covered_sec::float8 / nullif(length_sec, 0), lower(name), point_id
    limit ${limit}::int offset ${offset}::int`.execute(db);
  return rows;
}
