import type { AccountingPointId } from "@metrum/vocabulary";
import { startOfDay, type Db } from "#core";
import { termsOf } from "./termStore.ts";
import { decimal, plus, textOf, times, zero, type Decimal } from "./totals/decimal.ts";
import type { PointDay } from "./totals/readStore.ts";

/** The share of losses of a point in an interval. */
export interface LossStep {
  readonly from: number;
  readonly to: number | null;
  readonly share: Decimal;
}

/** Shares of losses of a point over time. */
export async function lossSteps(db: Db, pointId: AccountingPointId): Promise<LossStep[]> {
  return (await termsOf(db, { pointId, kind: "loss" })).map(({ from_ts, to_ts, number }) => ({
    from: from_ts,
    to: to_ts,
    share: decimal(String(number ?? 0)),
  }));
}

/** The share that is valid at an instant; zero without one. */
export function lossAt(steps: readonly LossStep[], at: number): Decimal {
  return steps.find(({ from, to }) => from <= at && (to === null || to > at))?.share ?? zero;
}

/**
 * Losses of a month by the share valid at noon of each day; of a gap only if the month contains it. Exact in
 * decimals up to the result.
 */
export function lossOfMonth(
  month: string,
  {
    days,
    losses,
    zone,
  }: { readonly days: readonly PointDay[]; readonly losses: readonly LossStep[]; readonly zone: string },
): number {
  let sum = zero;
  for (const { day, amount, gapAmount, gapDay } of days) {
    if (!day.startsWith(month)) continue;
    const noon = startOfDay(zone, Date.parse(`${day}T00:00:00Z`) / 86_400_000) + 43_200;
    const inside = gapDay?.startsWith(month) ? gapAmount : null;
    sum = plus(sum, times(plus(decimal(amount ?? "0"), decimal(inside ?? "0")), lossAt(losses, noon)));
  }
  return Number(textOf(sum));
}
