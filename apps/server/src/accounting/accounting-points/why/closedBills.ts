import type { AccountingPointId } from "@metrum/vocabulary";
import { dayText, decimal, minus, plus, startOfDay, textOf, type Ctx } from "#core";
import { billedTotals, closedSpans, type ClosedSpan } from "#accounting/closed-periods";
import { carriedGaps, totalsOfPoints, type DayNumbers } from "../totals/index.ts";

/** What a closed period bills of a point, and what its days give now; exact decimals, null: nothing is known. */
export interface ClosedBill {
  readonly amount: string | null;
  readonly now: string | null;
  /** Now minus billed; null: one of them is unknown. */
  readonly difference: string | null;
}

/** A closed period with the bills of points that differ from what their days give now. */
export interface ClosedBills extends Pick<ClosedSpan, "from_day" | "to_day" | "version"> {
  readonly differing: ReadonlyMap<AccountingPointId, ClosedBill>;
}

/**
 * Closed periods that lie within days of a zone as a whole, with the points that they bill otherwise than their
 * days give now. The ids come from a query on accounting_point.
 */
export async function closedBills(
  ctx: Pick<Ctx, "db" | "scope">,
  of: {
    readonly pointIds: readonly AccountingPointId[];
    readonly zone: string;
    readonly range: DayNumbers;
  },
): Promise<ClosedBills[]> {
  const { pointIds, zone, range } = of;
  const span = { from: startOfDay(zone, range.first), to: startOfDay(zone, range.last + 1) };
  const [first, last] = [dayText(range.first), dayText(range.last)];
  const met = await closedSpans(ctx.db, ctx.scope.companyId, { ...span, zone });
  const found: ClosedBills[] = [];
  for (const { from_day, to_day, version } of met) {
    if (from_day < first || to_day > last) continue;
    const differing = await differingBills(ctx, { from_day, to_day, points: pointIds });
    found.push({ from_day, to_day, version, differing });
  }
  return found;
}

interface Billed {
  readonly from_day: string;
  readonly to_day: string;
  readonly points: readonly AccountingPointId[];
}

async function differingBills(
  { db, scope }: Pick<Ctx, "db" | "scope">,
  days: Billed,
): Promise<ReadonlyMap<AccountingPointId, ClosedBill>> {
  const asked = { pointIds: days.points, field: "main", fromDay: days.from_day, toDay: days.to_day };
  const billed = await billedTotals(db, scope.companyId, days);
  const carried = await carriedGaps(db, asked);
  const found = new Map<AccountingPointId, ClosedBill>();
  for (const { pointId, amount: own } of await totalsOfPoints(db, asked)) {
    const amount = billed?.get(pointId)?.amount ?? null;
    const parts = [...(own === null ? [] : [own]), ...(carried.get(pointId) ?? []).map((gap) => gap.amount)];
    const now = parts.length === 0 ? null : parts.map(decimal).reduce(plus);
    const difference = amount === null || now === null ? null : textOf(minus(now, decimal(amount)));
    if (difference === "0" || (amount === null && now === null)) continue;
    found.set(pointId, { amount, now: now && textOf(now), difference });
  }
  return found;
}
