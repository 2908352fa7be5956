import type { FieldName } from "@metrum/vocabulary";
import { difference, sum } from "#core";
import type { DeviceMetadata } from "./types.ts";
import { isNumber } from "./values.ts";

/**
 * Range of a counter in the unit of its stored values: from `start` up to, not including, `start + capacity`.
 */
export interface CounterRange {
  /** Its capacity before rollover; undefined: unknown. */
  readonly capacity: number | undefined;
  readonly start: number;
}

/** A counter of unknown capacity: every decrease is a reset or a fault. */
export const withoutRollover: CounterRange = { capacity: undefined, start: 0 };

/**
 * A rollover leads from the last of these shares of the capacity to the first; any other decrease is a reset
 * or a fault.
 */
const share = 1 / 10;
/**
 * Floats of one reading may differ in the last digits after a unit conversion: such a decrease is neither
 * consumption nor a fault.
 */
const noise = 1e-9;
/** Stored values are rounded to six decimals: further digits of a difference of floats are noise. */
const smallest = 1e-6;

/** What is known of the counters of a device. */
export type CounterFacts = Pick<DeviceMetadata, "counterCapacity" | "capacities" | "counterStart">;

/** The range of one counter of a device. The start of a pulse counter is known for its main counter only. */
export function counterRange(
  { counterCapacity, capacities, counterStart }: CounterFacts,
  name: FieldName,
): CounterRange {
  const capacity = capacities?.[name] ?? counterCapacity;
  return { capacity, start: counterStart?.field === name ? counterStart.value : 0 };
}

/**
 * Consumption between two trusted values of a counter, in the unit of the values and rounded to six decimals.
 * 999 990 and then 10 give 20 for a capacity of 1 000 000. Null if unknown: one of the two is missing, or the
 * counter is lower without having rolled over, so it was reset, replaced or misread. Never negative.
 *
 * The only place that subtracts counter values. Callers omit suspect and rejected values: the difference is
 * taken to the previous trusted one.
 */
export function growth(
  before: number | null | undefined,
  now: number | null | undefined,
  range: CounterRange,
): number | null {
  if (!isNumber(before) || !isNumber(now)) return null;
  if (now >= before) return difference(now, before);
  if (now >= before - Math.abs(before) * noise) return 0;
  const { capacity, start } = range;
  if (capacity === undefined || !hasRolledOver(before - start, now - start, capacity)) return null;
  return sum([capacity, -before, now]);
}

/** A rollover never leads below the start, and no value lies beyond the capacity. */
function hasRolledOver(before: number, now: number, capacity: number): boolean {
  const isLast = before > capacity * (1 - share) && before <= capacity + smallest;
  return isLast && now > -smallest && now < capacity * share;
}

/** Counter value after an increase: beyond its capacity it rolls over. Rounded to six decimals. */
export function grown(from: number, by: number, { capacity, start }: CounterRange): number {
  const value = sum([from, by]);
  return capacity !== undefined && by > 0 && from < start + capacity && value >= start + capacity
    ? difference(value, capacity)
    : value;
}

/** Range of a counter in millionths of its unit. */
export interface ExactRange {
  readonly capacity: bigint | undefined;
  readonly start: bigint;
}

export interface ExactGrowth {
  /** Millionths of the unit. */
  readonly by: bigint;
  readonly hasRolledOver: boolean;
}

/** `growth` in exact arithmetic, for sums that are billed: values in millionths. */
export function exactGrowth(
  before: bigint,
  now: bigint,
  { capacity, start }: ExactRange,
): ExactGrowth | null {
  if (now >= before) return { by: now - before, hasRolledOver: false };
  const size = before < 0n ? -before : before;
  if ((before - now) * noiseParts <= size) return { by: 0n, hasRolledOver: false };
  if (capacity === undefined) return null;
  const [last, first] = [before - start, now - start];
  const isRollover =
    last * shareParts > capacity * (shareParts - 1n) &&
    last <= capacity + 1n &&
    first >= 0n &&
    first * shareParts < capacity;
  return isRollover ? { by: capacity - before + now, hasRolledOver: true } : null;
}

const shareParts = BigInt(Math.round(1 / share));
const noiseParts = BigInt(Math.round(1 / noise));
