import type { CompanyId, DeviceId, ObjectId, UserId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { tiedObjects, type Db, type Scope } from "#core";

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

/** Ties users to many devices, or unties them; the others stay. Returns the devices that this changed. */
export async function tieMany(
  db: Db,
  companyId: CompanyId,
  ties: {
    readonly devices: readonly DeviceId[];
    readonly users: readonly UserId[];
    readonly isTied: boolean;
  },
): Promise<DeviceId[]> {
  const { devices, users, isTied } = ties;
  const changed = isTied
    ? sql<{ id: DeviceId }>`
        insert into device_user (device_id, user_id, company_id)
        select device.id, users.id, ${companyId}::int from device, users
        where device.id = any(${devices}::int[]) and device.company_id = ${companyId}::int
          and users.id = any(${users}::int[]) and users.company_id = ${companyId}::int
        order by 1, 2 on conflict do nothing returning device_id as id`
    : sql<{ id: DeviceId }>`
        delete from device_user
        where device_id = any(${devices}::int[]) and user_id = any(${users}::int[]) and company_id = ${companyId}::int
        returning device_id as id`;
  const { rows } = await changed.execute(db);
  return [...new Set(rows.map(({ id }) => id))];
}

/** Whether one of the users is tied to no device and no object. Index: primary keys of both tables. */
export async function isAnyUntied(db: Db, scope: Scope, users: readonly UserId[]): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    select id from unnest(${users}::int[]) as id
    where not exists (
      select from device_user where user_id = id and company_id = ${scope.companyId}::int
      union all select from object_user where user_id = id and company_id = ${scope.companyId}::int)
    limit 1
  `.execute(db);
  return rows.length > 0;
}

/**
 * Devices that each of these users sees as one who is tied: their own and those in their branches. Rows: of
 * the branches, by object_item_of_node. Index: primary keys of device_user and object_user.
 */
export async function tiedDevices(
  db: Db,
  scope: Scope,
  ids: readonly UserId[],
): Promise<Map<UserId, DeviceId[]>> {
  const { rows } = await sql<{ user_id: UserId; devices: DeviceId[] }>`
    select user_id, array_agg(device_id) as devices from (
      select user_id, device_id from device_user
      where user_id = any(${ids}::int[]) and company_id = ${scope.companyId}::int
      union
      select u.user_id, i.device_id from object_user u
        cross join lateral object_branch(array[u.object_id]) as b
        join object_item i on i.object_id = b and i.device_id is not null
      where u.user_id = any(${ids}::int[]) and u.company_id = ${scope.companyId}::int
    ) seen group by user_id
  `.execute(db);
  return new Map(rows.map(({ user_id, devices }) => [user_id, devices]));
}

/** Those of these users who are tied to an object outside the branches of a user, and so may come to see more. */
export async function tiedElsewhere(
  db: Db,
  scope: Scope,
  ids: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  const { rows } = await sql<{ user_id: UserId }>`
    select distinct user_id from object_user
    where user_id = any(${ids}::int[]) and company_id = ${scope.companyId}::int
      and object_id not in (${tiedObjects(scope.userId)})`.execute(db);
  return new Set(rows.map((row) => row.user_id));
}

/** Users tied to a node of the objects tree itself. Index object_user_of_node. */
export async function usersTiedToObject(db: Db, scope: Scope, object: ObjectId): Promise<UserId[]> {
  const rows = await db
    .selectFrom("object_user")
    .select("user_id")
    .where("object_id", "=", object)
    .where("company_id", "=", scope.companyId)
    .orderBy("user_id")
    .execute();
  return rows.map((row) => row.user_id);
}

/** Ties users of the company to one of its nodes. Returns those who were not tied to it. */
export async function tieToObject(
  db: Db,
  scope: Scope,
  object: ObjectId,
  users: readonly UserId[],
): Promise<UserId[]> {
  const { rows } = await sql<{ user_id: UserId }>`
    insert into object_user (object_id, user_id, company_id)
    select o.id, users.id, ${scope.companyId}::int from object_node o, users
    where o.id = ${object}::int and o.company_id = ${scope.companyId}::int
      and users.id = any(${users}::int[]) and users.company_id = ${scope.companyId}::int
    order by users.id on conflict do nothing returning user_id
  `.execute(db);
  return rows.map((row) => row.user_id);
}

/** False when the user was not tied to the node. */
export async function untieFromObject(
  db: Db,
  scope: Scope,
  object: ObjectId,
  user: UserId,
): Promise<boolean> {
  const gone = await db
    .deleteFrom("object_user")
    .where("object_id", "=", object)
    .where("user_id", "=", user)
    .where("company_id", "=", scope.companyId)
    .returning("user_id")
    .executeTakeFirst();
  return gone !== undefined;
}

/** Ties a new user to the devices and objects of the inviting user. */
export async function tieLike(db: Db, scope: Scope, id: UserId): Promise<void> {
  await sql`
    insert into device_user (device_id, user_id, company_id)
    select device_id, ${id}::int, company_id from device_user
    where user_id = ${scope.userId}::int and company_id = ${scope.companyId}::int
  `.execute(db);
  await sql`
    insert into object_user (object_id, user_id, company_id)
    select object_id, ${id}::int, company_id from object_user
    where user_id = ${scope.userId}::int and company_id = ${scope.companyId}::int
  `.execute(db);
}
