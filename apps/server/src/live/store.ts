import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db, Scope } from "#core";

/** Devices a user is tied to. Index: primary key of device_user. */
export async function tiedDevices(db: Db, scope: Scope): Promise<DeviceId[]> {
  const { rows } = await sql<{ device_id: DeviceId }>`
    select device_id from device_user where user_id = ${scope.userId}::int and company_id = ${scope.companyId}::int
  `.execute(db);
  return rows.map((row) => row.device_id);
}
