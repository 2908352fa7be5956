import { fields, sources, type DeviceId, type FieldName } from "@metrum/vocabulary";
import type pg from "pg";
import {
  counterTypes,
  int4Array,
  int8Array,
  isTrusted,
  parseValues,
  statusOfValue,
  type ByField,
  type FieldSets,
} from "../rows/index.ts";

const typeList = counterTypes.join(", ");

/** A trusted value of a counter. */
export interface CounterReading {
  readonly ts: number;
  readonly value: number;
  readonly status: number;
  readonly msgType: number;
  /** It follows from other readings. */
  readonly isCalculated: boolean;
}

/** By field, in the order of time, then of the message type. */
export type CounterReadings = ReadonlyMap<FieldName, readonly CounterReading[]>;

export interface DeviceSpan {
  readonly deviceId: DeviceId;
  /** Both inclusive. */
  readonly from: number;
  readonly to: number;
}

interface CounterRow {
  readonly device_id: DeviceId;
  readonly msg_type: number;
  readonly ts: number;
  readonly status: number;
  readonly source: number;
  readonly field_set_id: number;
  readonly v: string;
  readonly by_field: ByField | null;
}

/**
 * Trusted values of all counters of devices in spans that do not overlap, of readings and archives.
 * Rows: those of the spans, 1,465 a day for readings every minute. Index: primary key of message, the partitions of
 * each span.
 */
export async function counterReadings(
  client: pg.ClientBase,
  sets: FieldSets,
  spans: readonly DeviceSpan[],
): Promise<ReadonlyMap<DeviceId, CounterReadings>> {
  const { rows } = await client.query<CounterRow>({
    name: "messages-counters",
    text: `select k.device_id, t.msg_type, m.* from unnest($1::int4[], $2::int8[], $3::int8[]) as k(device_id, from_ts, to_ts)
      cross join unnest(array[${typeList}]::int2[]) as t(msg_type)
      cross join lateral (
        select ts, status, source, field_set_id, v::text as v, by_field from message
        where device_id = k.device_id and msg_type = t.msg_type and ts >= k.from_ts and ts <= k.to_ts
      ) m`,
    values: [
      int4Array(spans.map(({ deviceId }) => deviceId)),
      int8Array(spans.map(({ from }) => from)),
      int8Array(spans.map(({ to }) => to)),
    ],
  });
  await sets.load(new Set(rows.map((row) => row.field_set_id)));
  const found = new Map<DeviceId, Map<FieldName, CounterReading[]>>();
  for (const row of rows.sort((a, b) => a.ts - b.ts || a.msg_type - b.msg_type)) addRow(found, sets, row);
  return found;
}

function addRow(
  found: Map<DeviceId, Map<FieldName, CounterReading[]>>,
  sets: FieldSets,
  row: CounterRow,
): void {
  const set = sets.byId(row.field_set_id);
  if (!set) return;
  const ofDevice = found.get(row.device_id) ?? new Map<FieldName, CounterReading[]>();
  found.set(row.device_id, ofDevice);
  const v = parseValues(row.v);
  for (const [at, name] of set.fields.entries()) {
    const value = v[at];
    if (typeof value !== "number" || fields[name].kind !== "counter") continue;
    const status = statusOfValue(row, name);
    if (!isTrusted(status)) continue;
    const readings = ofDevice.get(name) ?? [];
    ofDevice.set(name, readings);
    const isCalculated = (row.by_field?.[name]?.source ?? row.source) === sources.calculated;
    readings.push({ ts: row.ts, value, status, msgType: row.msg_type, isCalculated });
  }
}

/** Time of the first row with counters from an instant on. Four rows, by the primary key of message. */
export async function firstCounterRow(
  client: pg.ClientBase,
  { deviceId, from, to }: DeviceSpan,
): Promise<number | undefined> {
  const { rows } = await client.query<{ ts: number | null }>({
    name: "messages-counters-next",
    text: `select min(first.ts) as ts from unnest(array[${typeList}]::int2[]) as k(msg_type)
      cross join lateral (
        select ts from message where device_id = $1::int4 and msg_type = k.msg_type and ts >= $2::int8 and ts <= $3::int8
        order by ts limit 1
      ) first`,
    values: [deviceId, from, to],
  });
  return rows[0]?.ts ?? undefined;
}
