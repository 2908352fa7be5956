import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";
import { removeDevices } from "../store.ts";

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
 * Permanently deletes devices with all their data; `tables` as returned by `tablesOfDevices`. Rows: those of
 * the devices, most tables by an index that begins with the device; the items of tasks are scanned.
 */
export async function removeWithTraces(
  db: Db,
  ids: readonly DeviceId[],
  tables: readonly string[],
): Promise<void> {
  for (const table of tables)
    await sql`delete from ${sql.table(table)} where device_id = any(${[...ids]}::int[])`.execute(db);
  await removeDevices(db, ids);
}
