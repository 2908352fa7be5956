import type { BaseStationId, CompanyId, DeviceId, GatewayId } from "@metrum/vocabulary";
import { sql, type Insertable, type Updateable } from "kysely";
import type { Db, Scope } from "#core";
import type { DeviceTable } from "./tables.ts";

/** Devices per statement, which takes 65,535 parameters. */
const insertedAtOnce = 2_000;

/** Adds devices and returns their ids in the same order. */
export async function insertDevices(db: Db, rows: readonly Insertable<DeviceTable>[]): Promise<DeviceId[]> {
  const ids: DeviceId[] = [];
  for (let at = 0; at < rows.length; at += insertedAtOnce) {
    const added = await db
      .insertInto("device")
      .values(rows.slice(at, at + insertedAtOnce))
      .returning("id")
      .execute();
    ids.push(...added.map(({ id }) => id));
  }
  return ids;
}

/**
 * The device of a company with an identifier, ignoring case; undefined when it is free, which is then locked
 * until the transaction ends.
 */
export async function deviceIdentified(
  db: Db,
  companyId: CompanyId,
  identifier: string,
): Promise<{ name: string } | undefined> {
  const lower = identifier.toLowerCase();
  await sql`select pg_advisory_xact_lock(hashtextextended(${lower}, ${companyId}))`.execute(db);
  const { rows } = await sql<{ name: string }>`
    select name from device where company_id = ${companyId} and lower("deviceID") = ${lower}
      and deleted_at is null limit 1`.execute(db);
  return rows[0];
}

export interface DeviceChange extends Updateable<DeviceTable> {
  /** It counts as silent after this time at the earliest; a longer one may be set. */
  readonly silentAfterSec?: number | undefined;
}

/** Configures a device that came through `resolve`, or is unscoped. */
export async function changeDevice(
  db: Db,
  id: DeviceId,
  { silentAfterSec, ...change }: DeviceChange,
): Promise<void> {
  const atLeast = sql<number>`greatest(warning_report_period, ${silentAfterSec}::int)`;
  await db
    .updateTable("device")
    .set({ ...change, ...(silentAfterSec === undefined ? {} : { warning_report_period: atLeast }) })
    .where("id", "=", id)
    .execute();
}

/** Switches devices; null toggles. Returns the new state of each. */
export async function switchActive(
  db: Db,
  scope: Scope,
  ids: readonly DeviceId[],
  isActive: boolean | null,
): Promise<{ id: DeviceId; is_active: boolean }[]> {
  const { rows } = await sql<{ id: DeviceId; is_active: boolean }>`
    update device set is_active = coalesce(${isActive}::boolean, not is_active)
    where company_id = ${scope.companyId}::int and id = any(${ids}::int[])
    returning id, is_active
  `.execute(db);
  return rows;
}

/** Updates the titles that the list sorts by from the catalogue; system role, at start. */
export async function syncModelTitles(system: Db, titles: ReadonlyMap<number, string>): Promise<void> {
  await sql`
    update device set model_title = model.title
    from unnest(${[...titles.keys()]}::int[], ${[...titles.values()]}::text[]) as model (id, title)
    where device.model_id = model.id and device.model_title <> model.title
  `.execute(system);
}

/** Whether a device of the company has scheduled polls. */
export async function switchPolling(db: Db, scope: Scope, id: DeviceId, isPolled: boolean): Promise<void> {
  await db
    .updateTable("device")
    .set({ is_polled: isPolled })
    .where("id", "=", id)
    .where("company_id", "=", scope.companyId)
    .execute();
}

/** Serialises users who tie devices: the second sees the result of the first. */
export async function lockDevice(db: Db, scope: Scope, device: DeviceId): Promise<void> {
  await db
    .selectFrom("device")
    .select("id")
    .where("id", "=", device)
    .where("company_id", "=", scope.companyId)
    .forNoKeyUpdate()
    .execute();
}

/**
 * Devices with a password in their properties, locked until it is moved. A scan at the start, over a column
 * with few rows.
 */
export async function plainPasswords(db: Db, limit: number): Promise<{ id: DeviceId; password: string }[]> {
  const { rows } = await sql<{ id: DeviceId; password: string }>`
    select id, coalesce(properties ->> 'password', '') as password from device
    where properties ? 'password' order by id limit ${limit} for update skip locked`.execute(db);
  return rows;
}

export async function dropPlainPassword(db: Db, id: DeviceId): Promise<void> {
  await sql`update device set properties = properties - 'password' where id = ${id}`.execute(db);
}

/** A device that gets another gateway. */
export interface MovableDevice {
  readonly id: DeviceId;
  readonly name: string;
  readonly model_id: number;
  readonly gateway_id: GatewayId | null;
  readonly inside_addr: string;
  readonly starting_value: number;
  readonly isDeleted: boolean;
}

/** Devices that came through `resolve`, locked until the transaction ends; primary key. */
export async function movableDevices(
  db: Db,
  ids: readonly DeviceId[],
): Promise<ReadonlyMap<DeviceId, MovableDevice>> {
  const { rows } = await sql<MovableDevice>`
    select id, name, model_id, gateway_id, inside_addr, starting_value, deleted_at is not null as "isDeleted" from device
    where id = any(${[...ids]}::int[]) order by id for no key update`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Writes gateway, address and starting value of devices that came through `movableDevices`. */
export async function moveDevices(db: Db, moved: readonly MovableDevice[]): Promise<void> {
  const column = <Value>(of: (device: MovableDevice) => Value): Value[] => moved.map(of);
  await sql`
    update device set gateway_id = moved.gateway_id, inside_addr = moved.inside_addr, starting_value = moved.starting_value
    from unnest(${column(({ id }) => id)}::int[], ${column(({ gateway_id }) => gateway_id)}::int[],
      ${column(({ inside_addr }) => inside_addr)}::text[], ${column(({ starting_value }) => starting_value)}::float8[])
      as moved (id, gateway_id, inside_addr, starting_value)
    where device.id = moved.id`.execute(db);
}

/** Devices of a gateway that is removed stay without one. Returns them; index device_by_gateway. */
export async function leaveGateway(db: Db, id: GatewayId): Promise<DeviceId[]> {
  const { rows } = await sql<{ id: DeviceId }>`
    update device set gateway_id = null where gateway_id = ${id} returning id`.execute(db);
  return rows.map((row) => row.id);
}

/** Devices of a base station that is removed stay without one. Returns them; index device_by_station. */
export async function leaveBaseStation(db: Db, id: BaseStationId): Promise<DeviceId[]> {
  const { rows } = await sql<{ id: DeviceId }>`
    update device set base_station_id = null where base_station_id = ${id} returning id`.execute(db);
  return rows.map((row) => row.id);
}

/** Deletes devices permanently. Their data in other tables is deleted before. */
export async function removeDevices(db: Db, ids: readonly DeviceId[]): Promise<void> {
  await sql`delete from device where id = any(${ids}::int[])`.execute(db);
}
