import type { FieldName } from "@metrum/vocabulary";
import { dayOf, offsetSec, rounded, startOfDay, sum } from "#core";
import { grown, growth, higherOf, type CounterRange, type Point } from "../growth/index.ts";

/** Trusted readings of one counter, oldest first, without nulls, and its capacity. */
export interface Counter {
  readonly ts: readonly number[];
  readonly value: readonly number[];
  readonly range: CounterRange;
}

export interface Derived {
  readonly msgType: 5 | 100 | 101;
  readonly ts: number;
  readonly values: Readonly<Partial<Record<FieldName, number>>>;
}

const halfHour = 1800;
const hour = 3600;

/**
 * How far apart the readings around an instant may be for the counter to be interpolated there: a third more
 * than the interval they bound, a quarter of a day for a day. Beyond it there is a gap, which is never
 * filled.
 */
export const nearSec = { halfHour: (halfHour * 4) / 3, hour: (hour * 4) / 3, day: 6 * hour } as const;

/** Average power derived from each energy counter. */
const powerOf: readonly (readonly [FieldName, FieldName])[] = [
  ["tariff0", "power_a_plus"],
  ["tariff_negative0", "power_a_minus"],
  ["tariff_reactive0", "power_r_plus"],
  ["tariff_reactive_negative0", "power_r_minus"],
];

/**
 * Counter value at an instant: read then, or interpolated between two near readings, also across a rollover;
 * null where it is unknown.
 */
export function counterAt({ ts, value, range }: Counter, at: number, near: number): number | null {
  const after = firstNotBefore(ts, at);
  const [next, nextTs] = [value[after], ts[after]];
  if (next === undefined || nextTs === undefined) return null;
  if (nextTs === at) return rounded(next);
  const [last, lastTs] = [value[after - 1], ts[after - 1]];
  if (last === undefined || lastTs === undefined || nextTs - lastTs > near) return null;
  const by = growth({ ts: lastTs, value: last }, { ts: nextTs, value: next }, range);
  return by === null ? null : grown(last, (by * (at - lastTs)) / (nextTs - lastTs), range);
}

/**
 * Consumption between two instants, both known within `near`: summed over the readings between them, so that
 * a reset in the middle makes it unknown however high the counter is at the end.
 */
function countedBetween(
  counter: Counter,
  [from, to]: readonly [number, number],
  near: number,
): number | null {
  const { ts, value, range } = counter;
  const [start, end] = [counterAt(counter, from, near), counterAt(counter, to, near)];
  if (start === null || end === null) return null;
  let last: Point = { ts: from, value: start };
  const steps: number[] = [];
  for (let at = firstNotBefore(ts, from + 1); (ts[at] ?? to) < to; at++) {
    const next = { ts: ts[at] ?? to, value: value[at] ?? Number.NaN };
    const step = growth(last, next, range);
    if (step === null) return null;
    steps.push(step);
    last = higherOf(last, next);
  }
  const step = growth(last, { ts: to, value: end }, range);
  return step === null ? null : sum([...steps, step]);
}

function firstNotBefore(ts: readonly number[], at: number): number {
  let [low, high] = [0, ts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ts[middle] ?? Infinity) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface Wanted {
  readonly counters: ReadonlyMap<FieldName, Counter>;
  readonly zone: string;
  /** Rows in this range, both ends inclusive; the counters extend beyond it by the maximum distance. */
  readonly from: number;
  readonly to: number;
  /** The active energy counter of the profile; without it there is none. */
  readonly profileFrom: FieldName | undefined;
}

/**
 * Rows derived from counter readings: average power of half-hours (stamped with their start), the counters at
 * whole hours and at the midnights of the zone. The ratio of a current transformer is not applied.
 */
export function derive(wanted: Wanted): Derived[] {
  const profile = wanted.profileFrom === undefined ? [] : profileRows(wanted, wanted.profileFrom);
  return [
    ...profile,
    ...archiveRows(wanted, { msgType: 100, moments: steps(wanted, hour), near: nearSec.hour }),
    ...archiveRows(wanted, { msgType: 101, moments: midnights(wanted), near: nearSec.day }),
  ];
}

function profileRows(wanted: Wanted, profileFrom: FieldName): Derived[] {
  const sources = powerOf
    .map(([from, to]) => [wanted.counters.get(to === "power_a_plus" ? profileFrom : from), to] as const)
    .flatMap(([counter, to]) => (counter ? [[counter, to] as const] : []));
  const rows: Derived[] = [];
  for (const ts of steps(wanted, halfHour)) {
    const values: Partial<Record<FieldName, number>> = {};
    for (const [counter, to] of sources) {
      const energy = countedBetween(counter, [ts, ts + halfHour], nearSec.halfHour);
      if (energy !== null) values[to] = rounded(energy * (hour / halfHour));
    }
    if (Object.keys(values).length > 0) rows.push({ msgType: 5, ts, values });
  }
  return rows;
}

function archiveRows(
  { counters }: Wanted,
  how: { readonly msgType: 100 | 101; readonly moments: Iterable<number>; readonly near: number },
): Derived[] {
  const rows: Derived[] = [];
  for (const ts of how.moments) {
    const values: Partial<Record<FieldName, number>> = {};
    for (const [name, counter] of counters) {
      const value = counterAt(counter, ts, how.near);
      if (value !== null) values[name] = value;
    }
    if (Object.keys(values).length > 0) rows.push({ msgType: how.msgType, ts, values });
  }
  return rows;
}

/** Whole hours of the zone's clock: if it is a quarter of an hour off UTC, so are its hours. */
function* steps({ zone, from, to }: Wanted, step: number): Iterable<number> {
  const next = (at: number): number => {
    const offset = offsetSec(zone, at);
    return Math.ceil((at + offset) / step) * step - offset;
  };
  for (let at = next(from); at <= to; at = next(at + 1)) yield at;
}

function* midnights({ zone, from, to }: Wanted): Iterable<number> {
  for (let day = dayOf(zone, from); day <= dayOf(zone, to); day++) {
    const at = startOfDay(zone, day);
    if (at >= from && at <= to) yield at;
  }
}
