import type { CompanyId, DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";

/** The devices of a company by their number. */
export async function devicesByNumber(system: Db, companyId: CompanyId): Promise<Map<string, DeviceId>> {
  const rows = await system
    .selectFrom("device")
    .select(["id", "deviceID"])
    .where("company_id", "=", companyId)
    .execute();
  return new Map(rows.map((row) => [row.deviceID, row.id]));
}

/** Writes where the simulated converters listen; only what changed. */
export async function noteConverters(
  system: Db,
  companyId: CompanyId,
  host: string,
  converters: readonly { readonly deviceID: string; readonly port: number }[],
): Promise<void> {
  await sql`
    update gateway set host = ${host}, port = started.port
    from unnest(${converters.map((each) => each.deviceID)}::text[], ${converters.map((each) => each.port)}::int[])
      as started (device_id, port)
    where gateway.company_id = ${companyId} and gateway.device_id = started.device_id
      and (gateway.host, gateway.port) is distinct from (${host}, started.port)
  `.execute(system);
}

/** Tables that keep rows by device, telemetry included; not the device itself. */
export async function tablesOfDevices(system: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'device_id' and a.atttypid = 'int4'::regtype and not a.attisdropped
      and c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
    order by 1`.execute(system);
  return rows.map(({ name }) => name);
}

/** Removes devices with all that was kept of them, for good. Rows: those of the devices, each table by an index that begins with the device. */
export async function removeDevices(
  db: Db,
  ids: readonly DeviceId[],
  tables: readonly string[],
): Promise<void> {
  for (const table of tables)
    await sql`delete from ${sql.table(table)} where device_id = any(${[...ids]}::int[])`.execute(db);
  await sql`delete from device where id = any(${[...ids]}::int[])`.execute(db);
}

/** Removes the gateways of a company with these numbers that carry nothing any more. */
export async function removeGateways(
  db: Db,
  companyId: CompanyId,
  numbers: readonly string[],
): Promise<void> {
  await sql`delete from gateway g where company_id = ${companyId} and device_id = any(${[...numbers]}::text[])
    and not exists (select from device d where d.gateway_id = g.id)`.execute(db);
}
