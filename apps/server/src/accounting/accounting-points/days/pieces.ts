import { statuses } from "@metrum/vocabulary";
import { ofMicro, share, times, type Decimal } from "#core";
import { between, isEstimated, type Node } from "./nodes.ts";
import { ratioWithin, type Register, type Step } from "./chain.ts";
import { isNear as areNear } from "./usual.ts";

/** Known consumption between two instants: within one day, or a gap that no reading divides into days. */
export interface Piece {
  readonly from: Node;
  readonly to: Node;
  /** Growth of the register, in millionths of its unit. */
  readonly grown: bigint;
  readonly ratio: Decimal;
  /** In the unit of the point, ratio included. */
  readonly amount: Decimal;
  readonly isGap: boolean;
  readonly isEstimated: boolean;
  /** A part of a gap that was divided evenly at an end of a month: an estimate. */
  readonly isDivided: boolean;
  readonly statuses: readonly number[];
}

/** Time between two values of a register whose consumption is not known. */
export interface Unknown {
  readonly from: Node;
  readonly to: Node;
  /** Millionths; null: it was reset. */
  readonly grown: bigint | null;
  readonly reason: "ratio" | "reset" | "leap";
}

export interface Divided {
  readonly pieces: readonly Piece[];
  readonly unknown: readonly Unknown[];
}

/**
 * Divides a step at midnights. Where its ends are near, the register there is interpolated. Where they are not, it is
 * divided at midnights close to its ends only: the rest over midnight is a gap. A step over a change of the ratio is
 * unknown, as in every table: what was counted before the change and after it is not known.
 */
export function piecesOf(register: Register, step: Step, midnights: readonly number[]): Divided {
  const { last, next, by } = step;
  if (by === null) return { pieces: [], unknown: [unknownOf(last, next)] };
  const ratio = ratioWithin(register.ratios, { from: last.ts, to: next.ts });
  if (!ratio) return { pieces: [], unknown: [{ from: last, to: next, grown: by, reason: "ratio" }] };
  const isNear = areNear(register.nodes, { from: last.ts, to: next.ts });
  const close = isNear ? midnights.filter((ts) => ts > last.ts && ts < next.ts) : closeCuts(register, step);
  const even = isNear ? [] : register.monthEnds({ from: last.ts, to: next.ts });
  const cuts = [...new Set([...close, ...even])].sort((a, b) => a - b);
  const isEven = (ts: number): boolean => even.includes(ts) && !close.includes(ts);
  const given = {
    isEstimated: isEstimated(last) || isEstimated(next),
    statuses: [last.status, next.status],
  };
  const estimate = { isEstimated: true, statuses: [...given.statuses, statuses.estimated.id] };
  const pieces = divide(register, step, cuts).map(({ from, to, grown }): Piece => {
    const isDivided = isEven(from.ts) || isEven(to.ts);
    const isGap = !isNear && register.endOfDay(from.ts) < to.ts;
    const amount = times(ofMicro(grown), ratio);
    return { from, to, grown, ratio, amount, isGap, isDivided, ...(isDivided ? estimate : given) };
  });
  return { pieces, unknown: [] };
}

/** A register that fell was reset; one that rose has grown by what nobody can have used. */
const unknownOf = (from: Node, to: Node): Unknown =>
  to.value < from.value
    ? { from, to, grown: null, reason: "reset" }
    : { from, to, grown: to.value - from.value, reason: "leap" };

/** So many times nearer to one of its ends than to the other a midnight must be for a gap to be divided there. */
const closeShare = 10;
const closest = 86_400;

/**
 * The first and the last midnight in a step whose ends are not near: nearer to an end than a tenth of the step, at most
 * a day. What the register had then is known well enough for a month to have its edge.
 */
function closeCuts({ startOfDay, endOfDay }: Register, { last, next }: Step): number[] {
  const isClose = (sec: number): boolean => sec <= closest && sec * closeShare < next.ts - last.ts;
  const [first, end] = [endOfDay(last.ts), startOfDay(next.ts)];
  const isFirst = startOfDay(last.ts) < last.ts && first < next.ts && isClose(first - last.ts);
  const isEnd = end < next.ts && end > last.ts && isClose(next.ts - end);
  return [...(isFirst ? [first] : []), ...(isEnd && !(isFirst && end === first) ? [end] : [])];
}

interface Part {
  readonly from: Node;
  readonly to: Node;
  readonly grown: bigint;
}

function divide({ range }: Register, { last, next, by }: Step, cuts: readonly number[]): Part[] {
  const whole = by ?? 0n;
  const parts: Part[] = [];
  let [from, done] = [last, 0n];
  for (const ts of cuts) {
    const until = share(whole, ts - last.ts, next.ts - last.ts);
    const node = between({ last, next }, { ts, by: until, range });
    parts.push({ from, to: node, grown: until - done });
    [from, done] = [node, until];
  }
  return [...parts, { from, to: next, grown: whole - done }];
}
