import type { CompanyId, UserId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db, Scope } from "#core";
import {
  digestOf,
  liveTotals,
  summaryColumns,
  withLosses,
  type Days,
  type Losses,
  type TotalsSummary,
} from "./liveStore.ts";
import type { PeriodId } from "#accounting/closed-periods";

export const countPeriods = async (db: Db, { companyId }: Scope): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from settlement_period where company_id = ${companyId}::int`.execute(db);
  return rows[0]?.n ?? 0;
};

/** Adds the period of these days, open and without a version. */
export async function insertPeriod(db: Db, { companyId }: Scope, days: Days): Promise<PeriodId> {
  const { id } = await db
    .insertInto("settlement_period")
    .values({ company_id: companyId, ...days, state: "open" })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export interface NewVersion {
  readonly id: PeriodId;
  readonly version: number;
  readonly kind: "close" | "correction";
  readonly reason: string;
  readonly made_at: number;
  readonly losses: Losses;
}

/**
 * Stores the present totals of all points of the company as a version, in one statement: all belong to the
 * same instant. Rows: days of the company in the period.
 */
export async function storeVersion(
  db: Db,
  { companyId, userId }: Scope,
  days: Days,
  { id, version, kind, reason, made_at, losses }: NewVersion,
): Promise<TotalsSummary & { readonly digest: string }> {
  const { rows } = await sql<TotalsSummary & { digest: string }>`
    with live as materialized (${withLosses(sql`(${liveTotals(companyId, days)})`, losses)}),
    counted as (select ${summaryColumns}, (${digestOf(sql`live`)}) as digest from live),
    version as (
      insert into period_version (period_id, company_id, version, kind, reason, made_at, user_id, points, lacking, estimated, digest)
      select ${id}::int, ${companyId}::int, ${version}::int, ${kind}, ${reason}, ${made_at}::bigint, ${userId}::int,
        points, lacking, estimated, digest from counted
    ), totals as (
      insert into period_total (period_id, version, company_id, point_id, field, name, resource_type_id, timezone, amount,
        carried, estimated, length_sec, covered_sec, start_value, end_value, flags, status, computed_at, loss)
      select ${id}::int, ${version}::int, ${companyId}::int, point_id, field, name, resource_type_id, timezone, amount,
        carried, estimated, length_sec, covered_sec, start_value, end_value, flags, status, computed_at, loss
      from live
    )
    select * from counted`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("an aggregate has one row");
  return row;
}

/** The period is closed with this version. */
export async function markClosed(
  db: Db,
  id: PeriodId,
  { version, at, userId }: { readonly version: number; readonly at: number; readonly userId: UserId },
): Promise<void> {
  await db
    .updateTable("settlement_period")
    .set({
      state: "closed",
      version,
      closed_at: at,
      closed_by: userId,
      differing: 0,
      compared_at: at,
      is_stale: false,
    })
    .where("id", "=", id)
    .execute();
}

/** Its numbers have been corrected; when and by whom it was closed stays. */
export async function markCorrected(db: Db, id: PeriodId, version: number, at: number): Promise<void> {
  await db
    .updateTable("settlement_period")
    .set({ version, differing: 0, compared_at: at, is_stale: false })
    .where("id", "=", id)
    .execute();
}

export async function markOpen(
  db: Db,
  id: PeriodId,
  { at, userId, reason }: { readonly at: number; readonly userId: UserId; readonly reason: string },
): Promise<void> {
  await db
    .updateTable("settlement_period")
    .set({ state: "open", reopened_at: at, reopened_by: userId, reopen_reason: reason, is_stale: false })
    .where("id", "=", id)
    .execute();
}

/**
 * What these days give has changed, or whether they are closed: closed periods in which a gap ends that began in them
 * are compared anew. Rows: days of the company in later closed periods.
 */
export async function markGapEnds(db: Db, companyId: CompanyId, { from_day, to_day }: Days): Promise<void> {
  await sql`
    update settlement_period s set is_stale = true
    where s.company_id = ${companyId}::int and s.state = 'closed' and not s.is_stale and s.from_day > ${to_day}::date
      and exists (
        select from point_day d join accounting_point p on p.id = d.point_id
        where p.company_id = s.company_id and d.day between s.from_day and s.to_day
          and d.gap_day between ${from_day}::date and ${to_day}::date)`.execute(db);
}

/** A closed period is compared with its days anew. */
export async function markStale(db: Db, id: PeriodId): Promise<void> {
  await sql`update settlement_period set is_stale = true where id = ${id}::int and state = 'closed'`.execute(
    db,
  );
}

export interface StalePeriod extends Days {
  readonly id: PeriodId;
  readonly company_id: CompanyId;
  readonly version: number;
}

/**
 * Takes a closed period whose days have changed; what changes from here on marks it again. Index
 * settlement_period_stale.
 */
export async function takeStale(db: Db): Promise<StalePeriod | undefined> {
  const { rows } = await sql<StalePeriod>`
    update settlement_period set is_stale = false where id = (
      select id from settlement_period where is_stale order by id limit 1 for update skip locked)
    returning id, company_id, version, from_day::text, to_day::text`.execute(db);
  return rows[0];
}

export async function setDiffering(db: Db, id: PeriodId, differing: number, at: number): Promise<void> {
  await db
    .updateTable("settlement_period")
    .set({ differing, compared_at: at })
    .where("id", "=", id)
    .execute();
}
