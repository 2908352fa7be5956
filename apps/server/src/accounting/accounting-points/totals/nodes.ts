import { statuses } from "@metrum/vocabulary";
import { exactGrowth, type CounterReading, type ExactRange } from "#metering/messages";
import { microOf, share } from "./decimal.ts";
import { firstNotBefore, isNear, nearest } from "./usual.ts";

/** A register at an instant, in millionths of its unit. */
export interface Node {
  readonly ts: number;
  readonly value: bigint;
  readonly status: number;
  /** Interpolated between readings this far apart; 0: read. */
  readonly acrossSec: number;
}

export const isEstimated = ({ status }: Pick<Node, "status">): boolean => status === statuses.estimated.id;

interface Value extends Node {
  readonly isArchive: boolean;
  readonly isCalculated: boolean;
}

/**
 * Values of a register in the order of time, one an instant: a measured one before a calculated one, a reading
 * before an archive. A meter stamps its archives by its own clock, so an archive value that contradicts the readings
 * around it is a fault of that clock and left out, not a reset; a calculated one beside readings follows from them
 * and adds nothing. Readings within six hours on both sides decide, so the result depends on them only.
 */
export function nodesOf(readings: readonly CounterReading[], range: ExactRange): Node[] {
  const values = oneEachInstant(readings);
  const firm = values.filter(({ isArchive }) => !isArchive);
  let next = 0;
  return values.filter((value) => {
    while ((firm[next]?.ts ?? Infinity) < value.ts) next += 1;
    return !value.isArchive || agrees(value, { before: firm[next - 1], after: firm[next] }, range);
  });
}

function oneEachInstant(readings: readonly CounterReading[]): Value[] {
  const values: Value[] = [];
  for (const { ts, value, status, msgType, isCalculated } of readings) {
    const next = { ts, value: microOf(value), status, acrossSec: 0, isArchive: msgType !== 1, isCalculated };
    const last = values.at(-1);
    if (!last || last.ts !== ts) values.push(next);
    else if (last.isCalculated && !isCalculated) values[values.length - 1] = next;
  }
  return values;
}

function agrees(
  value: Value,
  around: { readonly before: Node | undefined; readonly after: Node | undefined },
  range: ExactRange,
): boolean {
  const before = near(value, around.before);
  const after = near(value, around.after);
  if (!before && !after) return true;
  if (value.isCalculated) return false;
  const up = before && exactGrowth(before.value, value.value, range);
  const on = after && exactGrowth(value.value, after.value, range);
  if (!before || !after) return (up ?? on ?? null) !== null;
  const whole = exactGrowth(before.value, after.value, range);
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
  const grown = exactGrowth(last.value, next.value, range);
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
  };
}
