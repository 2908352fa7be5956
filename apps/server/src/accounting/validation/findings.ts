import type { ValidationKind } from "@metrum/contract";
import type { Finding, Judged, Numbers } from "./judged.ts";
import { allKinds } from "./kinds/index.ts";
import { judgedProfile, judgedRegister, type Given } from "./series.ts";

/** A rule as it holds for one device: off, or with these numbers. */
export type RulesOfDevice = ReadonlyMap<ValidationKind, Numbers>;

export interface Found extends Finding {
  readonly kind: ValidationKind;
}

/**
 * Findings that explain others of the same time: readings on another scale are no spike, and a day with a spike
 * is not high as well.
 */
const explainedBy: Readonly<Partial<Record<ValidationKind, readonly ValidationKind[]>>> = {
  spike: ["unit"],
  negative: ["unit"],
  high: ["unit", "spike", "ratio", "reverse_flow"],
  low: ["unit", "ratio"],
  sibling: ["unit", "spike", "ratio", "high", "low"],
};

type Span = Pick<Finding, "from" | "to">;
const overlap = (one: Span, other: Span): boolean => one.from <= other.to && other.from <= one.to;

/** Values of a profile are stamped with the start of their interval, a reading of a counter with its end. */
const intervalOf = ({ from, to }: Span, stepSec: number): Span => ({ from: from - stepSec, to });

/** The first reading on the old scale is part of what a change of it explains: the counter falls or jumps there. */
function explains(found: Found, { levels }: Given): Span {
  if (found.kind !== "unit") return found;
  const next = levels.get(found.field)?.find(({ ts }) => ts > found.to);
  return { from: found.from, to: next?.ts ?? found.to };
}

function findingsOf(judged: Judged, rules: RulesOfDevice): Found[] {
  return allKinds.flatMap((kind) => {
    const numbers = rules.get(kind.name);
    if (!numbers || (judged.isProfile && !kind.judgesProfiles)) return [];
    return kind.judge(judged, numbers).map((finding) => ({ ...finding, kind: kind.name }));
  });
}

/** Everything that the rules find about one device; one cause is said once. */
export function judge(given: Given, rules: RulesOfDevice): Found[] {
  const counters = judgedRegister(given);
  const register = findingsOf(counters, rules);
  const stepSec = counters.everySec;
  const profile = judgedProfile(given);
  const all = [
    ...register,
    // The same hole or peak of the register stands for that of the profile.
    ...(profile ? findingsOf(profile, rules) : []).filter(
      (each) =>
        !register.some((other) => other.kind === each.kind && overlap(intervalOf(other, stepSec), each)),
    ),
  ];
  return all.filter(
    (each) =>
      overlap(each, given.span) &&
      !all.some(
        (other) =>
          explainedBy[each.kind]?.includes(other.kind) === true && overlap(explains(other, given), each),
      ),
  );
}
