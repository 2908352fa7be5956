import { dayOf, startOfDay, type Day } from "#core";
import { isTrusted, type FieldSet } from "./types.ts";

/** What the row of a day says of the messages of one device, type and set of fields; merging two is exact in any order. */
export interface DayRow {
  readonly deviceId: number;
  readonly msgType: number;
  readonly set: FieldSet;
  readonly day: Day;
  hours: number;
  n: number;
  firstTs: number;
  lastTs: number;
  first: readonly number[];
  last: readonly number[];
  readonly sum: number[];
  readonly min: number[];
  readonly max: number[];
}

/** A message as the day sees it; `v` has holes only where `daySet` has no field. */
export interface DayMessage {
  readonly device: { readonly id: number; readonly zone: string };
  readonly msgType: number;
  readonly ts: number;
  readonly status: number;
  readonly daySet: FieldSet;
  readonly v: readonly (number | null)[];
}

/** Rows of the days of these messages, in the order of the table's key when the messages are in the order of theirs. */
export function sumDays(messages: Iterable<DayMessage>): DayRow[] {
  const days = new Map<string, DayRow>();
  let current: DayRow | undefined;
  for (const message of messages) {
    if (!isTrusted(message.status) || message.daySet.fields.length === 0) continue;
    const { day, start } = dayAt(message.device.zone, message.ts);
    if (current && isSameDay(current, message, day)) add(current, message, start);
    else {
      const key = `${String(message.device.id)} ${String(message.msgType)} ${String(day)} ${String(message.daySet.id)}`;
      current = days.get(key);
      if (current) add(current, message, start);
      else days.set(key, (current = open(message, day, start)));
    }
  }
  return [...days.values()].sort(compareDays);
}

/** The order in which day rows are locked. */
export function compareDays(a: DayKey, b: DayKey): number {
  return a.deviceId - b.deviceId || a.msgType - b.msgType || a.day - b.day || a.set.id - b.set.id;
}

export interface DayKey {
  readonly deviceId: number;
  readonly msgType: number;
  readonly day: Day;
  readonly set: FieldSet;
}

function isSameDay(row: DayRow, message: DayMessage, day: Day): boolean {
  return (
    row.day === day &&
    row.deviceId === message.device.id &&
    row.msgType === message.msgType &&
    row.set === message.daySet
  );
}

/** The values without holes, which are in the order of the day's set; most messages have none. */
function numbersOf({ v, daySet }: DayMessage): readonly number[] {
  return v.length === daySet.fields.length ? (v as readonly number[]) : v.filter((value) => value !== null);
}

function open(message: DayMessage, day: Day, start: number): DayRow {
  const values = numbersOf(message);
  const moving = message.daySet.moving.map((at) => values[at] ?? 0);
  return {
    deviceId: message.device.id,
    msgType: message.msgType,
    set: message.daySet,
    day,
    hours: hourBit(message.ts, start),
    n: 1,
    firstTs: message.ts,
    lastTs: message.ts,
    first: values,
    last: values,
    sum: moving,
    min: [...moving],
    max: [...moving],
  };
}

function add(row: DayRow, message: DayMessage, start: number): void {
  const values = numbersOf(message);
  row.hours |= hourBit(message.ts, start);
  row.n += 1;
  if (message.ts < row.firstTs) [row.firstTs, row.first] = [message.ts, values];
  if (message.ts > row.lastTs) [row.lastTs, row.last] = [message.ts, values];
  row.set.moving.forEach((from, at) => {
    const value = values[from] ?? 0;
    row.sum[at] = (row.sum[at] ?? 0) + value;
    row.min[at] = Math.min(row.min[at] ?? value, value);
    row.max[at] = Math.max(row.max[at] ?? value, value);
  });
}

const hourBit = (ts: number, start: number): number => 1 << Math.floor((ts - start) / 3600);

const starts = new Map<string, Map<Day, number>>();

/** The calendar day of an instant with its first second; both are asked once a reading. */
function dayAt(zone: string, ts: number): { day: Day; start: number } {
  const day = dayOf(zone, ts);
  let ofZone = starts.get(zone);
  if (!ofZone) starts.set(zone, (ofZone = new Map<Day, number>()));
  let start = ofZone.get(day);
  if (start === undefined) ofZone.set(day, (start = startOfDay(zone, day)));
  return { day, start };
}
