import type { DeviceId, UserId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db, Scope } from "#core";

/** Users a device is tied to. Index: device_user_device_id_idx. */
export async function usersOf(db: Db, scope: Scope, device: DeviceId): Promise<UserId[]> {
  const rows = await db
    .selectFrom("device_user")
    .select("user_id")
    .where("device_id", "=", device)
    .where("company_id", "=", scope.companyId)
    .orderBy("user_id")
    .execute();
  return rows.map((row) => row.user_id);
}

/** Of two who tie users to one device at once, the second one sees what the first one did. */
export async function lockDevice(db: Db, scope: Scope, device: DeviceId): Promise<void> {
  await db
    .selectFrom("device")
    .select("id")
    .where("id", "=", device)
    .where("company_id", "=", scope.companyId)
    .forNoKeyUpdate()
    .execute();
}

/** References hold across companies: device and users are those that this company sees. */
export async function tie(db: Db, scope: Scope, device: DeviceId, users: readonly UserId[]): Promise<void> {
  await sql`
    insert into device_user (device_id, user_id, company_id)
    select device.id, users.id, ${scope.companyId}::int from device, users
    where device.id = ${device}::int and device.company_id = ${scope.companyId}::int
      and users.id = any(${users}::int[]) and users.company_id = ${scope.companyId}::int
  `.execute(db);
}

export async function untie(db: Db, scope: Scope, device: DeviceId, users: readonly UserId[]): Promise<void> {
  await db
    .deleteFrom("device_user")
    .where("device_id", "=", device)
    .where("company_id", "=", scope.companyId)
    .where("user_id", "=", sql<UserId>`any(${users}::int[])`)
    .execute();
}

/** Whether one of the users is tied to no device at all. Index: primary key of device_user. */
export async function areFree(db: Db, scope: Scope, users: readonly UserId[]): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    select id from unnest(${users}::int[]) as id
    where not exists (
      select from device_user where user_id = id and company_id = ${scope.companyId}::int)
    limit 1
  `.execute(db);
  return rows.length > 0;
}
