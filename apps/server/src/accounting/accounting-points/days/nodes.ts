import { statuses, type FieldName } from "@metrum/vocabulary";
import { microOf, share } from "#core";
import {
  counterRange,
  countsBefore,
  exactGrowth,
  isVouched,
  withoutRollover,
  type CounterReading,
  type DeviceMetadata,
  type ExactRange,
  type SamplesOf,
} from "#metering/messages";
import { firstNotBefore, isNear, nearest } from "./usual.ts";

/** A register at an instant, in millionths of its unit. */
export interface Node {
  readonly ts: number;
  readonly value: bigint;
  readonly status: number;
  /** Interpolated between readings this far apart; 0: read. */
  readonly acrossSec: number;
  readonly origin: Origin;
}

/** Where the value of a register comes from. */
export type Origin =
  | { readonly kind: "reading"; readonly msgType: number }
  /** A person has noted it: when the device came or left, or when the ratio changed. */
  | { readonly kind: "opening" | "closing" | "noted" }
  | { readonly kind: "interpolated"; readonly last: Node; readonly next: Node };

export const isEstimated = ({ status }: Pick<Node, "status">): boolean => status === statuses.estimated.id;

/** Range of a counter, in millionths; of an unknown device without a capacity. */
export function exactRange(
  device: DeviceMetadata | undefined,
  field: FieldName,
  samplesOf?: SamplesOf,
): ExactRange {
  const range = device ? counterRange(device, field, samplesOf?.(device.id, field)) : withoutRollover;
  const { capacity, start } = range;
  return {
    ...range,
    capacity: capacity === undefined ? undefined : microOf(capacity),
    start: microOf(start),
  };
}

interface Value extends Node {
  readonly msgType: number;
  /** Of a meter, not of a person. */
  readonly isArchive: boolean;
  readonly isCalculated: boolean;
}

/**
 * Values of a register in the order of time, one an instant by `countsBefore`. A meter stamps its archives by its own
 * clock, so an archive value that contradicts the readings around it is a fault of that clock and left out, not a
 * reset; a calculated one beside readings follows from them and adds nothing. Readings, and what a person has vouched
 * for, within six hours on both sides decide, so the result depends on them only. Archives that all contradict the one
 * reading near them, but not each other, stay: no clock explains them, the counter stood elsewhere.
 */
export const nodesOf: (readings: readonly CounterReading[], range: ExactRange) => readonly Node[] = valuesOf;

/** The readings that `nodesOf` counts with, given those within six hours around them. */
export function countedOf<Of extends CounterReading>(readings: readonly Of[], range: ExactRange): Of[] {
  const types = new Map(valuesOf(readings, range).map(({ ts, msgType }) => [ts, msgType]));
  return readings.filter(({ ts, msgType }) => types.get(ts) === msgType);
}

function valuesOf(readings: readonly CounterReading[], range: ExactRange): Value[] {
  const values = oneEachInstant(readings);
  const firm = values.filter(({ isArchive }) => !isArchive);
  let next = 0;
  return values.filter((value, at) => {
    while ((firm[next]?.ts ?? Infinity) < value.ts) next += 1;
    const around = { before: firm[next - 1], after: firm[next] };
    return !value.isArchive || agrees(value, around, range) || isElsewhere(values, { at, around }, range);
  });
}

interface Around {
  readonly before: Node | undefined;
  readonly after: Node | undefined;
}

/** Whether an archive is one of several beside a reading that all contradict it and are in line with one another. */
function isElsewhere(
  values: readonly Value[],
  { at, around }: { readonly at: number; readonly around: Around },
  range: ExactRange,
): boolean {
  const value = values[at];
  if (!value || value.isCalculated) return false;
  const [before, after] = [near(value, around.before), near(value, around.after)];
  const reading = before ?? after;
  if (!reading || (before && after)) return false;
  const beside = archivesBeside(values, at, reading);
  const grows = (a: Node, b: Node): boolean => exactGrowth(a, b, range) !== null;
  const isAgainst = (each: Node): boolean => (before ? !grows(reading, each) : !grows(each, reading));
  const isInLine = (each: Node, n: number): boolean => {
    const last = beside[n - 1];
    return !last || grows(last, each);
  };
  return beside.length > 1 && beside.every(isAgainst) && beside.every(isInLine);
}

/** Archives between a reading and six hours from it, on the side of one of them, by time. */
function archivesBeside(values: readonly Value[], at: number, reading: Node): Value[] {
  const isBeside = (each: Value | undefined): each is Value =>
    each?.isArchive === true && Math.abs(each.ts - reading.ts) <= nearest;
  let [first, end] = [at, at];
  while (isBeside(values[first - 1])) first -= 1;
  while (isBeside(values[end])) end += 1;
  return values.slice(first, end).filter(({ isCalculated }) => !isCalculated);
}

function oneEachInstant(readings: readonly CounterReading[]): Value[] {
  const chosen: CounterReading[] = [];
  for (const reading of readings) {
    const last = chosen.at(-1);
    if (!last || last.ts !== reading.ts) chosen.push(reading);
    else if (countsBefore(reading, last)) chosen[chosen.length - 1] = reading;
  }
  return chosen.map(({ ts, value, status, msgType, isCalculated }) => {
    const isArchive = msgType !== 1 && !isVouched({ status });
    const origin = { kind: "reading" as const, msgType };
    return { ts, value: microOf(value), status, acrossSec: 0, origin, msgType, isArchive, isCalculated };
  });
}

function agrees(value: Value, around: Around, range: ExactRange): boolean {
  const before = near(value, around.before);
  const after = near(value, around.after);
  if (!before && !after) return true;
  if (value.isCalculated) return false;
  const up = before && exactGrowth(before, value, range);
  const on = after && exactGrowth(value, after, range);
  if (!before || !after) return (up ?? on ?? null) !== null;
  const whole = exactGrowth(before, after, range);
  // Across a reset it may belong to either side.
  if (!whole) return Boolean(up ?? on);
  return up && on ? up.by + on.by === whole.by : false;
}

const near = (value: Node, other: Node | undefined): Node | undefined =>
  other && Math.abs(other.ts - value.ts) <= nearest ? other : undefined;

/** The register at an instant: read then, or interpolated between nodes as near as usual; undefined: unknown. */
export function nodeAt(nodes: readonly Node[], ts: number, range: ExactRange): Node | undefined {
  const at = firstNotBefore(nodes, ts);
  const [last, next] = [nodes[at - 1], nodes[at]];
  if (next?.ts === ts) return next;
  if (!last || !next || !isNear(nodes, { from: last.ts, to: next.ts })) return undefined;
  const grown = exactGrowth(last, next, range);
  if (!grown) return undefined;
  const by = share(grown.by, ts - last.ts, next.ts - last.ts);
  return between({ last, next }, { ts, by, range });
}

/** A node between two, after a part of the growth. */
export function between(
  { last, next }: { readonly last: Node; readonly next: Node },
  at: { readonly ts: number; readonly by: bigint; readonly range: ExactRange },
): Node {
  const { capacity, start } = at.range;
  const value = last.value + at.by;
  const isOver =
    capacity !== undefined && at.by > 0n && last.value < start + capacity && value >= start + capacity;
  return {
    ts: at.ts,
    value: isOver ? value - capacity : value,
    status: isEstimated(last) ? last.status : next.status,
    acrossSec: next.ts - last.ts,
    origin: { kind: "interpolated", last, next },
  };
}
