import type { Day } from "#core";
import { dayAt } from "./dayAt.ts";
import { inOrderOf, trustedValues, type ByField, type FieldSet, type ValueOrigin } from "../rows/index.ts";

type Values = readonly (number | null)[];

/** Number of trusted values of each field in a day, and times of the first and last; null without any. */
export interface FieldCounts {
  readonly n: (number | null)[];
  readonly firstTs: (number | null)[];
  readonly lastTs: (number | null)[];
}

/**
 * Daily aggregate of the messages of one device and type. `first` and `last` are in the order of the set,
 * `sum`, `min` and `max` of its fields that are not counters; a field without a trusted value is null
 * everywhere. Merging two is exact in any order: only the rows themselves are needed.
 */
export interface DayRow {
  readonly deviceId: number;
  readonly msgType: number;
  readonly set: FieldSet;
  readonly day: Day;
  hours: number;
  /** Messages with a trusted value, and the first and last of them. */
  n: number;
  firstTs: number;
  lastTs: number;
  first: Values;
  last: Values;
  sum: (number | null)[];
  min: (number | null)[];
  max: (number | null)[];
  /** By field; undefined while every field with a value has it in every message of the day. */
  counts: FieldCounts | undefined;
}

/** A message as input of the aggregate. */
export interface DayMessage {
  readonly device: { readonly id: number; readonly zone: string };
  readonly msgType: number;
  readonly ts: number;
  readonly status: number;
  readonly by_field: ByField<Pick<ValueOrigin, "status">> | null;
  readonly set: FieldSet;
  readonly v: Values;
}

export interface DayKey {
  readonly deviceId: number;
  readonly msgType: number;
  readonly day: Day;
}

/**
 * Rows of the days of these messages, in the order of the table's key if the messages are in the order of
 * theirs. The messages of one day have one set. Only trusted values count, each by itself.
 */
export function sumDays(messages: Iterable<DayMessage>): DayRow[] {
  const days: DayRow[] = [];
  let current: DayRow | undefined;
  let isInOrder = true;
  for (const message of messages) {
    const v = trustedValues(message);
    if (!hasValue(v)) continue;
    const { device, msgType, ts } = message;
    const { day, start } = dayAt(device.zone, ts);
    const hour = 1 << Math.floor((ts - start) / 3600);
    if (current?.day === day && current.deviceId === device.id && current.msgType === msgType) {
      add(current, ts, { v, hour });
      continue;
    }
    const opened = open(message, day, { v, hour });
    if (current && compareDays(current, opened) > 0) isInOrder = false;
    days.push((current = opened));
  }
  return isInOrder ? days : united(days);
}

/** One row per day, in the order of the key. */
function united(days: readonly DayRow[]): DayRow[] {
  const rows: DayRow[] = [];
  for (const day of [...days].sort(compareDays)) {
    const last = rows.at(-1);
    if (last && compareDays(last, day) === 0) rows[rows.length - 1] = mergedDays(last, day, day.set);
    else rows.push(day);
  }
  return rows;
}

export const dayKeyOf = ({ deviceId, msgType, day }: DayKey): string =>
  `${String(deviceId)} ${String(msgType)} ${String(day)}`;

/** Keys of the days of these messages, whether or not their values are trusted; in the order of the key. */
export function daysTouched<Message extends Pick<DayMessage, "device" | "msgType" | "ts" | "set">>(
  messages: Iterable<Message>,
): (DayKey & { readonly of: Message })[] {
  const keys = new Map<string, DayKey & { readonly of: Message }>();
  let last: DayKey | undefined;
  for (const message of messages) {
    const { day } = dayAt(message.device.zone, message.ts);
    const [deviceId, { msgType }] = [message.device.id, message];
    if (last?.day === day && last.deviceId === deviceId && last.msgType === msgType) continue;
    const key = { deviceId, msgType, day, of: message };
    last = key;
    if (!keys.has(dayKeyOf(key))) keys.set(dayKeyOf(key), key);
  }
  return [...keys.values()].sort(compareDays);
}

/** The items, each with a message, grouped by the day of the message, in their order. */
export function byDay<Each>(all: Iterable<Each>, messageOf: (each: Each) => DayMessage): Map<string, Each[]> {
  const days = new Map<string, Each[]>();
  let last: (DayKey & { readonly own: Each[] }) | undefined;
  for (const each of all) {
    const { device, msgType, ts } = messageOf(each);
    const { day } = dayAt(device.zone, ts);
    if (last?.day !== day || last.deviceId !== device.id || last.msgType !== msgType) {
      const name = dayKeyOf({ deviceId: device.id, msgType, day });
      const own = days.get(name) ?? [];
      days.set(name, own);
      last = { deviceId: device.id, msgType, day, own };
    }
    last.own.push(each);
  }
  return days;
}

/** Whether its day counts a message: one of its values is trusted. */
export const isCounted = (message: Pick<DayMessage, "status" | "by_field" | "set" | "v">): boolean =>
  hasValue(trustedValues(message));

/** The row of a day without a message, to be locked before there is one. */
export function emptyDay({ deviceId, msgType, day }: DayKey, set: FieldSet): DayRow {
  const v = set.fields.map(() => null);
  const moving = set.moving.map(() => null);
  return {
    deviceId,
    msgType,
    day,
    set,
    hours: 0,
    n: 0,
    firstTs: 0,
    lastTs: 0,
    first: v,
    last: v,
    sum: moving,
    min: moving,
    max: moving,
    counts: undefined,
  };
}

/** The order in which day rows are locked. */
export function compareDays(a: DayKey, b: DayKey): number {
  return a.deviceId - b.deviceId || a.msgType - b.msgType || a.day - b.day;
}

interface Trusted {
  readonly v: Values;
  /** Bit of the elapsed hour of the day. */
  readonly hour: number;
}

function open({ device, msgType, ts, set }: DayMessage, day: Day, { v, hour }: Trusted): DayRow {
  const moving = set.moving.map((at) => v[at] ?? null);
  return {
    deviceId: device.id,
    msgType,
    set,
    day,
    hours: hour,
    n: 1,
    firstTs: ts,
    lastTs: ts,
    first: v,
    last: v,
    sum: moving,
    min: [...moving],
    max: [...moving],
    counts: undefined,
  };
}

function add(row: DayRow, ts: number, { v, hour }: Trusted): void {
  row.hours |= hour;
  if (row.counts || !hasSameHoles(row.first, v)) addByField(row, ts, v);
  else {
    row.n += 1;
    if (ts < row.firstTs) [row.firstTs, row.first] = [ts, v];
    if (ts > row.lastTs) [row.lastTs, row.last] = [ts, v];
  }
  const { set, sum, min, max } = row;
  for (let at = 0; at < set.moving.length; at++) {
    const value = v[set.moving[at] ?? -1] ?? null;
    if (value === null) continue;
    sum[at] = (sum[at] ?? 0) + value;
    if (value < (min[at] ?? Infinity)) min[at] = value;
    if (value > (max[at] ?? -Infinity)) max[at] = value;
  }
}

function hasValue(v: Values): boolean {
  for (const value of v) if (value !== null) return true;
  return false;
}

export function hasSameHoles(a: Values, b: Values): boolean {
  for (let at = 0; at < a.length; at++) if ((a[at] === null) !== (b[at] === null)) return false;
  return true;
}

function addByField(row: DayRow, ts: number, v: Values): void {
  const counts = (row.counts ??= countsOf(row));
  const [first, last] = [[...row.first], [...row.last]];
  v.forEach((value, at) => {
    if (value === null) return;
    counts.n[at] = (counts.n[at] ?? 0) + 1;
    if (ts < (counts.firstTs[at] ?? Infinity)) [counts.firstTs[at], first[at]] = [ts, value];
    if (ts > (counts.lastTs[at] ?? -Infinity)) [counts.lastTs[at], last[at]] = [ts, value];
  });
  row.n += 1;
  row.firstTs = Math.min(row.firstTs, ts);
  row.lastTs = Math.max(row.lastTs, ts);
  [row.first, row.last] = [first, last];
}

/** Counts of the row for each field, made explicit. */
function countsOf({ counts, first, n, firstTs, lastTs }: DayRow): FieldCounts {
  if (counts) return counts;
  const where = (value: number) => first.map((each) => (each === null ? null : value));
  return { n: where(n), firstTs: where(firstTs), lastTs: where(lastTs) };
}

/** Both rows merged; they are of the same day, and the set has the fields of both. */
export function mergedDays(a: DayRow, b: DayRow, set: FieldSet): DayRow {
  const [x, y] = [inSet(a, set), inSet(b, set)];
  const [cx, cy] = [countsOf(x), countsOf(y)];
  const [n, firstTs, lastTs] = [
    both(cx.n, cy.n, (one, two) => one + two),
    both(cx.firstTs, cy.firstTs, Math.min),
    both(cx.lastTs, cy.lastTs, Math.max),
  ];
  const merged: DayRow = {
    ...a,
    set,
    hours: a.hours | b.hours,
    n: a.n + b.n,
    firstTs: Math.min(a.firstTs, b.firstTs),
    lastTs: Math.max(a.lastTs, b.lastTs),
    first: firstTs.map((ts, at) => (ts === cx.firstTs[at] ? x.first[at] : y.first[at]) ?? null),
    last: lastTs.map((ts, at) => (ts === cx.lastTs[at] ? x.last[at] : y.last[at]) ?? null),
    sum: both(x.sum, y.sum, (one, two) => one + two),
    min: both(x.min, y.min, Math.min),
    max: both(x.max, y.max, Math.max),
    counts: { n, firstTs, lastTs },
  };
  return isUniform(merged) ? { ...merged, counts: undefined } : merged;
}

function both(a: Values, b: Values, join: (one: number, two: number) => number): (number | null)[] {
  return a.map((one, at) => {
    const two = b[at] ?? null;
    return one === null ? two : two === null ? one : join(one, two);
  });
}

function isUniform({ first, n, firstTs, lastTs, counts }: DayRow): boolean {
  if (!counts) return true;
  return first.every(
    (value, at) =>
      value === null ||
      (counts.n[at] === n && counts.firstTs[at] === firstTs && counts.lastTs[at] === lastTs),
  );
}

/** The row in the order of another set with all its fields. */
export function inSet(row: DayRow, set: FieldSet): DayRow {
  if (row.set.id === set.id) return row;
  const of = (v: Values) => [...inOrderOf(set, row.set, v)];
  // Sums exist for the fields that are not counters, in their order.
  const places = new Map(row.set.moving.map((at, place) => [row.set.fields[at], place]));
  const moved = (v: Values) => set.moving.map((at) => v[places.get(set.fields[at]) ?? -1] ?? null);
  const { counts } = row;
  return {
    ...row,
    set,
    first: of(row.first),
    last: of(row.last),
    sum: moved(row.sum),
    min: moved(row.min),
    max: moved(row.max),
    counts: counts && { n: of(counts.n), firstTs: of(counts.firstTs), lastTs: of(counts.lastTs) },
  };
}
