import type { PeriodSums } from "@metrum/contract/accounting";
import type { AccountingPointId, BalanceGroupId } from "@metrum/vocabulary";
import { amountOf, dayText, factorOf, type Ctx } from "#core";
import type { DayNumbers } from "#accounting/accounting-points";
import { exceeds, periodSums, sumsOver, type Input } from "./compute.ts";
import { wholePart } from "./evidence.ts";
import { amountAt, AmountsByDay } from "./dayAmounts.ts";
import { inputsOf } from "./load.ts";
import type { Series } from "./series.ts";
import { groupsOfPoint } from "./store.ts";

/** A day of a point as it would be; exact decimals in the unit of the point, ratio included. */
export interface ChangedDay {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly change: string;
  /** Consumption of the day when nothing of it would be missing; null: something would. */
  readonly whole: string | null;
}

export interface ChangedBalance {
  readonly id: BalanceGroupId;
  readonly name: string;
  readonly allowed: number;
  readonly before: PeriodSums;
  readonly after: PeriodSums;
  /** Null: no day can be compared. */
  readonly isWithin: boolean | null;
}

const mostGroups = 5;

/**
 * Balances that name a point on some days, over a range of days as they are and as they would be. The id comes from a
 * query on accounting_point; only groups that the session sees are told.
 */
export async function balancesWith(
  ctx: Pick<Ctx, "db" | "scope" | "session">,
  of: {
    readonly pointId: AccountingPointId;
    readonly named: DayNumbers;
    readonly range: DayNumbers;
    readonly changed: readonly ChangedDay[];
  },
): Promise<ChangedBalance[]> {
  if (of.range.last < of.range.first) return [];
  const groups = await groupsOfPoint(ctx.db, ctx.scope, {
    ...{ pointId: of.pointId, limit: mostGroups },
    ...{ fromDay: dayText(of.named.first), toDay: dayText(of.named.last) },
  });
  const inputs = await inputsOf(ctx, groups, of.range);
  return [...inputs].map(([group, input]) => {
    const part = wholePart(input);
    const changed = withChange(input, of);
    const { exacts } = sumsOver(changed, part);
    return {
      ...{ id: group.id, name: group.name, allowed: group.allowed_imbalance },
      before: periodSums(input, part),
      after: periodSums(changed, part),
      isWithin: exacts && !exceeds(exacts, group.allowed_imbalance),
    };
  });
}

function withChange(
  input: Input,
  { pointId, changed }: { readonly pointId: AccountingPointId; readonly changed: readonly ChangedDay[] },
): Input {
  const series = input.series.map((each) =>
    each.member.point_id === pointId ? changedSeries(each, changed, input.first) : each,
  );
  return { ...input, series };
}

/** A day of which something is missing is replaced when it becomes whole; its gap is then no gap any more. */
function changedSeries(series: Series, changed: readonly ChangedDay[], first: number): Series {
  const factor = factorOf(series.member.coefficient);
  const [amounts, missing] = [new AmountsByDay(series.amounts), [...series.missing]];
  for (const { day, change, whole } of changed) {
    const at = day - first;
    if (series.isNamed[at] === false) continue;
    if ((missing[at] ?? 0) === 0) amounts.put(at, amountAt(amounts, at) + amountOf(change, factor));
    else if (whole !== null) {
      amounts.put(at, amountOf(whole, factor));
      missing[at] = 0;
    }
  }
  const isFilled = (at: number): boolean => (series.missing[at] ?? 0) > 0 && missing[at] === 0;
  const bridges = series.bridges.filter(({ from, to }) => !isFilled(from) && !isFilled(to));
  return { ...series, amounts, missing, bridges };
}
