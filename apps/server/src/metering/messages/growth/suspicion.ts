import { sources, statuses, type FieldName } from "@metrum/vocabulary";
import type pg from "pg";
import {
  isLeftOut,
  isTrusted,
  originAt,
  parseValues,
  sourceOfValue,
  statusOfValue,
  type FieldSets,
  type Row,
  type Standing,
  type ValueOrigin,
} from "../rows/index.ts";
import { nearestRows, type MessageRow } from "../read/index.ts";
import { counterRange, type StoredPoint } from "./counter.ts";
import { follows } from "./judge.ts";
import type { SamplesOf } from "./loads.ts";

/** Rows searched for the previous value: a counter that none of them has is not compared. */
const mostBefore = 20;
/** How far back they may be. */
const beforeSec = 62 * 86_400;

/** Counters of a key with their previous value. */
export type Before = ReadonlyMap<FieldName, StoredPoint>;

/** A key with its stored row and the readings that may replace it. */
interface Key {
  readonly stored: Standing;
  readonly readings: readonly Row[];
}

/**
 * The newest values before these rows, for rows that would change a value of a counter: their own
 * stored row was skipped by the first check. Rows: 20 per key.
 */
export async function readBefore<Of extends Key>(
  client: pg.ClientBase,
  sets: FieldSets,
  keys: readonly Of[],
): Promise<ReadonlyMap<Of, Before>> {
  const lookups = keys.flatMap((key) => {
    const row = key.readings.find((reading) => doubtful(reading, key.stored).length > 0);
    return row ? [{ key, row }] : [];
  });
  if (lookups.length === 0) return new Map();
  const read = await nearestRows(
    client,
    lookups.map(({ row }) => ({ deviceId: row.device.id, msgType: row.msgType, ts: row.ts - 1 })),
    { upTo: mostBefore, reachSec: beforeSec - 1 },
  );
  await sets.load(read.flatMap((rows) => rows.map((row) => row.field_set_id)));
  return new Map(lookups.map(({ key }, at) => [key, newestOf(sets, read[at] ?? [])]));
}

/** The newest value of each counter in rows by time, without those that are left out. */
function newestOf(sets: FieldSets, rows: readonly MessageRow[]): Before {
  const found = new Map<FieldName, StoredPoint>();
  for (const row of rows.toReversed()) {
    const set = sets.byId(row.field_set_id);
    if (!set) continue;
    const v = parseValues(row.v);
    for (const at of set.counters) {
      const [name, value] = [set.fields[at], v[at] ?? null];
      if (name === undefined || value === null || found.has(name)) continue;
      const status = statusOfValue(row, name);
      if (!isLeftOut({ status, source: sourceOfValue(row, name) }))
        found.set(name, { ts: row.ts, value, status });
    }
  }
  return found;
}

/** Counters that the newcomer would change, without an explicit status. */
function doubtful(next: Row, standing: Standing): readonly FieldName[] {
  if (next.isDecided || next.source === sources.calculated) return nothing;
  let names: FieldName[] | undefined;
  for (const at of next.set.counters) {
    const [name, value] = [next.set.fields[at], next.v[at] ?? null];
    if (name === undefined || value === null) continue;
    const place = standing.set.at.get(name) ?? -1;
    const before = standing.v[place] ?? null;
    if (before !== null && value !== before) (names ??= []).push(name);
  }
  return names ?? nothing;
}

const nothing: readonly FieldName[] = [];

/**
 * The newcomer, suspect in each counter that cannot follow the value before its key: a retry must not
 * clear a suspicion. Without a previous value a suspicion stays.
 */
export function suspected(
  next: Row,
  standing: Standing,
  { before, samplesOf }: { readonly before: Before | undefined; readonly samplesOf: SamplesOf },
): Row {
  const doubts = doubtful(next, standing);
  if (doubts.length === 0) return next;
  const names = doubts.filter((name) => {
    const earlier = before?.get(name);
    const at = next.set.at.get(name) ?? -1;
    const place = standing.set.at.get(name) ?? -1;
    if (!earlier) return !isTrusted(originAt(standing, place).status);
    const now = { ts: next.ts, value: next.v[at] ?? earlier.value };
    const { device } = next;
    return !follows(earlier, now, counterRange(device, name, samplesOf(device.id, name)));
  });
  return names.length === 0 ? next : { ...next, ...withSuspects(next, names) };
}

/** The row gets the most severe status, suspect; of its values only these are suspect. */
export function withSuspects(
  row: Omit<Standing, "meterAt" | "extra">,
  suspects: readonly FieldName[],
): Pick<Row, "status" | "by_field"> {
  const by_field: Record<string, ValueOrigin> = {};
  row.set.fields.forEach((name, at) => {
    if ((row.v[at] ?? null) === null || suspects.includes(name)) return;
    by_field[name] = originAt(row, at);
  });
  return {
    status: statuses.suspect.id,
    by_field: Object.keys(by_field).length > 0 ? by_field : null,
  };
}
