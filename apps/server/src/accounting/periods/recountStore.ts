import type { CompanyId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";
import type { PeriodId } from "#accounting/closed-periods";
import { digestOf, summaryColumns, type Days } from "./liveStore.ts";

export interface PeriodState extends Days {
  readonly id: PeriodId;
  readonly company_id: CompanyId;
  readonly state: "open" | "closed";
  readonly version: number;
  readonly differing: number;
  readonly is_stale: boolean;
}

/** Rows: all periods with a version, once a run. */
export async function countStored(db: Db, companyId?: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from settlement_period
    where version > 0 and (${companyId ?? null}::int is null or company_id = ${companyId ?? null}::int)`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

/** Some hundred periods with a version by the primary key. */
export async function storedAfter(db: Db, after: number, companyId?: number): Promise<PeriodId[]> {
  const { rows } = await sql<{ id: PeriodId }>`
    select id from settlement_period
    where version > 0 and (${companyId ?? null}::int is null or company_id = ${companyId ?? null}::int)
      and id > ${after}::int order by id limit 200`.execute(db);
  return rows.map(({ id }) => id);
}

/** By primary key. */
export async function periodState(db: Db, id: PeriodId): Promise<PeriodState | undefined> {
  const { rows } = await sql<PeriodState>`
    select id, company_id, from_day::text as from_day, to_day::text as to_day, state, version, differing, is_stale
    from settlement_period where id = ${id}::int`.execute(db);
  return rows[0];
}

interface Counts {
  readonly points: number;
  readonly lacking: number;
  readonly estimated: number;
  readonly digest: string;
}

/** What a version says of its totals, and what they give. */
export interface StoredVersion {
  readonly version: number;
  readonly totals: number;
  readonly stored: Counts;
  readonly recounted: Counts;
}

/** Rows: the totals of a period in all versions, by primary key. */
export async function storedVersions(db: Db, id: PeriodId): Promise<StoredVersion[]> {
  const own = sql`(select * from period_total where period_id = ${id}::int and version = v.version)`;
  const { rows } = await sql<StoredVersion>`
    select v.version, (select count(*)::int from ${own} t) as totals,
      json_build_object('points', v.points, 'lacking', v.lacking, 'estimated', v.estimated, 'digest', v.digest) as stored,
      (select json_build_object('points', c.points, 'lacking', c.lacking, 'estimated', c.estimated,
        'digest', (${digestOf(own)})) from (select ${summaryColumns} from ${own} t) c) as recounted
    from period_version v where v.period_id = ${id}::int order by v.version`.execute(db);
  return rows;
}
