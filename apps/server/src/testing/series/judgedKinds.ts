import type { ValidationKind } from "@metrum/contract/accounting";
import { statuses } from "@metrum/vocabulary";
import type { Finding, Numbers } from "../../accounting/validation/judged/judged.ts";
import { kinds } from "../../accounting/validation/kinds/index.ts";
import { judgedRegister, type Given } from "../../accounting/validation/judged/series.ts";
import { changed, firstMidnight, midnight } from "./judgedSeries.ts";

const daySec = 86_400;

/** What a rule finds in a register. */
export const found = (kind: ValidationKind, given: Given, numbers: Numbers = {}): readonly Finding[] =>
  kinds[kind].judge(judgedRegister(given), numbers);

/** Only when, in days, and how many values. */
export const times = (kind: ValidationKind, given: Given, numbers: Numbers = {}): number[][] =>
  found(kind, given, numbers).map(({ from, to, values }) => [
    (from - firstMidnight) / daySec,
    (to - firstMidnight) / daySec,
    values,
  ]);

/** Readings of these midnights with a status. */
export const withStatus = (
  given: Given,
  at: readonly number[],
  status: keyof typeof statuses,
  more = {},
): Given =>
  changed(given, ({ ts }) =>
    at.some((each) => ts === midnight(each)) ? { status: statuses[status].id, ...more } : {},
  );

/** The span that has changed, in days. */
export const spanOf = (from: number, to: number): Pick<Given, "span"> => ({
  span: { from: midnight(from), to: midnight(to) },
});

/** Statuses of values on which a person has decided. */
export const decided = ["corrected", "manual", "estimated"] as const;
