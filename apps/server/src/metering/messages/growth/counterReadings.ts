import { fields, sources, type DeviceId, type FieldName } from "@metrum/vocabulary";
import type pg from "pg";
import { firstTime, rowsOfSpans, type MessageRow } from "../read/index.ts";
import { counterTypes, isTrusted, parseValues, statusOfValue, type FieldSets } from "../rows/index.ts";

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

/**
 * Trusted values of all counters of devices in spans that do not overlap, of readings and archives.
 * Rows: those of the spans, 1,465 a day for readings every minute.
 */
export async function counterReadings(
  client: pg.ClientBase,
  sets: FieldSets,
  spans: readonly DeviceSpan[],
): Promise<ReadonlyMap<DeviceId, CounterReadings>> {
  const ofTypes = spans.flatMap((span) => counterTypes.map((msgType) => ({ ...span, msgType })));
  const found = await rowsOfSpans(client, ofTypes);
  await sets.load(new Set(found.flatMap((rows) => rows.map((row) => row.field_set_id))));
  const byDevice = new Map<DeviceId, Map<FieldName, CounterReading[]>>();
  for (const [at, { deviceId, msgType }] of ofTypes.entries()) {
    const rows = found[at] ?? [];
    if (rows.length === 0) continue;
    const ofDevice = byDevice.get(deviceId) ?? new Map<FieldName, CounterReading[]>();
    byDevice.set(deviceId, ofDevice);
    for (const row of rows) addRow(ofDevice, sets, { row, msgType });
  }
  for (const ofDevice of byDevice.values())
    for (const readings of ofDevice.values()) readings.sort((a, b) => a.ts - b.ts || a.msgType - b.msgType);
  return byDevice;
}

function addRow(
  ofDevice: Map<FieldName, CounterReading[]>,
  sets: FieldSets,
  { row, msgType }: { readonly row: MessageRow; readonly msgType: number },
): void {
  const set = sets.byId(row.field_set_id);
  if (!set) return;
  const v = parseValues(row.v);
  for (const [at, name] of set.fields.entries()) {
    const value = v[at];
    if (typeof value !== "number" || fields[name].kind !== "counter") continue;
    const status = statusOfValue(row, name);
    if (!isTrusted(status)) continue;
    const readings = ofDevice.get(name) ?? [];
    ofDevice.set(name, readings);
    const isCalculated = (row.by_field?.[name]?.source ?? row.source) === sources.calculated;
    readings.push({ ts: row.ts, value, status, msgType, isCalculated });
  }
}

/** Time of the first row with counters from an instant on. */
export const firstCounterRow = (
  client: pg.ClientBase,
  { deviceId, from, to }: DeviceSpan,
): Promise<number | undefined> => firstTime(client, { deviceIds: [deviceId], types: counterTypes, from, to });
