import type { AccountingPointId, DeviceId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import type { Db } from "#core";

/** The accounting point that a device measures now. */
export interface TiedPoint {
  readonly device_id: DeviceId;
  readonly id: AccountingPointId;
  readonly title: string;
  readonly resource_type_id: number;
  readonly parent_id: string | null;
  readonly standard: { readonly day?: number; readonly month?: number; readonly hour?: number } | null;
}

/** Points of devices of one page, of several the first. Rows: one a device, by point_device_of_device. */
export async function tiedPoints(
  db: Db,
  { ids, now }: { readonly ids: readonly DeviceId[]; readonly now: number },
): Promise<ReadonlyMap<DeviceId, TiedPoint>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<TiedPoint>`
    select distinct on (pd.device_id) pd.device_id, p.id, p.name as title, p.resource_type_id,
      p.object_id::text as parent_id, t.standard
    from point_device pd join accounting_point p on p.id = pd.point_id
      left join point_term t on t.point_id = p.id and t.kind = 'standard' and t.from_ts <= ${now}::bigint
        and (t.to_ts is null or t.to_ts > ${now}::bigint)
    where pd.device_id = any(${[...ids]}::int[]) and pd.from_ts <= ${now}::bigint
      and (pd.to_ts is null or pd.to_ts > ${now}::bigint)
    order by pd.device_id, p.id`.execute(db);
  return new Map(rows.map((row) => [row.device_id, row]));
}

/** Condition: a device of a resource that points have, which measures none. Index point_device_of_device. */
export const isFreeForPoints = (groups: readonly number[]): RawBuilder<unknown> => sql`(
  device.device_group_id = any(${[...groups]}::int[])
  and not exists (select from point_device pd where pd.device_id = device.id and pd.to_ts is null))`;

/** Condition: no accounting point rests on readings of the device. Index point_device_of_device. */
export const isWithoutPoints = sql`not exists (select from point_device pd where pd.device_id = device.id)`;

/** Those of these devices on whose readings a point rests. Index point_device_of_device. */
export async function devicesUnderPoints(db: Db, ids: readonly DeviceId[]): Promise<DeviceId[]> {
  const { rows } = await sql<{ id: DeviceId }>`
    select distinct device_id as id from point_device where device_id = any(${[...ids]}::int[])`.execute(db);
  return rows.map(({ id }) => id);
}

/** Names of the points that rest on readings of these devices, at most ten. Index point_device_of_device. */
export async function pointsRestingOn(db: Db, ids: readonly DeviceId[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct p.name from point_device pd join accounting_point p on p.id = pd.point_id
    where pd.device_id = any(${[...ids]}::int[]) order by 1 limit 10`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * From which moment on the ratio that this transaction is about to set is valid: read by the trigger of migration
 * 0095.
 */
export async function setRatioFrom(db: Db, from: number): Promise<void> {
  await sql`select set_config('metrum.ratio_from', ${String(from)}, true)`.execute(db);
}
