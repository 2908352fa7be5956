import type { TotalChange } from "@metrum/contract/accounting";
import { sql, type RawBuilder, type SqlBool } from "kysely";
import { containing, type Db, type Scope } from "#core";
import {
  digestOf,
  liveTotals,
  pointsOf,
  share,
  summaryColumns,
  withLosses,
  type Days,
  type Losses,
  type ResourceTotal,
  type TotalsSummary,
  type Whose,
} from "./liveStore.ts";
import type { PeriodId } from "#accounting/closed-periods";

export interface PeriodRow extends Days {
  readonly id: PeriodId;
  readonly state: "open" | "closed";
  readonly version: number;
  readonly closed_at: number | null;
  readonly closed_by: string | null;
  readonly reopened_at: number | null;
  readonly reopened_by: string | null;
  readonly reopen_reason: string | null;
  readonly differing: number;
  readonly is_stale: boolean;
}

/** Periods of the company, those of some first days, or the one of an id. Index: exclusion constraint. */
export async function periodsOf(
  db: Db,
  { companyId }: Scope,
  of: { readonly from_days: readonly string[] } | { readonly id: PeriodId },
): Promise<PeriodRow[]> {
  const which = "id" in of ? sql`s.id = ${of.id}::int` : sql`s.from_day = any(${[...of.from_days]}::date[])`;
  const { rows } = await sql<PeriodRow>`
    select s.id, s.from_day::text, s.to_day::text, s.state, s.version, s.closed_at::float8, c.name as closed_by,
      s.reopened_at::float8, r.name as reopened_by, s.reopen_reason, s.differing, s.is_stale
    from settlement_period s left join users c on c.id = s.closed_by left join users r on r.id = s.reopened_by
    where s.company_id = ${companyId}::int and ${which}`.execute(db);
  return rows;
}

/** The first day of the first month with a measurement, a day or a period; null: there is none. */
export async function firstDay(db: Db, scope: Scope): Promise<string | null> {
  const { rows } = await sql<{ first: string | null }>`
    select date_trunc('month', least(
      (select min(to_timestamp(t.from_ts) at time zone p.timezone)::date
        from point_device t join accounting_point p on p.id = t.point_id where ${pointsOf(scope)}),
      (select min(from_day) from settlement_period where company_id = ${scope.companyId}::int)
    ))::date::text as first`.execute(db);
  return rows[0]?.first ?? null;
}

/**
 * Condition on stored totals: of a point that the session sees. Those of removed points are seen by whoever is
 * not limited to some.
 */
const seen = (scope: Whose): RawBuilder<SqlBool> =>
  typeof scope === "number" || !scope.onlyTiedDevices
    ? sql<SqlBool>`true`
    : sql<SqlBool>`point_id in (select p.id from accounting_point p where ${pointsOf(scope)})`;

const stored = (whose: Whose, id: PeriodId, version: number): RawBuilder<unknown> => sql`
  select point_id, field, name, resource_type_id, timezone, amount, carried, estimated, length_sec, covered_sec, start_value,
    end_value, flags, status, loss
  from period_total where period_id = ${id}::int and version = ${version}::int and ${seen(whose)}`;

/** Numbers of a stored version as the session sees it. Rows: its totals, by primary key. */
export async function storedSummary(
  db: Db,
  scope: Scope,
  { id, version }: Pick<PeriodRow, "id" | "version">,
): Promise<TotalsSummary> {
  const { rows } = await sql<TotalsSummary>`
    select ${summaryColumns} from (${stored(scope, id, version)}) t`.execute(db);
  return rows[0] ?? { points: 0, lacking: 0, without_data: 0, estimated: 0, covered: null };
}

export interface VersionRow {
  readonly version: number;
  readonly kind: "close" | "correction";
  readonly reason: string;
  readonly made_at: number;
  readonly made_by: string | null;
  readonly points: number;
  readonly lacking: number;
  readonly estimated: number;
  readonly digest: string;
}

export async function versionsOf(db: Db, { companyId }: Scope, id: PeriodId): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select v.version, v.kind, v.reason, v.made_at::float8, u.name as made_by, v.points, v.lacking, v.estimated, v.digest
    from period_version v left join users u on u.id = v.user_id
    where v.period_id = ${id}::int and v.company_id = ${companyId}::int order by v.version desc`.execute(db);
  return rows;
}

/** Digest of the totals of a version as they stand in the table. */
export async function storedDigest(db: Db, id: PeriodId, version: number): Promise<string> {
  const { rows } = await sql<{ digest: string }>`
    select (${digestOf(sql`(select * from period_total where period_id = ${id}::int and version = ${version}::int)`)}) as digest`.execute(
    db,
  );
  return rows[0]?.digest ?? "";
}

/** What two sets of totals are compared by; without a share of losses nothing is lost. */
const differs = sql<SqlBool>`(a.amount, a.estimated, a.covered_sec, coalesce(a.loss, 0))
  is distinct from (b.amount, b.estimated, b.covered_sec, coalesce(b.loss, 0))`;

export interface Compared {
  readonly id: PeriodId;
  readonly days: Days;
  readonly version: number;
  /** Another version; 0: the present totals. */
  readonly compare: number;
  /** Of the present totals. */
  readonly losses: Losses;
}

/** Subquery: both sides of every total. */
const sides = (whose: Whose, { id, days, version, compare, losses }: Compared): RawBuilder<unknown> => sql`
  select coalesce(a.point_id, b.point_id) as point_id, coalesce(a.field, b.field) as field,
    coalesce(a.name, b.name) as name, coalesce(a.resource_type_id, b.resource_type_id) as resource_type_id,
    coalesce(a.timezone, b.timezone) as timezone, a.amount, a.carried, a.estimated, ${share(sql`a.covered_sec`, sql`a.length_sec`)} as covered,
    a.start_value, a.end_value, a.flags, a.status, a.loss, b.loss as b_loss, b.amount as b_amount, b.carried as b_carried, b.estimated as b_estimated,
    ${share(sql`b.covered_sec`, sql`b.length_sec`)} as b_covered, b.start_value as b_start, b.end_value as b_end,
    case when a.point_id is null then 'appeared' when b.point_id is null then 'gone' when ${differs} then 'changed' else 'same' end
      as change
  from (${stored(whose, id, version)}) a full join
    ${compare === 0 ? withLosses(sql`(${liveTotals(whose, days)})`, losses) : sql`(${stored(whose, id, compare)})`} b
    on b.point_id = a.point_id and b.field = a.field`;

/** Number of points with a total that differs. */
export async function countDiffering(db: Db, whose: Whose, of: Compared): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct point_id)::int as n from (${sides(whose, of)}) s where change <> 'same'`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

export interface TotalRow {
  readonly point_id: number;
  readonly name: string;
  readonly resource_type_id: number;
  readonly field: string;
  readonly timezone: string;
  readonly amount: number | null;
  readonly carried: number | null;
  readonly estimated: number | null;
  readonly covered: number | null;
  readonly start_value: number | null;
  readonly end_value: number | null;
  readonly flags: number | null;
  readonly status: number | null;
  readonly b_amount: number | null;
  readonly b_carried: number | null;
  readonly b_estimated: number | null;
  readonly b_covered: number | null;
  readonly b_start: number | null;
  readonly b_end: number | null;
  readonly loss: number | null;
  readonly b_loss: number | null;
  readonly difference: number | null;
  readonly change: TotalChange;
  readonly is_removed: boolean;
}

export interface TotalsAsked extends Compared {
  readonly onlyDifferent: boolean;
  readonly search: string;
  readonly limit: number;
  readonly offset: number;
}

/** A page of totals by name, both sides and the exact difference. */
export async function totalsPage(
  db: Db,
  scope: Scope,
  { onlyDifferent, search, limit, offset, ...of }: TotalsAsked,
): Promise<{ total: number; rows: TotalRow[] }> {
  const { rows } = await sql<{ total: number; rows: TotalRow[] }>`
    with side as materialized (
      select * from (${sides(scope, of)}) s
      where (not ${onlyDifferent}::bool or change <> 'same') and lower(name) like ${containing(search.toLowerCase())}
    )
    select (select count(*)::int from side) as total, (select coalesce(json_agg(page), '[]') from (
      select side.*, b_amount - amount as difference, not exists (select from accounting_point p where p.id = point_id) as is_removed
      from side order by lower(name), point_id, field <> 'main', field limit ${limit}::int offset ${offset}::int
    ) page) as rows`.execute(db);
  return rows[0] ?? { total: 0, rows: [] };
}

interface ResourceSides extends ResourceTotal {
  readonly difference: number;
  readonly loss_difference: number;
}

/** Sums of main registers by resource, with the exact differences of both sides. */
export async function resourcesOf(db: Db, scope: Scope, of: Compared): Promise<ResourceSides[]> {
  const { rows } = await sql<ResourceSides>`
    select resource_type_id, count(*)::int as points, coalesce(sum(amount), 0)::float8 as amount,
      coalesce(sum(estimated), 0)::float8 as estimated,
      coalesce(sum(loss), 0)::float8 as loss, (coalesce(sum(b_amount), 0) - coalesce(sum(amount), 0))::float8 as difference,
      (coalesce(sum(b_loss), 0) - coalesce(sum(loss), 0))::float8 as loss_difference
    from (${sides(scope, of)}) s where field = 'main' group by 1 order by 1`.execute(db);
  return rows;
}
