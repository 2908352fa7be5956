import type { AccountingPointId, Branded, DeviceId, FieldName, UserId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { visibleDevices, type Db, type Scope } from "#core";
import type { RegisterValues } from "./tables.ts";

export type PointDeviceId = Branded<"pointDevice">;

/** An interval in which a register of a device measured a point. */
export interface PointDevice {
  readonly id: PointDeviceId;
  readonly point_id: AccountingPointId;
  readonly device_id: DeviceId;
  readonly device_name: string;
  readonly deviceID: string;
  readonly model_id: number;
  readonly model_title: string;
  readonly device_group_id: number;
  readonly field: FieldName;
  readonly from_ts: number;
  readonly to_ts: number | null;
  readonly opening: RegisterValues;
  readonly closing: RegisterValues;
  readonly act: string;
  readonly note: string;
  readonly opened_by: UserId | null;
  readonly closed_by: UserId | null;
  readonly created_at: number;
}

/** Devices of a point that came through `resolve`, oldest first. Index point_device_of_point. */
export const devicesOf = (db: Db, pointId: AccountingPointId): Promise<PointDevice[]> =>
  devicesOfPoints(db, [pointId]);

/** The same of several points. */
export async function devicesOfPoints(
  db: Db,
  pointIds: readonly AccountingPointId[],
): Promise<PointDevice[]> {
  const { rows } = await sql<PointDevice>`
    select pd.id, pd.point_id, pd.device_id, d.name as device_name, d."deviceID", d.model_id, d.model_title,
      d.device_group_id, pd.field, pd.from_ts, pd.to_ts, pd.opening, pd.closing, pd.act, pd.note, pd.opened_by,
      pd.closed_by, floor(extract(epoch from pd.created_at))::float8 as created_at
    from point_device pd join device d on d.id = pd.device_id
    where pd.point_id = any(${[...pointIds]}::int[]) order by pd.from_ts`.execute(db);
  return rows;
}

/** Whether a device has ever measured the point. */
export async function hasMeasured(db: Db, pointId: AccountingPointId): Promise<boolean> {
  const { rows } = await sql`select from point_device where point_id = ${pointId}::int limit 1`.execute(db);
  return rows.length > 0;
}

interface Span {
  readonly from: number;
  readonly to: number | null;
}

/** A register of a device in a span. */
export interface RegisterSpan extends Span {
  readonly deviceId: DeviceId;
  readonly field: FieldName;
  /** An interval that does not count: the one that is corrected. */
  readonly without?: PointDeviceId | undefined;
}

/** The first points that registers measure within spans, in their order. Exclusion constraint of point_device. */
export async function registerUses(
  db: Db,
  spans: readonly RegisterSpan[],
): Promise<({ readonly id: AccountingPointId; readonly name: string } | undefined)[]> {
  const column = <Value>(of: (span: RegisterSpan) => Value): Value[] => spans.map(of);
  const { rows } = await sql<{ place: number; id: AccountingPointId; name: string }>`
    select distinct on (w.place) w.place::int as place, p.id, p.name
    from unnest(${column(({ deviceId }) => deviceId)}::int[], ${column(({ field }) => field)}::text[],
        ${column(({ from }) => from)}::bigint[], ${column(({ to }) => to)}::bigint[],
        ${column(({ without }) => without ?? null)}::int[])
        with ordinality as w (device_id, field, from_ts, to_ts, without, place)
      join point_device pd on pd.device_id = w.device_id and pd.field = w.field
        and int8range(pd.from_ts, pd.to_ts) && int8range(w.from_ts, w.to_ts)
        and pd.id is distinct from w.without
      join accounting_point p on p.id = pd.point_id
    order by w.place, pd.from_ts`.execute(db);
  const found = new Map(rows.map((row) => [row.place, row]));
  return spans.map((_, at) => found.get(at + 1));
}

/** A device that is to measure a point, locked so that it is not removed meanwhile. */
export interface TiedDevice {
  readonly id: DeviceId;
  readonly name: string;
  readonly model_id: number;
  readonly device_group_id: number;
  readonly is_in_trash: boolean;
}

/** Devices that came through `resolve`, outside of those removed for good. Primary key. */
export async function lockTied(
  db: Db,
  scope: Scope,
  ids: readonly DeviceId[],
): Promise<ReadonlyMap<DeviceId, TiedDevice>> {
  const { rows } = await sql<TiedDevice>`
    select id, name, model_id, device_group_id, deleted_at is not null as is_in_trash from device
    where id = any(${[...ids]}::int[]) and company_id = ${scope.companyId}::int and removed_at is null
    order by id for share`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Who acts, in which company. */
export type By = Pick<Scope, "companyId" | "userId">;

export interface NewPointDevice extends Span {
  readonly pointId: AccountingPointId;
  readonly deviceId: DeviceId;
  readonly field: FieldName;
  readonly opening: RegisterValues;
  readonly closing: RegisterValues;
  readonly act: string;
  readonly note: string;
}

/** Ids in the order given. Throws the exclusion violation of a register or point that is taken. */
export async function insertTies(
  db: Db,
  scope: By,
  ties: readonly NewPointDevice[],
): Promise<PointDeviceId[]> {
  if (ties.length === 0) return [];
  const rows = await db
    .insertInto("point_device")
    .values(
      ties.map(({ pointId, deviceId, field, from, to, opening, closing, act, note }) => ({
        point_id: pointId,
        company_id: scope.companyId,
        device_id: deviceId,
        field,
        from_ts: from,
        to_ts: to,
        opening: JSON.stringify(opening),
        closing: JSON.stringify(closing),
        act,
        note,
        opened_by: scope.userId,
        closed_by: to === null ? null : scope.userId,
      })),
    )
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Ends an interval of a locked point. */
export async function closeTie(
  db: Db,
  id: PointDeviceId,
  end: { readonly to: number; readonly closing: RegisterValues; readonly userId: UserId },
): Promise<void> {
  await db
    .updateTable("point_device")
    .set({ to_ts: end.to, closing: JSON.stringify(end.closing), closed_by: end.userId })
    .where("id", "=", id)
    .execute();
}

/** Corrects an interval of a locked point. */
export async function changeTie(
  db: Db,
  id: PointDeviceId,
  tie: Pick<NewPointDevice, "from" | "to" | "opening" | "closing" | "act" | "note">,
): Promise<void> {
  const { from, to, opening, closing, act, note } = tie;
  await db
    .updateTable("point_device")
    .set({
      from_ts: from,
      to_ts: to,
      opening: JSON.stringify(opening),
      closing: JSON.stringify(closing),
      act,
      note,
    })
    .where("id", "=", id)
    .execute();
}

/** The interval goes on as if it had not been ended. */
export async function reopenTie(db: Db, id: PointDeviceId): Promise<void> {
  await db
    .updateTable("point_device")
    .set({ to_ts: null, closing: "{}", closed_by: null })
    .where("id", "=", id)
    .execute();
}

export async function deleteTie(db: Db, id: PointDeviceId): Promise<void> {
  await db.deleteFrom("point_device").where("id", "=", id).execute();
}

/** Points that rest on readings of these devices, at most ten. Index point_device_of_device. */
export async function pointsOfDevices(
  db: Db,
  ids: readonly DeviceId[],
): Promise<{ readonly device_id: DeviceId; readonly id: AccountingPointId; readonly name: string }[]> {
  const { rows } = await sql<{ device_id: DeviceId; id: AccountingPointId; name: string }>`
    select distinct pd.device_id, p.id, p.name from point_device pd join accounting_point p on p.id = pd.point_id
    where pd.device_id = any(${[...ids]}::int[]) order by p.id limit 10`.execute(db);
  return rows;
}

/** Registers of a device that measure a point now. Index point_device_of_device. */
export async function registersInUse(
  db: Db,
  { deviceId, now }: { readonly deviceId: DeviceId; readonly now: number },
): Promise<ReadonlyMap<string, AccountingPointId>> {
  const { rows } = await sql<{ field: string; point_id: AccountingPointId }>`
    select field, point_id from point_device where device_id = ${deviceId}::int and from_ts <= ${now}::bigint
      and (to_ts is null or to_ts > ${now}::bigint)`.execute(db);
  return new Map(rows.map(({ field, point_id }) => [field, point_id]));
}

/** The ratio of a device at a moment. Primary key of device_ratio. */
export async function deviceRatioAt(
  db: Db,
  { deviceId, at }: { readonly deviceId: DeviceId; readonly at: number },
): Promise<number> {
  const { rows } = await sql<{ ratio: number }>`
    select ratio from device_ratio where device_id = ${deviceId}::int and from_ts <= ${at}::bigint
    order by from_ts desc limit 1`.execute(db);
  return rows[0]?.ratio ?? 1;
}

/** Intervals of a point that began with a replacement. Index point_event_of_point. */
export async function replacedTies(db: Db, pointId: AccountingPointId): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select (details ->> 'point_device')::int as id from point_event
    where point_id = ${pointId}::int and kind = 'replaced' and details ? 'point_device'`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The time in which devices have measured any of these points, by their zones. Index point_device_of_point. */
export async function measuredSpans(
  db: Db,
  ids: readonly AccountingPointId[],
): Promise<{ readonly zone: string; readonly from: number; readonly to: number | null }[]> {
  const { rows } = await sql<{ zone: string; from: number; to: number | null }>`
    select p.timezone as zone, min(pd.from_ts) as "from",
      case when bool_or(pd.to_ts is null) then null else max(pd.to_ts) end as "to"
    from point_device pd join accounting_point p on p.id = pd.point_id
    where pd.point_id = any(${[...ids]}::int[]) group by 1`.execute(db);
  return rows;
}

/** Zones of points. Primary key. */
export async function zonesOfPoints(
  db: Db,
  ids: readonly AccountingPointId[],
): Promise<ReadonlyMap<AccountingPointId, string>> {
  const { rows } = await sql<{ id: AccountingPointId; timezone: string }>`
    select id, timezone from accounting_point where id = any(${[...ids]}::int[])`.execute(db);
  return new Map(rows.map(({ id, timezone }) => [id, timezone]));
}

/**
 * The time from a moment on in which amounts of points follow from the ratio of a device: it measures them, and they
 * have neither transformers nor a ratio of their own. Indexes point_device_of_device, point_term_of_point.
 */
export async function spansWithRatioOfDevice(
  db: Db,
  { deviceId, from }: { readonly deviceId: DeviceId; readonly from: number },
): Promise<{ readonly zone: string; readonly from: number; readonly to: number | null }[]> {
  const { rows } = await sql<{ zone: string; from: number; to: number | null }>`
    select p.timezone as zone, lower(span)::float8 as "from", upper(span)::float8 as "to"
    from point_device pd join accounting_point p on p.id = pd.point_id
      cross join lateral unnest(int8multirange(int8range(greatest(pd.from_ts, ${from}::bigint), pd.to_ts))
        - coalesce((select range_agg(int8range(t.from_ts, t.to_ts)) from point_term t
          where t.point_id = pd.point_id and t.kind in ('ratio', 'current_transformer', 'voltage_transformer')),
          '{}'::int8multirange)) as span
    where pd.device_id = ${deviceId}::int and (pd.to_ts is null or pd.to_ts > ${from}::bigint)
    order by 2`.execute(db);
  return rows;
}

/** The point that a device measures now, of several the first. Index point_device_of_device. */
export async function currentPointOf(
  db: Db,
  { deviceId, now }: { readonly deviceId: DeviceId; readonly now: number },
): Promise<AccountingPointId | undefined> {
  const { rows } = await sql<{ point_id: AccountingPointId }>`
    select point_id from point_device where device_id = ${deviceId}::int and from_ts <= ${now}::bigint
      and (to_ts is null or to_ts > ${now}::bigint) order by point_id limit 1`.execute(db);
  return rows[0]?.point_id;
}

/** A device in use by its number, ignoring case. By `device_numbered`. */
export async function deviceNumbered(db: Db, scope: Scope, number: string): Promise<DeviceId | undefined> {
  const { rows } = await sql<{ id: DeviceId }>`
    select id from device where id = any(array(select device_numbered(${scope.companyId}::int, array[lower(${number})])))
      and ${visibleDevices(scope)} limit 1`.execute(db);
  return rows[0]?.id;
}
