import type { FieldName } from "@metrum/vocabulary";
import type { DeviceMetadata } from "../rows/index.ts";

/** A value of a counter at its time. */
export interface Point {
  readonly ts: number;
  readonly value: number;
  /** Of a value that a person vouches for any growth up to it is believed; undefined: nobody does. */
  readonly status?: number | undefined;
}

/** A value of a counter as it is stored. */
export interface StoredPoint extends Point {
  readonly status: number;
}

/** What tells whether a counter can have rolled over, or grown so much. */
export interface LoadFacts {
  /** Hours at full load that its digits are enough for; undefined: not known. */
  readonly holdsHours?: number | undefined;
  /** Trusted values up to an instant that its usual load follows from, see `samplesOf`; without: not known. */
  readonly samplesAt?: ((ts: number) => readonly Point[]) | undefined;
}

/**
 * Range of a counter in the unit of its stored values: from `start` up to, not including, `start + capacity`.
 */
export interface CounterRange extends LoadFacts {
  /** Its capacity before rollover; undefined: unknown. */
  readonly capacity: number | undefined;
  readonly start: number;
}

/** A counter of unknown capacity: every decrease is a reset or a fault. */
export const withoutRollover: CounterRange = { capacity: undefined, start: 0 };

/** What is known of the counters of a device. */
export type CounterFacts = Pick<
  DeviceMetadata,
  "counterCapacity" | "capacities" | "counterStart" | "holdsHours"
>;

/**
 * The range of one counter of a device. The start of a pulse counter is known for its main counter only. A record with
 * fewer digits than its counter needs says nothing about the greatest flow.
 */
export function counterRange(
  { counterCapacity, capacities, counterStart, holdsHours }: CounterFacts,
  name: FieldName,
  samplesAt?: LoadFacts["samplesAt"],
): CounterRange {
  const own = capacities?.[name];
  return {
    capacity: own ?? counterCapacity,
    start: counterStart?.field === name ? counterStart.value : 0,
    holdsHours: own === undefined ? holdsHours : undefined,
    samplesAt,
  };
}

/** Stored values have six decimals: two conversions of one value differ by one of the last at most. */
const smallest = 1.5e-6;
/** Of large numbers floats are coarser: two to four units of the last place. */
const places = 2;

/**
 * By how much two floats of one value may differ. A smaller decrease is neither consumption nor a fall. Not a share of
 * the value beyond the precision of a float: the meter counts as finely near its end as at its start.
 */
export const noiseOf = (value: number): number =>
  Math.max(smallest, Math.abs(value) * Number.EPSILON * places);
