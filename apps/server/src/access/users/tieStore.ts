import type { DeviceId, UserId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db, Scope } from "#core";

/** Users a device is tied to. Index: device_user_device_id_idx. */
export async function usersTiedTo(db: Db, scope: Scope, device: DeviceId): Promise<UserId[]> {
  const rows = await db
    .selectFrom("device_user")
    .select("user_id")
    .where("device_id", "=", device)
    .where("company_id", "=", scope.companyId)
    .orderBy("user_id")
    .execute();
  return rows.map((row) => row.user_id);
}

/** Foreign keys span companies, so device and users are checked to be visible to this company. */
export async function tieUsers(
  db: Db,
  scope: Scope,
  device: DeviceId,
  users: readonly UserId[],
): Promise<void> {
  await sql`
    insert into device_user (device_id, user_id, company_id)
    select device.id, users.id, ${scope.companyId}::int from device, users
    where device.id = ${device}::int and device.company_id = ${scope.companyId}::int
      and users.id = any(${users}::int[]) and users.company_id = ${scope.companyId}::int
  `.execute(db);
}

export async function untieUsers(
  db: Db,
  scope: Scope,
  device: DeviceId,
  users: readonly UserId[],
): Promise<void> {
  await db
    .deleteFrom("device_user")
    .where("device_id", "=", device)
    .where("company_id", "=", scope.companyId)
    .where("user_id", "=", sql<UserId>`any(${users}::int[])`)
    .execute();
}

/** Whether one of the users is tied to no device. Index: primary key of device_user. */
export async function isAnyUntied(db: Db, scope: Scope, users: readonly UserId[]): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    select id from unnest(${users}::int[]) as id
    where not exists (
      select from device_user where user_id = id and company_id = ${scope.companyId}::int)
    limit 1
  `.execute(db);
  return rows.length > 0;
}

/** Devices each of these users is tied to. Index: primary key of device_user. */
export async function tiedDevices(
  db: Db,
  scope: Scope,
  ids: readonly UserId[],
): Promise<Map<UserId, DeviceId[]>> {
  const { rows } = await sql<{ user_id: UserId; devices: DeviceId[] }>`
    select user_id, array_agg(device_id) as devices from device_user
    where user_id = any(${ids}::int[]) and company_id = ${scope.companyId}::int group by user_id
  `.execute(db);
  return new Map(rows.map(({ user_id, devices }) => [user_id, devices]));
}

/** Ties a new user to the devices of the inviting user. */
export async function tieLike(db: Db, scope: Scope, id: UserId): Promise<void> {
  await sql`
    insert into device_user (device_id, user_id, company_id)
    select device_id, ${id}::int, company_id from device_user
    where user_id = ${scope.userId}::int and company_id = ${scope.companyId}::int
  `.execute(db);
}
