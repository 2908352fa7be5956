import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db, Scope } from "#core";

/** Names of these devices, in the order of their ids. Index: primary key of device. */
export async function namesOfDevices(
  system: Db,
  ids: readonly DeviceId[],
): Promise<{ id: DeviceId; name: string }[]> {
  const { rows } = await sql<{ id: DeviceId; name: string }>`
    select id, name from device where id = any(${[...ids]}::int[]) and deleted_at is null order by id`.execute(
    system,
  );
  return rows;
}

/** Devices a user is tied to. Index: primary key of device_user. */
export async function tiedDevices(db: Db, scope: Scope): Promise<DeviceId[]> {
  const { rows } = await sql<{ device_id: DeviceId }>`
    select device_id from device_user where user_id = ${scope.userId}::int and company_id = ${scope.companyId}::int
  `.execute(db);
  return rows.map((row) => row.device_id);
}
