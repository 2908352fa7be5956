import { fieldNames, isFieldName, sources, statuses } from "@metrum/vocabulary";
import type { Facts } from "./facts.ts";
import type { FieldSets } from "./fieldSets.ts";
import { fellBack, isOutOfTime, statusOf, type Level } from "./judge.ts";
import type { Levels } from "./levels.ts";
import type { DeviceFacts, FieldSet, Incoming, Row, Values } from "./types.ts";

/** A batch in the shape of the tables: sorted by key, one row a key, the rest set apart. */
export interface Prepared {
  readonly rows: readonly Row[];
  /** Rows of keys that occur earlier in the batch, in the order in which they came. */
  readonly again: readonly Row[];
  readonly aside: readonly { readonly reading: Incoming; readonly at: number }[];
  readonly unknown: readonly number[];
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

type Draft = Omit<Row, "status"> & { readonly reading: Incoming };

/** Derived rows stand on half-hours: between two of them a new counter reading changes none. */
const derivedStepSec = 1800;
const largestOffset = 2 ** 31 - 1;

export async function prepare(batch: readonly Incoming[], deps: Deps): Promise<Prepared> {
  const facts = await deps.facts.of(deviceIds(batch));
  const shapes = await learnShapes(batch, deps.sets);
  const unknown: number[] = [];
  const aside: { reading: Incoming; at: number }[] = [];
  const drafts: Draft[] = [];
  batch.forEach((reading, at) => {
    const device = facts.get(reading.deviceId);
    const shape = shapes[at];
    if (!device || !shape || !isType(reading.msgType)) unknown.push(at);
    else if (isOutOfTime(reading)) aside.push({ reading, at });
    else drafts.push(draft(reading, device, shape, at));
  });
  sortByKey(drafts);
  await deps.levels.load(pairsOf(drafts));
  const { rows, again } = judge(drafts, deps.levels);
  return { rows, again, aside, unknown, due: dueOf(rows, deps.levels), heard: heardOf(rows) };
}

const isType = (id: number): boolean => Number.isInteger(id) && id > 0 && id < 32_768;

function* deviceIds(batch: readonly Incoming[]): Iterable<number> {
  for (const { deviceId } of batch) yield deviceId;
}

interface Shape {
  readonly set: FieldSet;
  readonly daySet: FieldSet;
  readonly v: readonly (number | null)[];
}

const isNumber = (value: number | null | undefined): value is number =>
  typeof value === "number" && Number.isFinite(value);

/** Field sets of each reading, values in their order. What is no finite number was not measured. */
async function learnShapes(batch: readonly Incoming[], sets: FieldSets): Promise<(Shape | undefined)[]> {
  const keys = batch.map(({ values }) => Object.keys(values).join(","));
  const dayKeys = batch.map(({ values }, at) => dayKey(values, keys[at] ?? ""));
  await sets.learn(new Set([...keys, ...dayKeys].filter((key) => !sets.known(key)).filter(isKnownKey)));
  return batch.map(({ values }, at) => {
    const set = sets.known(keys[at] ?? "");
    const daySet = sets.known(dayKeys[at] ?? "");
    if (!set || !daySet) return undefined;
    return { set, daySet, v: set.fields.map((name) => (isNumber(values[name]) ? values[name] : null)) };
  });
}

function dayKey(values: Values, whole: string): string {
  for (const value of Object.values(values))
    if (!isNumber(value))
      return fieldNames.filter((name) => name in values && isNumber(values[name])).join(",");
  return whole;
}

const isKnownKey = (key: string): boolean => key === "" || key.split(",").every(isFieldName);

function draft(reading: Incoming, device: DeviceFacts, shape: Shape, at: number): Draft {
  const { meterAt, extra } = reading;
  const isNear = meterAt !== undefined && Math.abs(meterAt - reading.ts) <= largestOffset;
  return {
    reading,
    device,
    msgType: reading.msgType,
    ts: reading.ts,
    meterAt: isNear ? Math.round(meterAt) : null,
    receivedAt: Math.round(reading.receivedAt),
    source: sources[reading.source],
    ...shape,
    // PostgreSQL has no place for a zero character in JSON.
    extra: extra ? JSON.stringify(extra).replaceAll("\\u0000", "") : null,
    isDecided: reading.status !== undefined || reading.source === "manual",
    userId: reading.userId ?? null,
    reason: reading.reason ?? null,
    at,
  };
}

/** The order in which every batch takes its locks, so that two batches never wait for each other in a circle. */
export function compareKeys(a: Key, b: Key): number {
  return a.device.id - b.device.id || a.msgType - b.msgType || a.ts - b.ts;
}

interface Key {
  readonly device: { readonly id: number };
  readonly msgType: number;
  readonly ts: number;
}

function sortByKey(drafts: Draft[]): void {
  const isSorted = drafts.every((each, at) => {
    const before = drafts[at - 1];
    return !before || compareKeys(before, each) <= 0;
  });
  if (!isSorted) drafts.sort((a, b) => compareKeys(a, b) || a.at - b.at);
}

function pairsOf(drafts: readonly Draft[]): { deviceId: number; msgType: number }[] {
  const pairs: { deviceId: number; msgType: number }[] = [];
  for (const { device, msgType } of drafts) {
    const last = pairs.at(-1);
    if (last?.deviceId !== device.id || last.msgType !== msgType)
      pairs.push({ deviceId: device.id, msgType });
  }
  return pairs;
}

/** Gives every row its status, holding each counter against the row before it: in the batch, else in the store. */
function judge(drafts: readonly Draft[], levels: Levels): { rows: Row[]; again: Row[] } {
  const rows: Row[] = [];
  const again: Row[] = [];
  let level: Level | undefined;
  let before: Draft | undefined;
  for (const each of drafts) {
    const isSamePair = before?.device === each.device && before.msgType === each.msgType;
    const isAgain = isSamePair && before?.ts === each.ts;
    if (!isSamePair) level = levels.of(each.device.id, each.msgType);
    const hasFallen = !isAgain && fellBelow(level, each);
    const { reading, ...rest } = each;
    const status = reading.status ? statuses[reading.status].id : statusOf(reading, each.device, hasFallen);
    (isAgain ? again : rows).push({ ...rest, status });
    if (!isAgain && (!level || level.ts < each.ts)) level = { ts: each.ts, set: each.set, v: each.v };
    before = each;
  }
  return { rows, again: again.sort((a, b) => a.at - b.at) };
}

function fellBelow(level: Level | undefined, draft: Draft): boolean {
  if (!level || level.ts >= draft.ts || draft.reading.source === "calculated") return false;
  return fellBack(level, draft, draft.device.counterCapacity);
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
  for (const { device, source, ts, receivedAt } of rows) {
    if (source === sources.manual || source === sources.calculated) continue;
    const at = source === sources.imported ? Math.min(ts, receivedAt) : receivedAt;
    if (at > (heard.get(device.id) ?? 0)) heard.set(device.id, at);
  }
  return heard;
}
