import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type pg from "pg";
import type { Db, Scope } from "#core";

/** A virtual device that takes readings of a source. */
export interface VirtualDevice {
  readonly id: DeviceId;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Virtual devices of a source, those removed for good aside. Index: virtual_source_of_source. */
export async function virtualDevicesOf(pool: pg.Pool, sourceId: DeviceId): Promise<VirtualDevice[]> {
  const { rows } = await pool.query<VirtualDevice>(
    `select d.id, d.properties from virtual_source s join device d on d.id = s.virtual_id
      where s.source_id = $1::int4 and d.removed_at is null order by d.id`,
    [sourceId],
  );
  return rows;
}

/** The devices that a virtual device takes. Primary key of virtual_source. */
export async function sourcesOf(db: Db, virtualId: DeviceId): Promise<DeviceId[]> {
  const { rows } = await sql<{ id: DeviceId }>`
    select source_id as id from virtual_source where virtual_id = ${virtualId}::int order by 1`.execute(db);
  return rows.map(({ id }) => id);
}

/** Those of these devices that no virtual device takes. */
export async function unused(db: Db, ids: readonly DeviceId[]): Promise<DeviceId[]> {
  const { rows } = await sql<{ id: DeviceId }>`
    select id from unnest(${[...ids]}::int[]) as k(id)
    where not exists (select from virtual_source s where s.source_id = k.id)`.execute(db);
  return rows.map(({ id }) => id);
}

/** Any number: the first of the pair of an advisory lock, with the company as the second. */
const sourcesLock = 1_050_105;

/** Definitions of a company change one after another: no two make a cycle together. */
export async function lockSources(db: Db, { companyId }: Pick<Scope, "companyId">): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(sourcesLock)}, ${companyId}::int)`.execute(db);
}

/** Sets the devices that a virtual device takes; they have been resolved. */
export async function putSources(
  db: Db,
  { companyId }: Pick<Scope, "companyId">,
  virtualId: DeviceId,
  ids: readonly DeviceId[],
): Promise<void> {
  await sql`
    delete from virtual_source where virtual_id = ${virtualId}::int and source_id <> all(${[...ids]}::int[])`.execute(
    db,
  );
  await sql`
    insert into virtual_source (virtual_id, source_id, company_id)
    select ${virtualId}::int, id, ${companyId}::int from unnest(${[...new Set(ids)]}::int[]) as k(id)
    on conflict do nothing`.execute(db);
}

/**
 * Levels of virtual devices above and below a definition, and whether it would take itself. Rows: the definitions
 * that lead to it and from it.
 */
export async function shapeOf(
  db: Db,
  virtualId: number,
  sourceIds: readonly DeviceId[],
): Promise<{ readonly below: number; readonly above: number; readonly isCycle: boolean }> {
  const { rows } = await sql<{ below: number; above: number; isCycle: boolean }>`
    with recursive down as (
      select id, 1 as level from unnest(${[...sourceIds]}::int[]) as k(id)
      union
      select s.source_id, level + 1 from down join virtual_source s on s.virtual_id = down.id
      where level < 20 and down.id <> ${virtualId}::int
    ), up as (
      select ${virtualId}::int as id, 0 as level
      union
      select s.virtual_id, level + 1 from up join virtual_source s on s.source_id = up.id where level < 20
    )
    select (select coalesce(max(level), 0) from down) as below, (select max(level) from up) as above,
      exists (select from down where id = ${virtualId}::int) as "isCycle"`.execute(db);
  return rows[0] ?? { below: 0, above: 0, isCycle: false };
}

/** Of these devices those that a virtual device in use takes, which is none of them. Index: virtual_source_of_source. */
export async function sourcesInUse(
  db: Db,
  ids: readonly DeviceId[],
): Promise<{ readonly id: DeviceId; readonly name: string; readonly source: string }[]> {
  const { rows } = await sql<{ id: DeviceId; name: string; source: string }>`
    select distinct on (d.id) d.id, v.name, d.name as source from virtual_source s join device v on v.id = s.virtual_id join device d on d.id = s.source_id
    where s.source_id = any(${[...ids]}::int[]) and v.deleted_at is null and v.removed_at is null
      and v.id <> all(${[...ids]}::int[]) order by d.id, v.name`.execute(db);
  return rows;
}
