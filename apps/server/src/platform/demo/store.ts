import type { CompanyId, DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";

/** The company with this id; undefined when there is none. */
export async function companyOf(system: Db, id: number): Promise<CompanyId | undefined> {
  const { rows } = await sql<{ id: CompanyId }>`select id from company where id = ${id}`.execute(system);
  return rows[0]?.id;
}

/** The devices of a company by their number. */
export async function devicesByNumber(system: Db, companyId: CompanyId): Promise<Map<string, DeviceId>> {
  const rows = await system
    .selectFrom("device")
    .select(["id", "deviceID"])
    .where("company_id", "=", companyId)
    .execute();
  return new Map(rows.map((row) => [row.deviceID, row.id]));
}

/** Tables with rows per device, telemetry included; without the device itself. */
export async function tablesOfDevices(system: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'device_id' and a.atttypid = 'int4'::regtype and not a.attisdropped
      and c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
    order by 1`.execute(system);
  return rows.map(({ name }) => name);
}

/**
 * Permanently deletes all data of devices. Rows: those of the devices, each table by an index that begins
 * with the device.
 */
export async function removeTraces(
  db: Db,
  ids: readonly DeviceId[],
  tables: readonly string[],
): Promise<void> {
  for (const table of tables)
    await sql`delete from ${sql.table(table)} where device_id = any(${[...ids]}::int[])`.execute(db);
}
