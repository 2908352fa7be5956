import { sql } from "kysely";
import type { Db } from "#core";

/** Counts of one company, without the companies below it. */
export interface CompanyCounts {
  /** Without the trash and the archive. */
  readonly devices: number;
  readonly users: number;
  /** The last sign-in of one of its users, epoch seconds. */
  readonly lastSignInAt: number | null;
}

/**
 * Counts of these companies. The query runs without row-level security, which would hide rows of companies
 * below, so the ids must come from a query on `company` under it. It reads the tables of devices and users
 * directly, because both domains are above this one. Rows: one per company; counted in the indexes on
 * company_id.
 */
export async function countsOf(
  system: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, CompanyCounts>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<CompanyCounts & { id: number }>`
    select c.id, coalesce(d.n, 0) as devices, coalesce(u.n, 0) as users, u.last_at as "lastSignInAt"
    from unnest(${ids}::int[]) as c(id)
    left join (
      select company_id, count(*)::int as n from device
      where company_id = any(${ids}::int[]) and deleted_at is null and not is_archived group by company_id
    ) d on d.company_id = c.id
    left join (
      select company_id, count(*)::int as n, floor(extract(epoch from max(last_sign_in_at)))::bigint as last_at
      from users where company_id = any(${ids}::int[]) group by company_id
    ) u on u.company_id = c.id
  `.execute(system);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}
