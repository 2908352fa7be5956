import { sources, statuses } from "@metrum/vocabulary";
import type { Facts } from "./facts.ts";
import type { FieldSets } from "./fieldSets.ts";
import { fellBack, isOutOfTime, statusOf, type Level } from "./judge.ts";
import type { Levels } from "./levels.ts";
import { isNumber, shapesOf, type Shape } from "./shapes.ts";
import type { DeviceFacts, Incoming, Row } from "./types.ts";

/** A batch in the shape of the tables: sorted by key, one row a key, the rest set apart. */
export interface Prepared {
  readonly rows: readonly Row[];
  /** Rows of keys that occur earlier in the batch, in the order in which they came. */
  readonly again: readonly Row[];
  /** Every row is newer than all that is known of its device and type, so its key is free as far as one can tell. */
  readonly isFresh: boolean;
  readonly aside: readonly { readonly reading: Incoming; readonly at: number }[];
  /** Spans of counters whose derived rows are to be recomputed, by device. */
  readonly due: ReadonlyMap<number, Span>;
  /** When each device was last heard of, by these readings. */
  readonly heard: ReadonlyMap<number, number>;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

interface Deps {
  readonly facts: Facts;
  readonly sets: FieldSets;
  readonly levels: Levels;
}

/** A reading that will be stored, with what is known of it. */
interface Known {
  readonly reading: Incoming;
  readonly device: DeviceFacts;
  readonly shape: Shape;
  readonly at: number;
}

/** Derived rows stand on half-hours: between two of them a new counter reading changes none. */
const derivedStepSec = 1800;
const largestOffset = 2 ** 31 - 1;

export async function prepare(batch: readonly Incoming[], deps: Deps): Promise<Prepared> {
  const facts = await deps.facts.of(deviceIds(batch));
  const shapes = await shapesOf(batch, deps.sets);
  const aside: { reading: Incoming; at: number }[] = [];
  const known: Known[] = [];
  batch.forEach((reading, at) => {
    const device = facts.get(reading.deviceId);
    const shape = shapes[at];
    if (!device || !shape || !isType(reading.msgType)) return;
    if (isOutOfTime(reading)) aside.push({ reading, at });
    else known.push({ reading, device, shape, at });
  });
  sortByKey(known);
  await deps.levels.load(pairsOf(known));
  const judged = judge(known, deps.levels);
  return { ...judged, aside, due: dueOf(judged.rows, deps.levels), heard: heardOf(judged.rows) };
}

const isType = (id: number): boolean => Number.isInteger(id) && id > 0 && id < 32_768;

function* deviceIds(batch: readonly Incoming[]): Iterable<number> {
  let last: number | undefined;
  for (const { deviceId } of batch) {
    if (deviceId !== last) yield deviceId;
    last = deviceId;
  }
}

/** The order in which every batch takes its locks, so that two batches never wait for each other in a circle. */
export function compareKeys(a: Row, b: Row): number {
  return a.device.id - b.device.id || a.msgType - b.msgType || a.ts - b.ts;
}

function compare({ reading: a }: Known, { reading: b }: Known): number {
  return a.deviceId - b.deviceId || a.msgType - b.msgType || a.ts - b.ts;
}

function sortByKey(known: Known[]): void {
  const isSorted = known.every((each, at) => {
    const before = known[at - 1];
    return !before || compare(before, each) <= 0;
  });
  if (!isSorted) known.sort((a, b) => compare(a, b) || a.at - b.at);
}

function pairsOf(known: readonly Known[]): { deviceId: number; msgType: number }[] {
  const pairs: { deviceId: number; msgType: number }[] = [];
  let last: Incoming | undefined;
  for (const { reading } of known) {
    if (last?.deviceId !== reading.deviceId || last.msgType !== reading.msgType)
      pairs.push({ deviceId: reading.deviceId, msgType: reading.msgType });
    last = reading;
  }
  return pairs;
}

/** Gives every row its status, holding each counter against the row before it: in the batch, else in the store. */
function judge(known: readonly Known[], levels: Levels): Pick<Prepared, "rows" | "again" | "isFresh"> {
  const rows: Row[] = [];
  const again: Row[] = [];
  let isFresh = true;
  let level: Level | undefined;
  let before: Row | undefined;
  for (const each of known) {
    const { device, reading } = each;
    const isSamePair = before?.device === device && before.msgType === reading.msgType;
    if (!isSamePair) level = levels.of(device.id, reading.msgType);
    const row = rowOf(each, level);
    if (isSamePair && before?.ts === row.ts) {
      again.push(row);
      continue;
    }
    rows.push(row);
    if (!level || level.ts < row.ts) level = row;
    else isFresh = false;
    before = row;
  }
  again.sort((a, b) => a.at - b.at);
  return { rows, again, isFresh };
}

function rowOf({ reading, device, shape, at }: Known, level: Level | undefined): Row {
  const { meterAt, extra, ts, values, source, status } = reading;
  const { set, daySet } = shape;
  const v = set.fields.map((name) => {
    const value = values[name];
    return isNumber(value) ? value : null;
  });
  const hasFallen =
    level !== undefined && level.ts < ts && source !== "calculated" && fellBack(level, { set, v }, device);
  return {
    device,
    msgType: reading.msgType,
    ts,
    meterAt: meterAt !== undefined && Math.abs(meterAt - ts) <= largestOffset ? Math.round(meterAt) : null,
    receivedAt: Math.round(reading.receivedAt),
    status: status ? statuses[status].id : statusOf(reading, device, hasFallen),
    source: sources[source],
    set,
    daySet,
    v,
    // PostgreSQL has no place for a zero character in JSON.
    extra: extra ? JSON.stringify(extra).replaceAll("\\u0000", "") : null,
    isDecided: status !== undefined || source === "manual",
    userId: reading.userId ?? null,
    reason: reading.reason ?? null,
    at,
  };
}

/**
 * Which derived rows these readings may change: none when a new reading is the newest and stands in the same half-hour as
 * the one before it, which is so for 29 of 30 readings that come every minute.
 */
function dueOf(rows: readonly Row[], levels: Levels): Map<number, Span> {
  const due = new Map<number, Span>();
  for (const { device, msgType, ts, set } of rows) {
    if (msgType !== 1 || set.counters.length === 0) continue;
    const level = levels.of(device.id, msgType);
    const isNewest = level !== undefined && ts > level.ts;
    if (isNewest && Math.floor(ts / derivedStepSec) === Math.floor(level.ts / derivedStepSec)) continue;
    const span = due.get(device.id);
    due.set(device.id, { from: Math.min(span?.from ?? ts, ts), to: Math.max(span?.to ?? ts, ts) });
  }
  return due;
}

/** Polled and pushed rows say that the device lives at the moment of receipt, imported ones that it lived in their slot. */
function heardOf(rows: readonly Row[]): Map<number, number> {
  const heard = new Map<number, number>();
  let [id, latest] = [0, 0];
  for (const { device, source, ts, receivedAt } of rows) {
    if (source === sources.manual || source === sources.calculated) continue;
    const at = source === sources.imported ? Math.min(ts, receivedAt) : receivedAt;
    if (device.id === id && at <= latest) continue;
    [id, latest] = [device.id, Math.max(at, heard.get(device.id) ?? 0)];
    heard.set(id, latest);
  }
  return heard;
}
