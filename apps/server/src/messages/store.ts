import type { DeviceId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import type { Db, Scope } from "#core";

/** What a view must know of the device whose messages it shows. */
export interface ShownDevice {
  readonly id: DeviceId;
  readonly model_id: number;
  readonly device_group_id: number;
  readonly transformation_ratio: number;
  readonly zone: string;
}

/** The device of a view; its id came through `resolve`. One row by primary key. */
export async function shownDevice(db: Db, scope: Scope, id: DeviceId): Promise<ShownDevice | undefined> {
  const { rows } = await sql<ShownDevice>`
    select d.id, d.model_id, d.device_group_id, d.transformation_ratio, coalesce(d.timezone, c.timezone) as zone
    from device d join company c on c.id = d.company_id
    where d.id = ${id}::int and d.company_id = ${scope.companyId}::int
  `.execute(db);
  return rows[0];
}

/** A stored message; `v` is the text of the array, in the order of the field set. */
export interface SeriesRow {
  readonly ts: number;
  readonly real: number | null;
  readonly received: number;
  readonly status: number;
  readonly source: number;
  readonly field_set_id: number;
  readonly v: string;
  readonly extra: Readonly<Record<string, unknown>> | null;
}

export interface SeriesWanted {
  readonly deviceId: DeviceId;
  readonly msgType: number;
  /** Both inclusive. */
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

/**
 * The newest rows of a device and type in a period, oldest first. The one way by which messages of a period are read:
 * packed months will be merged in here.
 * Rows: at most `limit`; 1,488 a month for half-hours, 43,200 for minutes. Index: primary key (device_id, msg_type, ts),
 * backwards, of the partitions of the period only.
 */
export async function readSeries(db: Db, wanted: SeriesWanted): Promise<SeriesRow[]> {
  const { rows } = await seriesQuery(wanted).execute(db);
  return rows.reverse();
}

/** The statement of `readSeries`, by itself for the test of its plan. */
export function seriesQuery({ deviceId, msgType, from, to, limit }: SeriesWanted): RawBuilder<SeriesRow> {
  return sql<SeriesRow>`
    select ts, real_ts_offset as real, received_at_offset as received, status, source, field_set_id, v::text as v, extra
    from message
    where device_id = ${deviceId}::int and msg_type = ${msgType}::smallint and ts >= ${from}::bigint and ts <= ${to}::bigint
    order by ts desc limit ${limit}::int`;
}

/**
 * Half-hour rows of a profile by hours of the zone: averages, which are at the same time the energy of the hour. An hour
 * of which a half is missing has no value. The status that needs most attention and the latest receipt stand for the hour.
 * Rows read: two for each given. Index: primary key, as in `readSeries`.
 */
export async function readHours(
  db: Db,
  wanted: SeriesWanted & { readonly offsetSec: number },
): Promise<SeriesRow[]> {
  const { deviceId, msgType, from, to, limit, offsetSec } = wanted;
  const { rows } = await sql<SeriesRow>`
    select hour as ts, null::int as real, max(received) as received, max(status) as status, max(source) as source,
      field_set_id, array_agg(x order by ord)::text as v, null::jsonb as extra
    from (
      select hour, field_set_id, ord, case when count(x) = 2 then avg(x) end as x, max(status) as status,
        max(source) as source, max(received) as received
      from (
        select ts - (ts + ${offsetSec}::int) % 3600 as hour, field_set_id, status, source,
          (received_at_offset + (ts + ${offsetSec}::int) % 3600)::int as received, v
        from message
        where device_id = ${deviceId}::int and msg_type = ${msgType}::smallint and ts >= ${from}::bigint and ts <= ${to}::bigint
      ) halves cross join lateral unnest(v) with ordinality as u(x, ord)
      group by hour, field_set_id, ord
    ) fields
    group by hour, field_set_id order by hour desc limit ${limit}::int
  `.execute(db);
  return rows.reverse();
}

/** The last row before a time, looked for two months back: what the first row of a view is counted from. */
export async function readBefore(
  db: Db,
  wanted: Pick<SeriesWanted, "deviceId" | "msgType"> & { readonly before: number },
): Promise<SeriesRow | undefined> {
  const [row] = await readSeries(db, {
    ...wanted,
    from: wanted.before - 62 * 86_400,
    to: wanted.before - 1,
    limit: 1,
  });
  return row;
}

/** The newest row of a type, whatever its age. One row, by the primary keys of device_latest and message. */
export async function readLatest(
  db: Db,
  { deviceId, msgType }: Pick<SeriesWanted, "deviceId" | "msgType">,
): Promise<SeriesRow | undefined> {
  const { rows } = await sql<{ ts: number }>`
    select ts from device_latest where device_id = ${deviceId}::int and msg_type = ${msgType}::smallint
  `.execute(db);
  const ts = rows[0]?.ts;
  if (ts === undefined) return undefined;
  const [row] = await readSeries(db, { deviceId, msgType, from: ts, to: ts, limit: 1 });
  return row;
}
