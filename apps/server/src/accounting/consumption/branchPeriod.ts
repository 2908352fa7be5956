import type { ConsumptionPeriod } from "@metrum/contract/accounting";
import { dayText } from "#core";

/** Days since 1970-01-01, both inclusive. */
export interface Days {
  readonly from: number;
  readonly to: number;
}

export interface BranchPeriod {
  readonly now: Days;
  readonly before: Days;
  readonly step: "day" | "month";
  /** It begins with a month, so it counts what its months bill. */
  readonly isOfMonths: boolean;
}

const dayAt = (year: number, month: number, day: number): number => Date.UTC(year, month, day) / 86_400_000;

/**
 * The last seven days, the month or the year of yesterday until yesterday, and the same days before: of a shorter
 * month or year all days that it has. The present day is never complete.
 */
export function branchPeriod(period: ConsumptionPeriod, today: number): BranchPeriod {
  const to = today - 1;
  if (period === "week")
    return {
      now: { from: to - 6, to },
      before: { from: to - 13, to: to - 7 },
      ...{ step: "day", isOfMonths: false },
    };
  const date = new Date(to * 86_400_000);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (period === "month") {
    const before = dayAt(year, month - 1, 1);
    const from = dayAt(year, month, 1);
    return {
      now: { from, to },
      before: { from: before, to: Math.min(from - 1, before + day - 1) },
      ...{ step: "day", isOfMonths: true },
    };
  }
  const lastOfMonth = dayAt(year - 1, month + 1, 0);
  return {
    now: { from: dayAt(year, 0, 1), to },
    before: { from: dayAt(year - 1, 0, 1), to: Math.min(lastOfMonth, dayAt(year - 1, month, day)) },
    ...{ step: "month", isOfMonths: true },
  };
}

/** First days of the parts of a period, as texts. */
export function partsOf({ now, step }: Pick<BranchPeriod, "now" | "step">): string[] {
  const days = Array.from({ length: now.to - now.from + 1 }, (_, at) => dayText(now.from + at));
  return step === "day" ? days : days.filter((day) => day.endsWith("-01"));
}
