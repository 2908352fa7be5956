import type { FieldName } from "@metrum/vocabulary";
import { dayOf, isEqual, ofMicro, plus, startOfDay, times, zero, type Day, type Decimal } from "#core";
import { addedTo, type AddedPart } from "./added.ts";
import { knownOf, type Known, type Sources } from "./days.ts";
import type { Node } from "./nodes.ts";
import type { Piece } from "./pieces.ts";
import type { Tie } from "./tieStore.ts";

/** Why time between two values counts nothing: a gap over an edge of the period, a change of the ratio, a reset, a leap. */
export type NotCounted = "edge" | "ratio" | "reset" | "leap";

/** What one device counted with one ratio, from one value of its register to another. */
export interface Part {
  /** `carried`: of a gap that began in a closed month before; `uncounted`: known of the register, but not divided. */
  readonly kind: "device" | "carried" | "uncounted";
  readonly tie: Tie;
  readonly field: FieldName;
  readonly from: Node;
  readonly to: Node;
  /** Millionths of the unit of the register; null: it was reset. */
  readonly grown: bigint | null;
  /** Null: it changes within. */
  readonly ratio: Decimal | null;
  readonly amount: Decimal;
  readonly isEstimated: boolean;
  readonly hasRolledOver: boolean;
  /** Of a gap that was divided evenly at an end of a month. */
  readonly isDivided: boolean;
  readonly reason: NotCounted | null;
}

export interface Parts {
  /** By time of their beginning. */
  readonly parts: readonly Part[];
  readonly added: readonly AddedPart[];
  /** The sum of all; undefined: nothing is known. */
  readonly total: Decimal | undefined;
}

export interface Period {
  readonly field: string;
  /** Both inclusive. */
  readonly first: Day;
  readonly last: Day;
  /** Days of the period in which a gap ends that it bills although the gap began before it. */
  readonly carried: ReadonlySet<Day>;
}

/**
 * What the total of some days consists of: the same pieces as its days count, joined where one device counted on with
 * one ratio. Their amounts add up to the total exactly.
 */
export function partsOfPeriod(sources: Sources, period: Period): Parts {
  const { zone } = sources;
  const { field, first, last } = period;
  const span = { ...period, zone, start: startOfDay(zone, first), end: startOfDay(zone, last + 1) };
  const added = addedTo(sources.added, { field, start: span.start, end: span.end });
  const parts = knownOf(sources, field).flatMap((known) => partsOfTie(known, span));
  const counted = parts.filter(({ kind }) => kind !== "uncounted");
  const amounts = [...counted, ...added].map(({ amount }) => amount);
  return {
    parts: parts.sort((a, b) => a.from.ts - b.from.ts || a.to.ts - b.to.ts),
    added,
    total: amounts.length === 0 ? undefined : amounts.reduce(plus, zero),
  };
}

interface Span extends Period {
  readonly zone: string;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

function partsOfTie(known: Known, span: Span): Part[] {
  const of = { tie: known.tie, field: known.field };
  const parts: Part[] = [];
  for (const piece of known.pieces) {
    const how = countedAs(piece, span);
    if (!how) continue;
    const part = { ...of, ...how, ...partOf(piece, how.kind) };
    const last = parts.at(-1);
    const joined = last && together(last, part);
    if (joined) parts[parts.length - 1] = joined;
    else parts.push(part);
  }
  for (const { from, to, grown, reason } of known.unknown)
    if (isTouched(span, { from, to }))
      parts.push({ ...of, ...nothing, kind: "uncounted", from, to, grown, ratio: null, reason });
  return parts;
}

const nothing = { amount: zero, isEstimated: false, hasRolledOver: false, isDivided: false } as const;

/** What a period makes of a piece; undefined: it is of other days. */
function countedAs(piece: Piece, span: Span): Pick<Part, "kind" | "reason"> | undefined {
  const { from, to, isGap } = piece;
  const endsInside = to.ts > span.start && to.ts <= span.end;
  if (!isGap) return endsInside ? { kind: "device", reason: null } : undefined;
  if (endsInside && from.ts >= span.start) return { kind: "device", reason: null };
  if (endsInside && span.carried.has(dayOf(span.zone, to.ts - 1))) return { kind: "carried", reason: null };
  return isTouched(span, piece) ? { kind: "uncounted", reason: "edge" } : undefined;
}

const isTouched = ({ start, end }: Span, { from, to }: Pick<Piece, "from" | "to">): boolean =>
  from.ts < end && to.ts > start;

function partOf(piece: Piece, kind: Part["kind"]) {
  const { from, to, grown, ratio, amount, isEstimated, isDivided } = piece;
  const counted = kind === "uncounted" ? { amount: zero, isEstimated: false } : { amount, isEstimated };
  return {
    from,
    to,
    grown,
    ratio,
    isDivided,
    ...counted,
    hasRolledOver: to.value < from.value && grown > 0n,
  };
}

/** One part of two, where the second goes on where the first ends. */
function together(a: Part, b: Part): Part | undefined {
  if (a.kind !== "device" || b.kind !== "device" || a.to.ts !== b.from.ts) return undefined;
  if (a.isEstimated !== b.isEstimated || a.isDivided !== b.isDivided) return undefined;
  if (a.grown === null || b.grown === null) return undefined;
  if (a.ratio === null || b.ratio === null || !isEqual(a.ratio, b.ratio)) return undefined;
  const grown = a.grown + b.grown;
  return {
    ...a,
    to: b.to,
    grown,
    amount: times(ofMicro(grown), a.ratio),
    hasRolledOver: a.hasRolledOver || b.hasRolledOver,
  };
}
