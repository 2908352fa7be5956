import type { DeviceId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import type { Db } from "#core";
import {
  beforeElements,
  binaryOf,
  bytesOfFloat,
  floatAt,
  parseValues,
  wholeAt,
  wholeBytes,
  type ByField,
} from "../rows/index.ts";

/** A stored message; `v` in the order of the field set. `real` and `received` are seconds after `ts`. */
export interface SeriesRow {
  readonly ts: number;
  readonly real: number | null;
  readonly received: number;
  readonly status: number;
  readonly source: number;
  readonly field_set_id: number;
  readonly v: readonly (number | null)[];
  readonly by_field: ByField | null;
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
 * The newest rows of a device and type in a period, oldest first: packed months will be merged in here. Rows: at most `limit`; 1,488 a month for half-hours, 43,200
 * for minutes. Index: primary key (device_id, msg_type, ts), backwards, of the partitions of the period only.
 */
export async function readSeries(db: Db, wanted: SeriesWanted): Promise<SeriesRow[]> {
  const [packed] = (await seriesQuery(wanted).execute(db)).rows;
  return unpacked(packed).reverse();
}

/** Rows of a period, and the newest of those before it, both oldest first. */
export interface SeriesAndBefore {
  readonly rows: SeriesRow[];
  readonly before: SeriesRow[];
}

/** The same together with at most `count` rows before the period, none older than `since`, in one statement. */
export async function readSeriesAndBefore(
  db: Db,
  wanted: SeriesWanted,
  { since, count }: { readonly since: number; readonly count: number },
): Promise<SeriesAndBefore> {
  const before = { ...wanted, from: since, to: wanted.from - 1, limit: count };
  const { rows } = await sql<Packed & { readonly is_before: boolean }>`
    select false as is_before, p.* from (${seriesQuery(wanted)}) p
    union all select true, p.* from (${seriesQuery(before)}) p`.execute(db);
  const part = (isBefore: boolean): SeriesRow[] =>
    unpacked(rows.find(({ is_before }) => is_before === isBefore)).reverse();
  return { rows: part(false), before: part(true) };
}

/**
 * The oldest rows of a device and type in a period, oldest first. Rows: at most `limit`. Index: primary key of
 * message, forwards.
 */
export async function readSeriesForward(db: Db, wanted: SeriesWanted): Promise<SeriesRow[]> {
  const [packed] = (await seriesQuery(wanted, sql`asc`).execute(db)).rows;
  return unpacked(packed);
}

/**
 * All rows in one: binary numbers one after another, encoded in base64, and what few rows have by time; null without any
 * row. Of as many rows the driver would read each value by itself, and the database would write each number in digits.
 */
interface Packed {
  readonly ts: string | null;
  /** Both offsets as halves of a number, once if all rows have the same. Without a stamp of the meter `noStamp`. */
  readonly offsets: string;
  /** Field set, number of values, status and source (below 256) as parts of a number, once if all rows have the same. */
  readonly kinds: string;
  readonly v: string;
  readonly by_field: Readonly<Record<string, ByField>> | null;
  readonly extra: Readonly<Record<string, Readonly<Record<string, unknown>>>> | null;
}

/** Beyond every offset: those are at most 2^31 - 1 either way. */
const noStamp = -(2 ** 31);
const offsets = sql`((coalesce(real_ts_offset, ${sql.lit(noStamp)})::int8 << 32) | (received_at_offset::int8 & 4294967295))`;
const kinds = sql`((field_set_id::int8 << 32) | (cardinality(v)::int8 << 16) | (status::int8 << 8) | source)`;

const encoded = (bytes: RawBuilder<unknown>) => sql`encode(${bytes}, 'base64')`;
const onceIfEqual = (numbers: RawBuilder<unknown>) =>
  encoded(sql`case when min(${numbers}) = max(${numbers}) then int8send(min(${numbers}))
    else string_agg(int8send(${numbers}), '') end`);

/** The statement of `readSeries`, exported for the test of its plan. */
export function seriesQuery(
  { deviceId, msgType, from, to, limit }: SeriesWanted,
  order: RawBuilder<unknown> = sql`desc`,
): RawBuilder<Packed> {
  return sql<Packed>`
    select ${encoded(sql`string_agg(int8send(ts), '')`)} as ts, ${onceIfEqual(offsets)} as offsets, ${onceIfEqual(kinds)} as kinds,
      ${encoded(sql`string_agg(substr(array_send(v), ${sql.lit(beforeElements + 1)}), '')`)} as v,
      json_object_agg(ts, by_field) filter (where by_field is not null) as by_field,
      json_object_agg(ts, extra) filter (where extra is not null) as extra
    from (
      select ts, real_ts_offset, received_at_offset, status, source, field_set_id, v, by_field, extra
      from message
      where device_id = ${deviceId}::int and msg_type = ${msgType}::smallint and ts >= ${from}::bigint and ts <= ${to}::bigint
      order by ts ${order} limit ${limit}::int
    ) read`;
}

function unpacked(packed: Packed | undefined): SeriesRow[] {
  if (!packed || packed.ts === null) return [];
  const { by_field, extra } = packed;
  const [times, stamps, states, values] = (["ts", "offsets", "kinds", "v"] as const).map((name) =>
    binaryOf(packed[name] ?? ""),
  ) as [DataView, DataView, DataView, DataView];
  const [stampStep, stateStep] = [stepOf(stamps), stepOf(states)];
  const rows: SeriesRow[] = [];
  for (let n = 0, place = 0; n * wholeBytes < times.byteLength; n++) {
    const ts = wholeAt(times, n * wholeBytes);
    const [stamp, state] = [n * stampStep, n * stateStep];
    const real = stamps.getInt32(stamp);
    const length = states.getUint16(state + 4);
    const v = new Array<number | null>(length);
    for (let at = 0; at < length; at++) {
      v[at] = floatAt(values, place);
      place += bytesOfFloat(v[at]);
    }
    rows.push({
      ts,
      real: real === noStamp ? null : real,
      received: stamps.getInt32(stamp + 4),
      status: states.getUint8(state + 6),
      source: states.getUint8(state + 7),
      field_set_id: states.getInt32(state),
      v,
      by_field: by_field?.[ts] ?? null,
      extra: extra?.[ts] ?? null,
    });
  }
  return rows;
}

/** Of a number that is there once. */
const stepOf = ({ byteLength }: DataView): number => (byteLength === wholeBytes ? 0 : wholeBytes);

/**
 * The latest values of a type, whatever their age, with the time stamps of the newest message: a message that
 * lacks a field does not hide its earlier value. One row, by the primary keys of device_latest and message.
 */
export async function readLatest(
  db: Db,
  { deviceId, msgType }: Pick<SeriesWanted, "deviceId" | "msgType">,
): Promise<SeriesRow | undefined> {
  const { rows } = await sql<Omit<SeriesRow, "v"> & { readonly v: string }>`
    select l.ts, m.real_ts_offset as real, (l.received_at - l.ts)::int as received, l.status, l.source, l.field_set_id,
      l.v::text as v, l.by_field, m.extra
    from device_latest l
    left join message m on m.device_id = l.device_id and m.msg_type = l.msg_type and m.ts = l.ts
    where l.device_id = ${deviceId}::int and l.msg_type = ${msgType}::smallint
  `.execute(db);
  const [row] = rows;
  return row && { ...row, v: parseValues(row.v) };
}
