import { sources, statuses, type DeviceId, type FieldName } from "@metrum/vocabulary";
import type { Db } from "#core";
import {
  counterTypes,
  isTrusted,
  parseValues,
  sourceOfValue,
  statusOfValue,
  trustedValues,
  type FieldSets,
} from "../rows/index.ts";
import { revisionsIn, revisionsOf, type StoredRevision } from "./revisionPageStore.ts";
import { readSeries, type SeriesRow } from "../read/index.ts";

/** A stored reading of a register, with where it comes from. */
export interface OriginalReading {
  readonly msgType: number;
  readonly ts: number;
  readonly value: number;
  readonly status: number;
  readonly source: number;
  readonly receivedAt: number;
  /** Seconds by which the meter's clock was ahead of the server's; null: not known. */
  readonly clockOff: number | null;
  readonly isCalculated: boolean;
}

type Readers = Readonly<{ db: Db; sets: FieldSets }>;

const rowsBack = 50;

/**
 * The newest trusted reading of a register at or before an instant, whatever its age, of whichever type is the nearest. Rows: 50 a type, by the primary key of message, backwards.
 */
export async function readingAt(
  { db, sets }: Readers,
  { deviceId, field, at }: { readonly deviceId: DeviceId; readonly field: FieldName; readonly at: number },
): Promise<OriginalReading | undefined> {
  let best: OriginalReading | undefined;
  for (const msgType of counterTypes) {
    const rows = await readSeries(db, sets, { deviceId, msgType, from: 0, to: at, limit: rowsBack });
    for (const row of rows.toReversed()) {
      const value = trustedOf(row, field);
      if (value === null) continue;
      if (best === undefined || row.ts > best.ts) best = originOf(row, { msgType, field, value });
      break;
    }
  }
  return best;
}

/** Half-minutes of two days. */
const mostOfSpan = 6_000;

/**
 * Trusted counters of a span, both ends inclusive, by register, in the order of time, then of the type. Rows: those
 * of the span, of each type.
 */
export async function counterOrigins(
  { db, sets }: Readers,
  of: {
    readonly deviceId: DeviceId;
    readonly names: readonly FieldName[];
    readonly types: readonly number[];
    readonly from: number;
    readonly to: number;
  },
): Promise<ReadonlyMap<FieldName, readonly OriginalReading[]>> {
  const { deviceId, names, types, from, to } = of;
  const found = new Map(names.map((field): [FieldName, OriginalReading[]] => [field, []]));
  for (const msgType of types) {
    for (const row of await readSeries(db, sets, { deviceId, msgType, from, to, limit: mostOfSpan }))
      for (const [field, readings] of found) {
        const value = trustedOf(row, field);
        if (value !== null) readings.push(originOf(row, { msgType, field, value }));
      }
  }
  for (const readings of found.values()) readings.sort((a, b) => a.ts - b.ts || a.msgType - b.msgType);
  return found;
}

const trustedOf = (row: SeriesRow, field: FieldName): number | null =>
  trustedValues(row)[row.set.fields.indexOf(field)] ?? null;

function originOf(
  row: SeriesRow,
  { msgType, field, value }: { msgType: number; field: FieldName; value: number },
): OriginalReading {
  const own = row.by_field?.[field];
  const source = sourceOfValue(row, field);
  return {
    msgType,
    ts: row.ts,
    value,
    status: statusOfValue(row, field),
    source,
    receivedAt: own?.received_at ?? row.ts + row.received,
    clockOff: row.real === null || own ? null : row.real - row.received,
    isCalculated: source === sources.calculated,
  };
}

/** An earlier version of a reading of a register. */
export interface EarlierReading extends Omit<StoredRevision, "v" | "field_set_id"> {
  readonly value: number | null;
}

/** Earlier and refused versions of a row, as values of one register, newest first. */
export async function earlierReadings(
  { db, sets }: Readers,
  of: {
    readonly deviceId: DeviceId;
    readonly msgType: number;
    readonly ts: number;
    readonly field: FieldName;
  },
): Promise<EarlierReading[]> {
  const rows = await revisionsOf(db, of);
  await sets.load(rows.map((row) => row.field_set_id));
  return rows.map(({ v, field_set_id, ...row }) => {
    const at = sets.byId(field_set_id)?.fields.indexOf(of.field) ?? -1;
    return { ...row, value: at < 0 ? null : (parseValues(v)[at] ?? null) };
  });
}

/** An earlier version of a counter that may have counted, with its key. */
export interface ReplacedReading extends EarlierReading {
  readonly msgType: number;
  readonly ts: number;
}

/**
 * Earlier versions of rows of a span, both ends inclusive, that were trusted, as values of one register, newest first.
 * Values that followed from other readings are left out: they are computed again with these.
 */
export async function replacedReadings(
  { db, sets }: Readers,
  of: {
    readonly deviceId: DeviceId;
    readonly field: FieldName;
    readonly types: readonly number[];
    readonly from: number;
    readonly to: number;
  },
): Promise<ReplacedReading[]> {
  const rows = await revisionsIn(db, of);
  await sets.load(rows.map((row) => row.field_set_id));
  return rows.flatMap(({ v, field_set_id, by_field, msg_type, ...row }) => {
    const status = statusOfValue({ ...row, by_field }, of.field);
    const isDerived =
      sourceOfValue({ ...row, by_field }, of.field) === sources.calculated &&
      status !== statuses.estimated.id;
    const value = parseValues(v)[sets.byId(field_set_id)?.fields.indexOf(of.field) ?? -1] ?? null;
    if (value === null || isDerived || !isTrusted(status)) return [];
    return [{ ...row, msgType: msg_type, status, value }];
  });
}
