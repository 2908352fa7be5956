import { nearSec } from "#metering/messages";

/** A time at which a register was read. */
interface Read {
  readonly ts: number;
}

/** The time between two values, in epoch seconds. */
export interface Between {
  readonly from: number;
  readonly to: number;
}

const hour = 3600;
/** So far apart two values may be for the register to be interpolated between them, however often it is read. */
export const nearest = nearSec.day;
/** Farther than this they may not be, however rarely it is read. */
const farthest = 48 * hour;
/** Values at most this far before and after a pair decide how far apart values usually are there. */
const usualWithin = 7 * 24 * hour;
/** Of a register that is read rarely, a value decides about days this far away: see `isNear`. */
export const farReach = usualWithin + farthest;
/** Repeats of a value within this time are one reading. */
const repeatSec = 900;
/** Distances on each side of a pair that are looked at, and how many are needed for a usual one. */
const [beside, fewest] = [3, 3];
/** Tenths of the usual distance: below twice of it no value was lost. */
const tenths = 19;

/**
 * Whether the register may be interpolated between two values, at a constant rate: they are at most six hours apart,
 * or less than twice as far as its values around them usually are, and at most 48 hours. The usual distance is the
 * median of the three distances before and the three after, so it follows from near values only: a change of a value
 * changes nothing beyond `farReach`. `nodes`: the trusted values of the device, by time.
 */
export function isNear(nodes: readonly Read[], { from, to }: Between): boolean {
  const length = to - from;
  if (length <= nearest) return true;
  if (length > farthest) return false;
  const known = [...distances(valuesBefore(nodes, from)), ...distances(valuesAfter(nodes, to))];
  if (known.length < fewest) return false;
  const usual = known.sort((a, b) => a - b)[(known.length - 1) >> 1] ?? 0;
  return length * 10 <= usual * tenths;
}

/** Whether all that `isNear` asks of is known of the pairs around a span, of values read in `read`. */
export function isUsualKnown(nodes: readonly Read[], span: Between, read: Between): boolean {
  const first = Math.max(0, firstNotBefore(nodes, span.from) - 1);
  for (let at = first; (nodes[at]?.ts ?? Infinity) <= span.to; at++) {
    const [last, next] = [nodes[at]?.ts ?? 0, nodes[at + 1]?.ts];
    if (next === undefined) break;
    if (next - last <= nearest || next - last > farthest) continue;
    const before = valuesBefore(nodes, last).filter((ts) => ts >= read.from);
    const after = valuesAfter(nodes, next).filter((ts) => ts <= read.to);
    if (Math.min(before.length, after.length) <= beside) return false;
  }
  return true;
}

/** Whether a change in a span decides about no pair that begins before `from` or ends after `to`, on one side each. */
export const isSettledBefore = (nodes: readonly Read[], span: Between, from: number): boolean =>
  valuesBefore(nodes, span.from - 1).filter((ts) => ts >= from).length > beside;
export const isSettledAfter = (nodes: readonly Read[], span: Between, to: number): boolean =>
  valuesAfter(nodes, span.to + 1).filter((ts) => ts <= to).length > beside;

/** Times of the last values up to an instant, the newest first, and of the first ones from an instant on. */
const valuesBefore = (nodes: readonly Read[], ts: number): number[] =>
  valuesFrom(nodes, { first: firstNotBefore(nodes, ts + 1) - 1, step: -1, ts });
const valuesAfter = (nodes: readonly Read[], ts: number): number[] =>
  valuesFrom(nodes, { first: firstNotBefore(nodes, ts), step: 1, ts });

function valuesFrom(
  nodes: readonly Read[],
  { first, step, ts }: { readonly first: number; readonly step: 1 | -1; readonly ts: number },
): number[] {
  const found: number[] = [];
  for (let at = first; found.length <= beside; at += step) {
    const next = nodes[at]?.ts;
    if (next === undefined || Math.abs(next - ts) > usualWithin) break;
    const last = found.at(-1);
    if (last === undefined || Math.abs(next - last) >= repeatSec) found.push(next);
  }
  return found;
}

const distances = (times: readonly number[]): number[] =>
  times.slice(1).map((ts, at) => Math.abs(ts - (times[at] ?? ts)));

export function firstNotBefore(nodes: readonly Read[], ts: number): number {
  let [low, high] = [0, nodes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((nodes[middle]?.ts ?? Infinity) < ts) low = middle + 1;
    else high = middle;
  }
  return low;
}
