import { sql } from "kysely";
import type { Db } from "#core";

/** Lock key shared by all processes: devices are counted and added by one transaction at a time. */
const countLock = 7_301_011;

/**
 * Devices of the installation that count against the licence: all but those in the trash or the archive and
 * simulated ones of the demonstration. Rows: all devices, by device_listed. The only query on a table of another domain: the
 * devices domain depends on this limit.
 */
export async function countDevices(system: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from device d where deleted_at is null and not is_archived and not exists (
      select from installation, jsonb_array_elements(value) as simulated (id)
      where key = 'demo.devices' and simulated.id = to_jsonb(d.id))
  `.execute(system);
  return rows[0]?.n ?? 0;
}

/** Locks out other counts until the transaction ends. */
export async function countAlone(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${countLock})`.execute(db);
}
