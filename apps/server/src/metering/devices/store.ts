import type { BaseStationId, CompanyId, DeviceId, GatewayId } from "@metrum/vocabulary";
import { sql, type Insertable, type RawBuilder, type Updateable } from "kysely";
import { visibleCarriers, visibleDevices, type Db, type DeviceScope, type Scope } from "#core";
import { isWithoutPoints } from "./pointStore.ts";
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

/** Identifiers share this many locks, so that a list of thousands does not fill the lock table. */
const identifierLocks = 1024;

/**
 * Devices of a company, outside the trash, with one of these identifiers, ignoring case. The identifiers stay
 * locked until the transaction ends. By `device_numbered`.
 */
export async function devicesIdentified(
  db: Db,
  companyId: CompanyId,
  identifiers: readonly string[],
): Promise<{ id: DeviceId; name: string; deviceID: string }[]> {
  const lower = [...new Set(identifiers.map((each) => each.toLowerCase()))];
  await sql`
    select pg_advisory_xact_lock(hashtextextended('deviceID' || key, ${companyId})) from (
      select distinct hashtext(name) & ${identifierLocks - 1}::int as key from unnest(${lower}::text[]) as name order by 1
    ) locks`.execute(db);
  const { rows } = await sql<{ id: DeviceId; name: string; deviceID: string }>`
    select id, name, "deviceID" from device where company_id = ${companyId}
      and id = any(array(select device_numbered(${companyId}::int, ${lower}::text[]))) and deleted_at is null`.execute(
    db,
  );
  return rows;
}

/** The gateway with this id that the session sees, outside the trash; undefined when there is none. Primary key. */
export async function gatewayInUse(db: Db, scope: Scope, id: number): Promise<GatewayId | undefined> {
  const { rows } = await sql<{ id: GatewayId }>`
    select id from gateway
    where gateway.id = ${id} and ${visibleCarriers(scope, "gateway")} and deleted_at is null`.execute(db);
  return rows[0]?.id;
}

/** Gateways that the session sees, outside the trash, by their identifiers. Index gateway_device_id_idx. */
export async function gatewaysIdentified(
  db: Db,
  scope: Scope,
  identifiers: readonly string[],
): Promise<ReadonlyMap<string, GatewayId>> {
  if (identifiers.length === 0) return new Map();
  const { rows } = await sql<{ id: GatewayId; device_id: string }>`
    select id, device_id from gateway where gateway.device_id = any(${[...new Set(identifiers)]}::text[])
      and ${visibleCarriers(scope, "gateway")} and deleted_at is null order by id desc`.execute(db);
  return new Map(rows.map(({ id, device_id }) => [device_id, id]));
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

/** Stores an edited device that came through `resolve`; its version grows. */
export async function editDevice(db: Db, id: DeviceId, change: Updateable<DeviceTable>): Promise<void> {
  await db
    .updateTable("device")
    .set({ ...change, version: sql<number>`version + 1` })
    .where("id", "=", id)
    .execute();
}

/** Locks devices in the order of their ids, in which every statement locks several: two cannot block each other. */
const inOrder = (ids: readonly DeviceId[]): RawBuilder<unknown> =>
  sql`(select id from device where id = any(${[...ids]}::int[]) order by id for no key update)`;

/** Periods of devices that came through `resolve`; the version of those that had others grows. */
export async function putPeriods(
  db: Db,
  scope: Pick<Scope, "companyId">,
  ids: readonly DeviceId[],
  periods: { readonly report_period_update: number; readonly warning_report_period: number },
): Promise<void> {
  await sql`
    update device set report_period_update = ${periods.report_period_update},
      warning_report_period = ${periods.warning_report_period}, version = version + 1
    where company_id = ${scope.companyId}::int and id in ${inOrder(ids)}
      and (report_period_update, warning_report_period)
        is distinct from (${periods.report_period_update}::int, ${periods.warning_report_period}::int)`.execute(
    db,
  );
}

/** Sets the poll period of devices that came through `devicesToChange`; they count as silent after three of them at the earliest. */
export async function putPeriod(db: Db, ids: readonly DeviceId[], sec: number): Promise<void> {
  await sql`
    update device set report_period_update = ${sec}, version = version + 1,
      warning_report_period = greatest(warning_report_period, ${3 * sec}::int)
    where id in ${inOrder(ids)}`.execute(db);
}

/** Switches devices; null toggles. Returns the new state of those that were not so before. */
export async function switchActive(
  db: Db,
  { companyId }: Pick<Scope, "companyId">,
  ids: readonly DeviceId[],
  isActive: boolean | null,
): Promise<{ id: DeviceId; is_active: boolean }[]> {
  const { rows } = await sql<{ id: DeviceId; is_active: boolean }>`
    update device set is_active = coalesce(${isActive}::boolean, not is_active)
    where company_id = ${companyId}::int and id in ${inOrder(ids)}
      and is_active is distinct from ${isActive}::boolean
    returning id, is_active
  `.execute(db);
  return rows;
}

/** A device that has just been trashed, archived or restored. */
export interface MovedDevice {
  readonly id: DeviceId;
  readonly name: string;
  readonly deviceID: string;
}

/**
 * Puts devices into the trash, or takes them out when `deletedAt` is null. Returns those that were not there
 * before; of those that came through `resolve`.
 */
export async function moveToTrash(
  db: Db,
  { companyId }: Pick<Scope, "companyId">,
  ids: readonly DeviceId[],
  deletedAt: Date | null,
): Promise<MovedDevice[]> {
  const { rows } = await sql<MovedDevice>`
    update device set deleted_at = ${deletedAt}
    where company_id = ${companyId}::int and id in ${inOrder(ids)}
      and (deleted_at is null) <> (${deletedAt}::timestamptz is null)
    returning id, name, "deviceID"
  `.execute(db);
  return rows;
}

/** Archives devices outside the trash or brings them back. Returns those that were not so before. */
export async function moveToArchive(
  db: Db,
  { companyId }: Pick<Scope, "companyId">,
  ids: readonly DeviceId[],
  isArchived: boolean,
): Promise<MovedDevice[]> {
  const { rows } = await sql<MovedDevice>`
    update device set is_archived = ${isArchived}::boolean
    where company_id = ${companyId}::int and id in ${inOrder(ids)}
      and deleted_at is null and is_archived <> ${isArchived}::boolean
    returning id, name, "deviceID"
  `.execute(db);
  return rows;
}

/** A device in the trash, in the archive, or in both. */
export interface PutAway {
  readonly id: DeviceId;
  readonly is_deleted: boolean;
  readonly is_archived: boolean;
}

/** Which of these devices are trashed or archived; locked until the transaction ends. */
export async function putAway(db: Db, scope: Scope, ids: readonly DeviceId[]): Promise<PutAway[]> {
  const { rows } = await sql<PutAway>`
    select id, deleted_at is not null as is_deleted, is_archived from device
    where ${visibleDevices(scope, { trash: "included" })} and id = any(${ids}::int[])
      and (deleted_at is not null or is_archived)
    order by id for no key update
  `.execute(db);
  return rows;
}

/** Wakes the worker that removes devices for good. */
export const removedChannel = "device_removed";

/**
 * Marks devices in the trash as removed: all, or these. They are invisible from then on; their data is
 * deleted by a worker. Index device_trash.
 */
export async function markRemoved(
  db: Db,
  scope: DeviceScope,
  { ids, at }: { readonly ids: readonly DeviceId[] | undefined; readonly at: Date },
): Promise<MovedDevice[]> {
  const some = ids ? sql`and id = any(${ids}::int[])` : sql``;
  const { rows } = await sql<MovedDevice>`
    update device set removed_at = ${at} where ${visibleDevices(scope, { trash: "only" })} ${some}
      and ${isWithoutPoints}
    returning id, name, "deviceID"
  `.execute(db);
  if (rows.length > 0) await sql`select pg_notify(${removedChannel}, '')`.execute(db);
  return rows;
}

/** Devices marked as removed, locked; others skip them. Index device_removed. */
export async function nextRemoved(db: Db, limit: number): Promise<DeviceId[]> {
  const { rows } = await sql<{ id: DeviceId }>`
    select id from device where removed_at is not null order by id limit ${limit} for update skip locked`.execute(
    db,
  );
  return rows.map(({ id }) => id);
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
  readonly deviceID: string;
  readonly isPutAway: boolean;
}

/** Devices that came through `resolve`, locked until the transaction ends; primary key. */
export async function movableDevices(
  db: Db,
  ids: readonly DeviceId[],
): Promise<ReadonlyMap<DeviceId, MovableDevice>> {
  const { rows } = await sql<MovableDevice>`
    select id, name, model_id, gateway_id, inside_addr, starting_value, "deviceID",
      (is_archived or deleted_at is not null) as "isPutAway"
    from device where id = any(${[...ids]}::int[]) order by id for no key update`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Writes gateway, address and starting value of devices that came through `movableDevices`; their version grows. */
export async function moveDevices(db: Db, moved: readonly MovableDevice[]): Promise<void> {
  const column = <Value>(of: (device: MovableDevice) => Value): Value[] => moved.map(of);
  await sql`
    update device set gateway_id = moved.gateway_id, inside_addr = moved.inside_addr,
      starting_value = moved.starting_value, version = version + 1
    from unnest(${column(({ id }) => id)}::int[], ${column(({ gateway_id }) => gateway_id)}::int[],
      ${column(({ inside_addr }) => inside_addr)}::text[], ${column(({ starting_value }) => starting_value)}::float8[])
      as moved (id, gateway_id, inside_addr, starting_value)
    where device.id = moved.id`.execute(db);
}

/** Devices of a gateway that is removed stay without one. Returns them; index device_by_gateway. */
export async function leaveGateway(db: Db, id: GatewayId): Promise<DeviceId[]> {
  const { rows } = await sql<{ id: DeviceId }>`
    update device set gateway_id = null where id in (
      select id from device where gateway_id = ${id} order by id for no key update)
    returning id`.execute(db);
  return rows.map((row) => row.id);
}

/** Devices of a base station that is removed stay without one. Returns them; index device_by_station. */
export async function leaveBaseStation(db: Db, id: BaseStationId): Promise<DeviceId[]> {
  const { rows } = await sql<{ id: DeviceId }>`
    update device set base_station_id = null where id in (
      select id from device where base_station_id = ${id} order by id for no key update)
    returning id`.execute(db);
  return rows.map((row) => row.id);
}

/** Deletes devices permanently. Their data in other tables is deleted before. */
export async function removeDevices(db: Db, ids: readonly DeviceId[]): Promise<void> {
  await sql`
    delete from device where id in (
      select id from device where id = any(${[...ids]}::int[]) order by id for update)`.execute(db);
}
