import type { CompanyId, DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";

/** Whether a part of the making of this installation is done. */
export async function isDone(system: Db, key: string): Promise<boolean> {
  const { rows } = await sql`select 1 from installation where key = ${key}`.execute(system);
  return rows.length > 0;
}

export async function noteDone(system: Db, key: string): Promise<void> {
  await sql`insert into installation (key, value) values (${key}, 'true') on conflict (key) do nothing`.execute(
    system,
  );
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

/** Which devices are simulated, for good: a licence does not count them. */
export async function noteSimulated(system: Db, ids: readonly DeviceId[]): Promise<void> {
  await sql`insert into installation (key, value) values ('demo.devices', ${JSON.stringify(ids)}::jsonb)
    on conflict (key) do update set value = excluded.value, at = now()`.execute(system);
}
