import { validationKinds, type ValidationKind } from "@metrum/contract/accounting";
import {
  judgedProfile,
  judgedRegister,
  type Finding,
  type Given,
  type Judged,
  type Numbers,
} from "../judged/index.ts";
import { allKinds } from "../kinds/index.ts";

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
  unit: ["foreign_serial"],
  duplicate: ["unit", "foreign_serial"],
  spike: ["unit", "duplicate", "foreign_serial"],
  negative: ["unit", "spike", "foreign_serial"],
  reverse_flow: ["unit", "foreign_serial"],
  sum_of_tariffs: ["unit", "spike", "negative", "frozen", "duplicate", "foreign_serial"],
  interval_sum: ["unit", "spike", "negative", "frozen", "duplicate", "sum_of_tariffs", "foreign_serial"],
  contract_power: ["unit", "spike", "duplicate", "ratio", "interval_sum", "foreign_serial"],
  high: ["unit", "spike", "ratio", "reverse_flow", "contract_power", "interval_sum", "foreign_serial"],
  low: ["unit", "ratio", "frozen", "interval_sum", "foreign_serial"],
  sibling: ["unit", "spike", "ratio", "frozen", "interval_sum", "high", "low", "foreign_serial"],
};

/** The name of the evidence that holds the rules whose findings yielded to this one. */
const explainsName = "explains";

/** Rules that found something at the same time, which this finding explains. */
export const explainedKinds = (evidence: Finding["evidence"]): readonly ValidationKind[] => {
  const named = String(evidence[explainsName] ?? "").split(" ");
  return validationKinds.filter((kind) => named.includes(kind));
};

type Span = Pick<Finding, "from" | "to">;
const overlap = (one: Span, other: Span): boolean => one.from <= other.to && other.from <= one.to;

/** Values of a profile are stamped with the start of their interval, a reading of a counter with its end. */
const intervalOf = ({ from, to }: Span, stepSec: number): Span => ({ from: from - stepSec, to });

/** The time that a finding is about: growth up to a reading begins with the one before. */
const timeOf = ({ from, to, evidence }: Found): Span => ({
  from: Math.min(from, Number(evidence["since_at"] ?? from)),
  to,
});

/** Kinds of wrong readings: the counter falls or jumps at the first right one after them, which is no other cause. */
const wrongReadings: readonly ValidationKind[] = ["unit", "spike", "negative", "frozen", "duplicate"];

/** The time in which a finding explains others. Of a foreign meter only the first reading is odd. */
function explains(found: Found, { levels }: Given): Span {
  const next = (at: number) => levels.get(found.field)?.find(({ ts }) => ts > at)?.ts ?? at;
  if (found.kind === "foreign_serial") return { from: found.from, to: next(found.from) };
  return wrongReadings.includes(found.kind) ? { from: found.from, to: next(found.to) } : found;
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
  const yielded = (each: Found): readonly Found[] =>
    all.filter(
      (other) =>
        explainedBy[each.kind]?.includes(other.kind) === true &&
        overlap(explains(other, given), timeOf(each)),
    );
  const standing = all.filter((each) => overlap(each, given.span) && yielded(each).length === 0);
  return standing.map((each) => {
    const explained = new Set(all.flatMap((other) => (yielded(other).includes(each) ? [other.kind] : [])));
    return explained.size === 0
      ? each
      : { ...each, evidence: { ...each.evidence, [explainsName]: [...explained].toSorted().join(" ") } };
  });
}
