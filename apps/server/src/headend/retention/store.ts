import type { RetentionKind } from "@metrum/contract/headend";
import { sql } from "kysely";
import type pg from "pg";
import type { Db, PartitionedTable } from "#core";

/** Policy of a company, and how far rows are already deleted. */
export interface Kept {
  readonly companyId: number;
  /** Null: the default. 0: as long as the readings. */
  readonly months: number | null;
  readonly expiredTo: number;
}

/** Rows of one company, at most one a kind. */
export async function ownPolicies(db: Db, companyId: number): Promise<ReadonlyMap<RetentionKind, Kept>> {
  const { rows } = await sql<Kept & { kind: RetentionKind }>`
    select kind, company_id as "companyId", months, expired_to as "expiredTo"
    from company_retention where company_id = ${companyId}::int`.execute(db);
  return new Map(rows.map((row) => [row.kind, row]));
}

export async function putMonths(
  db: Db,
  companyId: number,
  kind: RetentionKind,
  months: number | null,
): Promise<void> {
  await sql`
    insert into company_retention (company_id, kind, months) values (${companyId}::int, ${kind}, ${months ?? 0})
    on conflict (company_id, kind) do update set months = excluded.months`.execute(db);
}

/** Every company with its policy for one kind; deleted companies too, as their rows expire by it. */
export async function policiesOf(system: Db, kind: RetentionKind): Promise<Kept[]> {
  const { rows } = await sql<Kept>`
    select c.id as "companyId", r.months, coalesce(r.expired_to, 0) as "expiredTo"
    from company c left join company_retention r on r.company_id = c.id and r.kind = ${kind} order by c.id`.execute(
    system,
  );
  return rows;
}

/** Records that rows of these companies before `to` are deleted. It never moves back. */
export async function noteExpired(
  system: Db,
  kind: RetentionKind,
  companyIds: readonly number[],
  to: number,
): Promise<void> {
  if (companyIds.length === 0) return;
  await sql`
    insert into company_retention (company_id, kind, expired_to)
    select id, ${kind}, ${to}::bigint from unnest(${[...companyIds]}::int[]) as id
    on conflict (company_id, kind) do update set expired_to = greatest(company_retention.expired_to, excluded.expired_to)`.execute(
    system,
  );
}

/** Rows per statement: few enough to hold their locks only briefly. */
export const deletedAtOnce = 2000;

/**
 * Deletes rows of a company from one partition, oldest devices first; `before` in the unit of the column.
 * Returns how many, at most `deletedAtOnce`. Index: the primary key if it begins with the device.
 */
export async function deleteExpired(
  pool: pg.Pool,
  { table, partition, companyId, before }: Expiring,
): Promise<number> {
  const owned =
    table.retention?.owner === "device_id"
      ? "device_id in (select id from device where company_id = $1::int)"
      : "company_id = $1::int";
  const time =
    table.unit === "timestamp"
      ? "to_timestamp($2::float8)"
      : `$2::bigint * ${table.unit === "milliseconds" ? "1000" : "1"}`;
  const { rowCount } = await pool.query(
    `delete from ${partition} where ctid = any(array(
      select ctid from ${partition} where ${owned} and ${table.column} < ${time} limit ${String(deletedAtOnce)}))`,
    [companyId, before],
  );
  return rowCount ?? 0;
}

export interface Expiring {
  readonly table: PartitionedTable;
  readonly partition: string;
  readonly companyId: number;
  readonly before: number;
}

/**
 * Tables without partitions, with the condition under which a row has expired; `$1` is a time in epoch
 * seconds.
 */
const smallTables = {
  service_log: "at < to_timestamp($1::float8)",
  // An open port has a row that its holder still writes.
  transparent_port: "state = 'closed' and ends_at < $1::bigint",
  device_command: "ended_at < $1::bigint",
  control_freeze: "released_at < $1::bigint",
} as const;

/**
 * Deletes rows of the small tables that ended before a time, at most `deletedAtOnce` of each; the rest is
 * deleted by the next run. Rows: a scan of each table, which only actions of users fill.
 */
export async function deleteOld(pool: pg.Pool, before: number): Promise<void> {
  for (const [table, isOld] of Object.entries(smallTables))
    await pool.query(
      `delete from ${table} where ctid = any(array(
        select ctid from ${table} where ${isOld} limit ${String(deletedAtOnce)}))`,
      [before],
    );
}
