import type { FieldName } from "@metrum/vocabulary";
import type { DeviceMetadata } from "./types.ts";
import { isNumber } from "./values.ts";

/** The numbers that a counter can show, in the unit of its stored values: from `start` up to, not including, `start + capacity`. */
export interface CounterRange {
  /** What it counts through before it begins anew; undefined: it is not known to do so. */
  readonly capacity: number | undefined;
  readonly start: number;
}

/** A counter of which no capacity is known: every fall of it is a reset or a fault. */
export const withoutRollover: CounterRange = { capacity: undefined, start: 0 };

/** A rollover leads from the last of these shares of the capacity to the first; any other fall is a reset or a fault. */
const share = 1 / 10;
/** Floats of one reading may differ in the last digits after a conversion of units: such a fall is no growth and no fault. */
const noise = 1e-9;
/** Stored values are rounded to six decimals: what a difference of floats adds beyond them is noise. */
const smallest = 1e-6;

/** Six decimals, so that the differences of neighbouring readings add up to that of the first and the last. */
export const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

/** The range of one counter of a device. Where a counter of pulses begins is known for its main counter only. */
export function counterRange(
  { counterCapacity, counterStart }: Pick<DeviceMetadata, "counterCapacity" | "counterStart">,
  name: FieldName,
): CounterRange {
  return { capacity: counterCapacity, start: counterStart?.field === name ? counterStart.value : 0 };
}

/**
 * What a counter has counted between two of its trusted values, in the unit of the values and rounded to six decimals.
 * 999 990 and then 10 give 20 where the capacity is 1 000 000. Null where it cannot be known: one of the two is missing,
 * or the counter stands lower without having rolled over, so it was reset, replaced or misread. Never negative.
 *
 * The only place that subtracts counter values. Whoever calls it has left out what is suspect or rejected: a value that
 * is not trusted is skipped, and the difference is taken to the trusted one before it.
 */
export function growth(
  before: number | null | undefined,
  now: number | null | undefined,
  range: CounterRange,
): number | null {
  if (!isNumber(before) || !isNumber(now)) return null;
  if (now >= before) return rounded(now - before);
  if (now >= before - Math.abs(before) * noise) return 0;
  const { capacity, start } = range;
  if (capacity === undefined || !hasRolledOver(before - start, now - start, capacity)) return null;
  return rounded(capacity - before + now);
}

/** Below its start no counter comes by rolling over, and none has stood beyond its capacity. */
function hasRolledOver(before: number, now: number, capacity: number): boolean {
  const isLast = before > capacity * (1 - share) && before <= capacity + smallest;
  return isLast && now > -smallest && now < capacity * share;
}

/** What a counter shows after it has grown by so much: beyond its capacity it begins anew. Rounded to six decimals. */
export function grown(from: number, by: number, { capacity, start }: CounterRange): number {
  const value = rounded(from + by);
  return capacity !== undefined && by > 0 && from < start + capacity && value >= start + capacity
    ? rounded(value - capacity)
    : value;
}
