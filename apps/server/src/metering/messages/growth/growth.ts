import { difference, numberOf, sum } from "#core";
import { noiseOf, type CounterRange, type LoadFacts, type Point } from "./counter.ts";
import { isNumber, isVouched } from "../rows/index.ts";
import { doubtedGrowth, fitsLoad, isLeap } from "./load.ts";

/**
 * A rollover leads from the last of these shares of the capacity to the first; any other decrease is a reset
 * or a fault.
 */
const share = 1 / 10;

/**
 * Consumption between two trusted values of a counter, in the unit of the values and rounded to six decimals.
 * 999 990 and then 10 give 20 for a capacity of 1 000 000, if that fits the usual load and the time between them.
 * Null if unknown: one of the two is missing, the counter is lower without having rolled over, or it has leapt to more
 * than it can have counted, so it was reset, replaced or misread. Never negative.
 *
 * The only place that subtracts counter values. Callers omit suspect and rejected values: the difference is
 * taken to the previous trusted one, or to `higherOf` both where differences are added up.
 */
export function growth(
  before: Point | undefined,
  now: Point | undefined,
  range: CounterRange,
): number | null {
  if (!isNumber(before?.value) || !isNumber(now?.value)) return null;
  if (now.value >= before.value) {
    const by = difference(now.value, before.value);
    return isVouchedPoint(now) || !isLeap(by, [before, now], range) ? by : null;
  }
  if (isNoise(before.value, now.value)) return 0;
  const { capacity, start } = range;
  if (capacity === undefined || !isNearEnds(before.value - start, now.value - start, capacity)) return null;
  const by = sum([capacity, -before.value, now.value]);
  return fitsLoad(by, [before, now], range) ? by : null;
}

const isVouchedPoint = ({ status }: Pick<Point, "status">): boolean =>
  status !== undefined && isVouched({ status });

const isNoise = (before: number, now: number): boolean => now < before && before - now <= noiseOf(before);

/**
 * The value from which the next growth is counted: a decrease within the noise leaves the counter where it was, so
 * that a value that wobbles adds up to nothing.
 */
export const higherOf = <Of extends Point>(before: Of | undefined, now: Of): Of =>
  before && isNoise(before.value, now.value) ? { ...now, value: before.value } : now;

/** A rollover never leads below the start, and no value lies beyond the capacity. */
function isNearEnds(before: number, now: number, capacity: number): boolean {
  const noise = noiseOf(capacity);
  const isLast = before > capacity * (1 - share) && before <= capacity + noise;
  return isLast && now > -noise && now < capacity * share;
}

/** Counter value after an increase: beyond its capacity it rolls over. Rounded to six decimals. */
export function grown(from: number, by: number, { capacity, start }: CounterRange): number {
  const value = sum([from, by]);
  return capacity !== undefined && by > 0 && from < start + capacity && value >= start + capacity
    ? difference(value, capacity)
    : value;
}

/** Range of a counter in millionths of its unit. */
export interface ExactRange extends LoadFacts {
  readonly capacity: bigint | undefined;
  readonly start: bigint;
}

/** A value of a counter in millionths of its unit. */
export interface ExactPoint extends Pick<Point, "ts" | "status"> {
  readonly value: bigint;
}

export interface ExactGrowth {
  /** Millionths of the unit; below zero only within the noise, so that sums are those of the ends. */
  readonly by: bigint;
  readonly hasRolledOver: boolean;
  /** It is so much that the usual load may decide whether it is believed. */
  readonly isMuch: boolean;
}

/** `growth` in exact arithmetic, for sums that are billed: values in millionths. */
export function exactGrowth(before: ExactPoint, now: ExactPoint, range: ExactRange): ExactGrowth | null {
  const by = now.value - before.value;
  const { capacity } = range;
  if (by >= 0n && (capacity === undefined || !mayBeMuch(by, now.ts - before.ts, range))) return small(by);
  const [last, next] = [inUnits(before), inUnits(now)];
  if (isNoise(last.value, next.value)) return small(by);
  if (capacity === undefined) return null;
  const units = { ...range, capacity: numberOf(capacity), start: numberOf(range.start) };
  if (by >= 0n) {
    const isBelieved = isVouchedPoint(now) || !isLeap(numberOf(by), [last, next], units);
    return isBelieved ? { by, hasRolledOver: false, isMuch: true } : null;
  }
  if (!isNearEnds(last.value - units.start, next.value - units.start, units.capacity)) return null;
  const over = capacity + by;
  return fitsLoad(numberOf(over), [last, next], units)
    ? { by: over, hasRolledOver: true, isMuch: false }
    : null;
}

const small = (by: bigint): ExactGrowth => ({ by, hasRolledOver: false, isMuch: false });

/** By floats in millionths: most growth is far below, and no exact number is needed to see that. */
const mayBeMuch = (by: bigint, sec: number, { capacity, holdsHours }: ExactRange): boolean =>
  Number(by) > doubtedGrowth(sec, { capacity: Number(capacity), holdsHours });

const inUnits = ({ ts, value }: ExactPoint): Point => ({ ts, value: numberOf(value) });
