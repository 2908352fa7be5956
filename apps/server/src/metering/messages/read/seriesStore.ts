import type { DeviceId, FieldName } from "@metrum/vocabulary";
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
  type FieldSets,
} from "../rows/index.ts";

/** A stored message; `v` in the order of the fields. `real` and `received` are seconds after `ts`. */
export interface SeriesRow {
  readonly ts: number;
  readonly real: number | null;
  readonly received: number;
  readonly status: number;
  readonly source: number;
  readonly set: { readonly fields: readonly FieldName[] };
  readonly v: readonly (number | null)[];
  readonly by_field: ByField | null;
  readonly extra: Readonly<Record<string, unknown>> | null;
}

const noFields: SeriesRow["set"] = { fields: [] };

export interface SeriesWanted {
  readonly deviceId: DeviceId;
  readonly msgType: number;
  /** Both inclusive. */
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

/**
 * The newest rows of a device and type in a period, oldest first: packed months will be merged in here. Rows: at most
 * `limit`; 1,488 a month for half-hours, 43,200 for minutes. Index: primary key (device_id, msg_type, ts), backwards, of
 * the partitions of the period only.
 */
export async function readSeries(db: Db, sets: FieldSets, wanted: SeriesWanted): Promise<SeriesRow[]> {
  return unpacked((await seriesQuery(wanted).execute(db)).rows, sets);
}

/** Rows of a period, and the newest of those before it, both oldest first. */
export interface SeriesAndBefore {
  readonly rows: SeriesRow[];
  readonly before: SeriesRow[];
}

/** The same together with at most `count` rows before the period, none older than `since`, in one statement. */
export async function readSeriesAndBefore(
  db: Db,
  sets: FieldSets,
  { since, count, ...wanted }: SeriesWanted & { readonly since: number; readonly count: number },
): Promise<SeriesAndBefore> {
  const before = { ...wanted, from: since, to: wanted.from - 1, limit: count };
  const { rows } = await sql<Packed & { readonly is_before: boolean }>`
    select false as is_before, p.* from (${seriesQuery(wanted)}) p
    union all select true, p.* from (${seriesQuery(before)}) p`.execute(db);
  const part = (isBefore: boolean): Promise<SeriesRow[]> =>
    unpacked(
      rows.filter(({ is_before }) => is_before === isBefore),
      sets,
    );
  return { rows: await part(false), before: await part(true) };
}

/**
 * The oldest rows of a device and type in a period, oldest first. Rows: at most `limit`. Index: primary key of
 * message, forwards.
 */
export async function readSeriesForward(db: Db, sets: FieldSets, wanted: SeriesWanted): Promise<SeriesRow[]> {
  return unpacked((await seriesQuery(wanted, sql`asc`).execute(db)).rows, sets);
}

/**
 * Rows of a part of the period in one: binary numbers one after another, encoded in base64, and what few rows have by
 * time. Of as many rows the driver would read each value by itself, and the database would write each number in digits.
 */
interface Packed {
  readonly ts: string;
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

/** Parts of a period: whole, its rows would be texts that are moved each time they grow. */
const parts = 16;

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
    ) read
    group by ts / ${Math.max(1, Math.ceil((to - from) / parts))}::bigint`;
}

/** Oldest first; the database groups them in any order. */
async function unpacked(packed: readonly Packed[], sets: FieldSets): Promise<SeriesRow[]> {
  const parts = packed.map(numbersOf);
  await sets.load(new Set(parts.flatMap(setIds)));
  const rows: SeriesRow[] = [];
  for (const part of parts) unpack(part, sets, rows);
  return rows.sort((a, b) => a.ts - b.ts);
}

interface Numbers extends Pick<Packed, "by_field" | "extra"> {
  readonly times: DataView;
  readonly stamps: DataView;
  readonly states: DataView;
  readonly values: DataView;
}

const numbersOf = ({ ts, offsets: stamps, kinds: states, v, by_field, extra }: Packed): Numbers => ({
  times: binaryOf(ts),
  stamps: binaryOf(stamps),
  states: binaryOf(states),
  values: binaryOf(v),
  by_field,
  extra,
});

function setIds({ states }: Numbers): number[] {
  const ids: number[] = [];
  for (let at = 0; at < states.byteLength; at += wholeBytes) {
    const id = states.getInt32(at);
    if (id !== ids.at(-1)) ids.push(id);
  }
  return ids;
}

function unpack(
  { times, stamps, states, values, by_field, extra }: Numbers,
  sets: FieldSets,
  rows: SeriesRow[],
): void {
  const [stampStep, stateStep] = [stepOf(stamps), stepOf(states)];
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
      set: sets.byId(states.getInt32(state)) ?? noFields,
      v,
      by_field: by_field?.[ts] ?? null,
      extra: extra?.[ts] ?? null,
    });
  }
}

/** Of a number that is there once. */
const stepOf = ({ byteLength }: DataView): number => (byteLength === wholeBytes ? 0 : wholeBytes);

/**
 * The latest values of a type, whatever their age, with the time stamps of the newest message: a message that
 * lacks a field does not hide its earlier value. One row, by the primary keys of device_latest and message.
 */
export async function readLatest(
  db: Db,
  sets: FieldSets,
  { deviceId, msgType }: Pick<SeriesWanted, "deviceId" | "msgType">,
): Promise<SeriesRow | undefined> {
  const { rows } = await sql<
    Omit<SeriesRow, "v" | "set"> & { readonly v: string; readonly field_set_id: number }
  >`
    select l.ts, m.real_ts_offset as real, (l.received_at - l.ts)::int as received, l.status, l.source, l.field_set_id,
      l.v::text as v, l.by_field, m.extra
    from device_latest l
    left join message m on m.device_id = l.device_id and m.msg_type = l.msg_type and m.ts = l.ts
    where l.device_id = ${deviceId}::int and l.msg_type = ${msgType}::smallint
  `.execute(db);
  const [found] = rows;
  if (!found) return undefined;
  const { field_set_id, v, ...row } = found;
  await sets.load([field_set_id]);
  return { ...row, set: sets.byId(field_set_id) ?? noFields, v: parseValues(v) };
}
