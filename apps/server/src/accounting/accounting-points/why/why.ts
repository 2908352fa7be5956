import type { PointWhy } from "@metrum/contract/accounting";
import { problem } from "@metrum/contract/core";
import type { AccountingPointId } from "@metrum/vocabulary";
import { dayOf, decimal, isEqual, plus, resolveOne, startOfDay, textOf, zero, type Ctx } from "#core";
import { billedTotals } from "#accounting/closed-periods";
import { knowingLoads, readLoads } from "#metering/messages";
import { earlierValues } from "./whyEarlier.ts";
import { computedAt } from "./historyStore.ts";
import { lastDayOf } from "../terms/index.ts";
import { partsOfPeriod, registerWords, type Parts, type Period, type Sources } from "../days/index.ts";
import { pointColumns } from "../records/index.ts";
import {
  carriedGaps,
  clientOf,
  expectedSecOf,
  historyOf,
  lengthToKnow,
  sourcesOf,
  totalsOfPoints,
  type CarriedGap,
  type RegisterDays,
} from "../totals/index.ts";
import { whyDecimals } from "./whyDecimals.ts";
import { differenceOf, shownAdded, shownParts } from "./whyParts.ts";

interface Asked {
  readonly accounting_point_id: number;
  readonly field?: string | undefined;
  readonly month?: string | undefined;
  readonly day?: string | undefined;
}

/**
 * Where the total of a day or month comes from: every part with its readings, ratio and exchanges, and earlier
 * versions of the readings. The parts are computed from the readings as they are now and add up to the total; where
 * the stored days are behind, the answer says so. Problems: not_found, wrong_input.
 */
export async function whyTotal(ctx: Ctx, asked: Asked): Promise<PointWhy> {
  const { db, clock } = ctx;
  const pointId = await resolveOne(ctx, "accountingPoint", asked.accounting_point_id);
  const { fromDay, toDay } = daysOf(asked);
  const { timezone: zone, resource_type_id } = await pointColumns(db, pointId);
  const field = asked.field ?? "main";
  const [first, last] = [numberOf(fromDay), numberOf(toDay)];
  const [from, to] = [startOfDay(zone, first), startOfDay(zone, last + 1)];
  const span = { pointIds: [pointId], field, fromDay, toDay };
  const stored = await storedTotal(ctx, span, asked.day === undefined);
  const carried = new Set(stored.carried.map((gap) => dayOf(zone, gap.to - 1)));
  const period = { field, first, last, carried };
  const { parts, added, total, ratios } = await partsOfDays(ctx, { pointId, zone, period });
  const measured = await shownParts(ctx, { pointId, ratios, parts });
  const shown = [...measured, ...shownAdded(added, field)].sort((a, b) => a.from - b.from);
  const counted = shown.filter(({ kind }) => kind !== "uncounted").length;
  const amount = total === undefined ? null : textOf(total);
  const carriedSec = stored.carried.reduce((sum, gap) => sum + gap.to - Math.max(gap.from, from), 0);
  const expected = await expectedSecOf(db, pointId, { from, to });
  const length_sec = lengthToKnow({ from, to }, { now: clock.now(), expected });
  const earlier = await earlierValues(ctx, shown, to);
  const billed = asked.day === undefined ? await billedNow(ctx, span, amount) : null;
  return {
    unit: registerWords({ resource_type_id, field }, ctx.language).unit,
    decimals: whyDecimals({ parts: shown, earlier }, [
      amount,
      stored.estimated,
      billed?.amount,
      billed?.difference,
    ]),
    from,
    to,
    total: amount === null ? null : Number(amount),
    total_exact: amount,
    is_behind: !isSame(amount, stored.amount),
    computed_at: await computedAt(db, { pointId, field, fromDay, toDay }),
    formula: counted === 0 ? "none" : counted === 1 ? "difference" : "sum",
    known_sec: Math.min(stored.coveredSec + carriedSec, length_sec),
    length_sec,
    estimated: Number(stored.estimated),
    billed,
    parts: shown,
    earlier,
  };
}

const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 86_400_000;

const isSame = (a: string | null, b: string | null): boolean =>
  a === null || b === null ? a === b : isEqual(decimal(a), decimal(b));

/** Problem: wrong_input. */
function daysOf({ month, day }: Asked): { readonly fromDay: string; readonly toDay: string } {
  const [fromDay, toDay] = day === undefined ? [`${month ?? ""}-01`, month && lastDayOf(month)] : [day, day];
  if (Number.isNaN(numberOf(fromDay)) || toDay === undefined)
    throw problem("wrong_input", { attributes: { [day === undefined ? "month" : "day"]: ["required"] } });
  return { fromDay, toDay };
}

interface Stored {
  /** Exact decimals, as the days give them: of a month with what it bills of gaps that began before it. */
  readonly amount: string | null;
  readonly estimated: string;
  readonly coveredSec: number;
  readonly carried: readonly CarriedGap[];
}

async function storedTotal({ db }: Ctx, span: RegisterDays, isMonth: boolean): Promise<Stored> {
  const [total] = await totalsOfPoints(db, span);
  const carried = isMonth ? ([...(await carriedGaps(db, span)).values()][0] ?? []) : [];
  const amounts = [...(total?.amount == null ? [] : [total.amount]), ...carried.map(({ amount }) => amount)];
  return {
    amount: amounts.length === 0 ? null : sumOf(amounts),
    estimated: sumOf([total?.estimated ?? "0", ...carried.map(({ estimated }) => estimated)]),
    coveredSec: total?.coveredSec ?? 0,
    carried,
  };
}

/** What the days consist of, as the session may read it. */
async function partsOfDays(
  ctx: Ctx,
  of: { readonly pointId: AccountingPointId; readonly zone: string; readonly period: Period },
): Promise<Parts & Pick<Sources, "ratios">> {
  const { pointId, zone, period } = of;
  const client = clientOf(ctx.db);
  const history = await historyOf(ctx, client, pointId);
  if (!history) throw problem("not_found");
  const window = { pointId, zone, from: period.first, to: period.last };
  return knowingLoads(readLoads(ctx.db), async (samplesOf) => {
    const { sources } = await sourcesOf(ctx, client, { window, history, samplesOf });
    return { ...partsOfPeriod(sources, period), ratios: history.ratios };
  });
}

/** What the newest version of the closed month bills, which later data do not change. */
async function billedNow(
  { db, scope }: Ctx,
  { pointIds, field, fromDay, toDay }: RegisterDays,
  now: string | null,
): Promise<PointWhy["billed"]> {
  const days = { from_day: fromDay, to_day: toDay };
  const totals = await billedTotals(db, scope.companyId, { ...days, points: pointIds, field });
  const [billed] = [...(totals?.values() ?? [])];
  if (!billed) return null;
  const { version, amount } = billed;
  return {
    version,
    amount: amount === null ? null : Number(amount),
    difference: differenceOf(now, amount),
  };
}

const sumOf = (amounts: readonly string[]): string => textOf(amounts.map(decimal).reduce(plus, zero));
