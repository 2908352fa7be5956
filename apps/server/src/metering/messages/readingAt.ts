import { sources, type DeviceId, type FieldName } from "@metrum/vocabulary";
import type { Db } from "#core";
import type { FieldSets } from "./fieldSets.ts";
import { counterTypes } from "./instant.ts";
import { revisionsOf, type StoredRevision } from "./revisionPageStore.ts";
import { shownRows, type ShownRow } from "./shown.ts";
import { readSeries, readSeriesForward } from "./store.ts";
import { sourceOfValue, statusOfValue, trustedValues } from "./trust.ts";
import { parseValues } from "./values.ts";

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

/** Types with registers. */
const registerTypes = [1, 101, 103, 100] as const;
const reachSec = 62 * 86_400;
const rowsBack = 50;

/**
 * The newest trusted reading of a register at or before an instant, at most two months back, of whichever of these
 * types is the nearest, by default monthly archives included. Rows: 50 a type, by the primary key of message,
 * backwards.
 */
export async function readingAt(
  { db, sets }: Readers,
  of: {
    readonly deviceId: DeviceId;
    readonly field: FieldName;
    readonly at: number;
    readonly types?: readonly number[];
  },
): Promise<OriginalReading | undefined> {
  const { deviceId, field, at, types = registerTypes } = of;
  let best: OriginalReading | undefined;
  for (const msgType of types) {
    const read = await readSeries(db, { deviceId, msgType, from: at - reachSec, to: at, limit: rowsBack });
    for (const row of (await shownRows(sets, read)).toReversed()) {
      const value = trustedOf(row, field);
      if (value === null) continue;
      if (best === undefined || row.ts > best.ts) best = originOf(row, { msgType, field, value });
      break;
    }
  }
  return best;
}

interface OfSpan {
  readonly deviceId: DeviceId;
  readonly field: FieldName;
  /** Both inclusive. */
  readonly from: number;
  readonly to: number;
}

/** Time of the first trusted counter of a span. Rows: 50 a type. */
export async function firstReadingTime(
  { db, sets }: Readers,
  { deviceId, field, from, to }: OfSpan,
): Promise<number | undefined> {
  const times: number[] = [];
  for (const msgType of counterTypes) {
    const read = await readSeriesForward(db, { deviceId, msgType, from, to, limit: rowsBack });
    const first = (await shownRows(sets, read)).find((row) => trustedOf(row, field) !== null);
    if (first) times.push(first.ts);
  }
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Half-minutes of two days. */
const mostOfSpan = 6_000;

/** Trusted counters of a span, in the order of time, then of the type. Rows: those of the span, of three types. */
export async function counterOrigins(
  { db, sets }: Readers,
  { deviceId, field, from, to }: OfSpan,
): Promise<OriginalReading[]> {
  const found: OriginalReading[] = [];
  for (const msgType of counterTypes) {
    const read = await readSeries(db, { deviceId, msgType, from, to, limit: mostOfSpan });
    for (const row of await shownRows(sets, read)) {
      const value = trustedOf(row, field);
      if (value !== null) found.push(originOf(row, { msgType, field, value }));
    }
  }
  return found.sort((a, b) => a.ts - b.ts || a.msgType - b.msgType);
}

const trustedOf = (row: ShownRow, field: FieldName): number | null =>
  trustedValues(row)[row.set.fields.indexOf(field)] ?? null;

function originOf(
  row: ShownRow,
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
