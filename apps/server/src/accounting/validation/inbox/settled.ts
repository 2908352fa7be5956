import { contradictionsOf, disputesOf, isTrusted, type Dispute, type Value } from "../judged/index.ts";
import type { Opened } from "./sources.ts";

/** What a decision about contradicting values says: which are right, and which are wrong. */
export interface Settled {
  readonly right: readonly Value[];
  readonly wrong: readonly Value[];
}

/**
 * Accepted: what a person has entered is right, else what counts is right. Rejected: the other one is. Undefined: the
 * exception is not about values that contradict each other.
 */
export function settledBy(verb: "accept" | "reject", { row, judged }: Opened): Settled | undefined {
  if (row.kind !== "duplicate" || !judged) return undefined;
  const isInside = ({ counts }: Dispute): boolean => counts.ts >= row.from_ts && counts.ts <= row.to_ts;
  if (row.code === "of_types") {
    const values = (judged.levels.get(row.field) ?? []).filter(({ status }) => isTrusted(status));
    const disputes = contradictionsOf(values).filter(isInside);
    const [counts, others] = [disputes.map((each) => each.counts), disputes.map(({ other }) => other)];
    return verb === "accept" ? { right: counts, wrong: others } : { right: others, wrong: counts };
  }
  if (row.code !== "entered" && row.code !== "of_sources") return undefined;
  const right = disputesOf({ ...judged, field: row.field })
    .filter(isInside)
    .map(({ counts, other }) => {
      const accepted = row.code === "entered" ? other : counts;
      return verb === "accept" ? accepted : accepted === counts ? other : counts;
    });
  return { right, wrong: [] };
}
