import { statuses, type FieldName } from "@metrum/vocabulary";
import { isEqual, microOf, type Decimal } from "#core";
import { exactGrowth, type ExactRange } from "#metering/messages";
import { isEstimated, nodeAt, type Node, type Origin } from "./nodes.ts";
import { ratioAt, type RatioStep } from "./ratios.ts";
import type { Tie } from "./tieStore.ts";
import { firstNotBefore } from "./usual.ts";

/** A register in the time in which it measured a point. */
export interface Register {
  readonly tie: Tie;
  readonly field: FieldName;
  readonly range: ExactRange;
  /** Trusted values of the device, also around the tie. */
  readonly nodes: readonly Node[];
  readonly ratios: readonly RatioStep[];
  /** Whether the values around an instant were read; what lies elsewhere is left out. */
  readonly isRead: (ts: number) => boolean;
  readonly startOfDay: (ts: number) => number;
  readonly endOfDay: (ts: number) => number;
  /** Instants at which a gap between two values is divided evenly, by choice of the company. */
  readonly monthEnds: (gap: { readonly from: number; readonly to: number }) => readonly number[];
}

/** Growth of a register between two of its nodes. */
export interface Step {
  readonly last: Node;
  readonly next: Node;
  /** Millionths; null: unknown, for the counter was reset or has leapt between them; below zero only within the noise. */
  readonly by: bigint | null;
  readonly hasRolledOver: boolean;
  readonly isMuch: boolean;
}

/**
 * Steps of a register within its tie, from the opening to the closing reading, or as far as it is known. A value that
 * was noted when the ratio changed is part of it.
 */
export function stepsOf(register: Register): Step[] {
  const nodes = withoutInner(register, nodesOfTie(register));
  const steps: Step[] = [];
  for (const [at, next] of nodes.entries()) {
    const last = nodes[at - 1];
    if (!last) continue;
    const grown = exactGrowth(last, next, register.range);
    const { by, hasRolledOver, isMuch } = grown ?? { by: null, hasRolledOver: false, isMuch: false };
    steps.push({ last, next, by, hasRolledOver, isMuch });
  }
  return steps;
}

/** Values of a register that a person has noted, by time. */
function noted({ tie, field, ratios, isRead }: Register): Map<number, Node> {
  const given = new Map<number, Node>();
  const add = (ts: number, value: number | undefined, origin: Origin): void => {
    if (value !== undefined && isRead(ts))
      given.set(ts, { ts, value: microOf(value), status: statuses.manual.id, acrossSec: 0, origin });
  };
  for (const { from, reading } of ratios)
    if (from > tie.from && (tie.to === null || from < tie.to)) add(from, reading[field], { kind: "noted" });
  add(tie.from, tie.opening[field], { kind: "opening" });
  if (tie.to !== null) add(tie.to, tie.closing[field], { kind: "closing" });
  return given;
}

export function nodesOfTie(register: Register): Node[] {
  const { tie, nodes, range, isRead } = register;
  const given = noted(register);
  const end = tie.to ?? Infinity;
  for (const ts of [tie.from, end]) {
    if (given.has(ts) || !isRead(ts)) continue;
    const node = nodeAt(nodes, ts, range);
    if (node) given.set(ts, node);
  }
  const inner: Node[] = [];
  for (let at = firstNotBefore(nodes, tie.from); (nodes[at]?.ts ?? Infinity) <= end; at++) {
    const node = nodes[at];
    if (!node) break;
    if (!given.has(node.ts)) inner.push(node);
  }
  return [...inner, ...given.values()].sort((a, b) => a.ts - b.ts);
}

/**
 * Without estimated values that decide nothing: those between two others of the same day and ratio, whose difference
 * is what was consumed, whatever was estimated between them.
 */
function withoutInner({ ratios, startOfDay, range }: Register, nodes: readonly Node[]): Node[] {
  if (!nodes.some(isEstimated)) return [...nodes];
  const kept: Node[] = [];
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at];
    if (!node) break;
    const last = kept.at(-1);
    if (!isEstimated(node) || !last || isEstimated(last)) {
      kept.push(node);
      continue;
    }
    const to = nodes.findIndex((each, index) => index > at && !isEstimated(each));
    const next = nodes[to];
    const isInner =
      next !== undefined &&
      startOfDay(last.ts) === startOfDay(next.ts - 1) &&
      isEqual(ratioAt(ratios, last.ts), ratioAt(ratios, next.ts - 1)) &&
      exactGrowth(last, next, range) !== null;
    if (isInner) at = to - 1;
    else kept.push(node);
  }
  return kept;
}

/** Ratio that holds throughout an interval; undefined if it changes within. */
export function ratioWithin(
  ratios: readonly RatioStep[],
  { from, to }: { readonly from: number; readonly to: number },
): Decimal | undefined {
  return ratios.some((step) => step.isChange && step.from > from && step.from < to)
    ? undefined
    : ratioAt(ratios, from);
}
