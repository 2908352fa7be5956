import { sources, statuses } from "@metrum/vocabulary";
import { decimalOf } from "#core";
import { isTrusted, type Judged, type Rival, type Value } from "./judged.ts";

/** A value that counts, and another of the same time that does not. */
export interface Dispute {
  readonly counts: Value;
  readonly other: Value;
}

const isMeasured = ({ status }: Value): boolean =>
  status === statuses.measured.id || status === statuses.late.id;
const isEntered = ({ source, status }: Value): boolean =>
  source === sources.manual || status === statuses.suspect.id;

/** One of the values is the other with fewer decimals, as on a display. */
function isRounded(one: number, other: number): boolean {
  const decimals = Math.min(decimalOf(one).scale, decimalOf(other).scale);
  return Math.abs(one - other) <= 0.5 * 10 ** -decimals + 1e-9;
}

/** Whether a value that was not accepted is still in question. */
function isOpen(counts: Value, rival: Rival): boolean {
  if (!isTrusted(counts.status) || counts.value === rival.value) return false;
  if (isEntered(rival))
    return isMeasured(counts) || (counts.status === statuses.manual.id && rival.isRefused);
  if (!isMeasured(counts) || counts.source === rival.source) return counts.status === statuses.manual.id;
  return !isRounded(counts.value, rival.value);
}

export type DisputeKind = "entered" | "of_sources";

/** Whether a person has said the other value, or another source of the meter. */
export const disputeKind = ({ other }: Dispute): DisputeKind => (isEntered(other) ? "entered" : "of_sources");

/** Values of a register that count although another was said of the same time, the newest of each, by time. */
export function disputesOf({ levels, rivals = [], field }: Judged): Dispute[] {
  const keyOf = ({ msgType, ts }: Value): string => `${String(msgType)} ${String(ts)}`;
  const own = rivals.filter((rival) => rival.field === field);
  if (own.length === 0) return [];
  const standing = new Map((levels.get(field) ?? []).map((value) => [keyOf(value), value]));
  const found = new Map<string, Dispute>();
  for (const other of own) {
    const counts = standing.get(keyOf(other));
    if (counts && isOpen(counts, other)) found.set(keyOf(other), { counts, other });
  }
  return [...found.values()].sort((a, b) => a.counts.ts - b.counts.ts);
}

/** Values of one instant that two types of message contradict: the first counts. */
export function contradictionsOf(values: readonly Value[]): Dispute[] {
  return values.flatMap((other, at) => {
    const counts = values[at - 1];
    return counts?.ts !== other.ts || Math.abs(counts.value - other.value) < 1e-6 ? [] : [{ counts, other }];
  });
}
