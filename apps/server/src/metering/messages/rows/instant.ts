import { sources, statuses } from "@metrum/vocabulary";
import { worthOf } from "./trust.ts";

/** Message types whose rows hold counters at the instant of the row: readings, hourly, daily and monthly archives. */
export const counterTypes = [1, 100, 101, 103] as const;

/** A trusted value of a register, of one message type. */
interface OfInstant {
  readonly status: number;
  readonly msgType: number;
  /** It follows from other values. */
  readonly isCalculated: boolean;
}

/**
 * Whether the first of two values of a register at the same instant counts: what a person has confirmed before what was
 * measured, that before what was entered, and that before what was calculated; of equals, a reading before an hourly, a
 * daily and a monthly archive.
 */
export function countsBefore(a: OfInstant, b: OfInstant): boolean {
  const [first, second] = [rankOf(a), rankOf(b)];
  return first > second || (first === second && a.msgType < b.msgType);
}

/** Why a value counts before another of its instant: of equal worth it is the type of message. */
export type CountsFor = "confirmed" | "measured" | "entered" | "type";

export function countsFor(counts: OfInstant, other: OfInstant): CountsFor {
  if (rankOf(counts) === rankOf(other)) return "type";
  if (counts.status === statuses.corrected.id) return "confirmed";
  return counts.status === statuses.manual.id ? "entered" : "measured";
}

function rankOf({ status, isCalculated }: OfInstant): number {
  if (!isVouched({ status }) && isCalculated) return 0;
  const known = isVouched({ status }) ? status : statuses.measured.id;
  return worthOf({ status: known, source: isCalculated ? sources.calculated : sources.manual });
}

/** Entered or corrected by a person. */
export const isVouched = ({ status }: Pick<OfInstant, "status">): boolean =>
  status === statuses.manual.id || status === statuses.corrected.id;
