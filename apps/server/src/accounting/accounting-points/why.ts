import { problem, type PointWhy } from "@metrum/contract";
import { decimal, minus, plus, resolveOne, startOfDay, textOf, zero, type Ctx } from "#core";
import { billedTotals } from "#accounting/closed-periods";
import { partsOf, type Stretch } from "./whyParts.ts";
import { earlierValues } from "./whyEarlier.ts";
import { amountsIn, computedAt } from "./historyStore.ts";
import { lastDayOf } from "./losses.ts";
import { registerWords } from "./registerWords.ts";
import { pointColumns } from "./store.ts";
import { carriedGaps, type CarriedGap } from "./totals/carriedStore.ts";
import { expectedSecOf, lengthToKnow } from "./totals/expectedStore.ts";
import { totalsOfPoints, type RegisterDays } from "./totals/readStore.ts";

interface Asked {
  readonly accounting_point_id: number;
  readonly field?: string | undefined;
  readonly month?: string | undefined;
  readonly day?: string | undefined;
}

/**
 * Where the total of a day or month comes from: every part with its readings, ratio and exchanges, and earlier
 * versions of the readings. Problems: not_found, wrong_input.
 */
export async function whyTotal(ctx: Ctx, asked: Asked): Promise<PointWhy> {
  const { db } = ctx;
  const pointId = await resolveOne(ctx, "accountingPoint", asked.accounting_point_id);
  const { fromDay, toDay } = daysOf(asked);
  const { timezone: zone, resource_type_id } = await pointColumns(db, pointId);
  const field = asked.field ?? "main";
  const [from, to] = [startOfDay(zone, numberOf(fromDay)), startOfDay(zone, numberOf(toDay) + 1)];
  const span = { pointIds: [pointId], field, fromDay, toDay };
  const [total] = await totalsOfPoints(db, span);
  const carried = asked.day === undefined ? ((await carriedGaps(db, span)).get(pointId) ?? []) : [];
  const stretch: Stretch = { pointId, field, from, to: Math.min(to, ctx.clock.now()) };
  const measured = [...(await partsOf(ctx, stretch)), ...(await addedParts(ctx, stretch))];
  const parts = [...measured, ...carriedParts(carried, field)].sort((a, b) => a.from - b.from);
  const amounts = [...(total?.amount == null ? [] : [total.amount]), ...carried.map(({ amount }) => amount)];
  const sum = amounts.length === 0 ? null : sumOf(amounts);
  const carriedSec = carried.reduce((sum, gap) => sum + gap.to - Math.max(gap.from, from), 0);
  const expected = await expectedSecOf(db, pointId, { from, to });
  const length_sec = lengthToKnow({ from, to }, { now: ctx.clock.now(), expected });
  return {
    unit: registerWords({ resource_type_id, field }, ctx.language).unit,
    from,
    to,
    total: sum === null ? null : Number(sum),
    computed_at: await computedAt(db, { pointId, field, fromDay, toDay }),
    formula: parts.length === 0 ? "none" : parts.length === 1 ? "difference" : "sum",
    known_sec: Math.min((total?.coveredSec ?? 0) + carriedSec, length_sec),
    length_sec,
    estimated: Number(sumOf([total?.estimated ?? "0", ...carried.map(({ estimated }) => estimated)])),
    billed: asked.day === undefined ? await billedNow(ctx, span, sum) : null,
    parts,
    earlier: await earlierValues(ctx, parts),
  };
}

const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 86_400_000;

/** Problem: wrong_input. */
function daysOf({ month, day }: Asked): { readonly fromDay: string; readonly toDay: string } {
  const [fromDay, toDay] = day === undefined ? [`${month ?? ""}-01`, month && lastDayOf(month)] : [day, day];
  if (Number.isNaN(numberOf(fromDay)) || toDay === undefined)
    throw problem("wrong_input", { attributes: { [day === undefined ? "month" : "day"]: ["required"] } });
  return { fromDay, toDay };
}

/** Consumption that a person has added. */
async function addedParts(ctx: Ctx, { pointId, field, from, to }: Stretch): Promise<PointWhy["parts"]> {
  const rows = await amountsIn(ctx.db, { pointId, field, from, to });
  return rows.map((row) => ({
    ...emptyPart,
    kind: "amount" as const,
    from: row.from_ts,
    to: row.to_ts,
    field,
    amount: Number(row.amount),
    note: row.note,
    flags: ["estimated" as const],
  }));
}

/** Of gaps that began in a closed month before: it cannot bill them any more. */
const carriedParts = (gaps: readonly CarriedGap[], field: string): PointWhy["parts"] =>
  gaps.map(({ from, to, amount, estimated }) => ({
    ...emptyPart,
    kind: "carried" as const,
    from,
    to,
    field,
    amount: Number(amount),
    note: "",
    flags: Number(estimated) === 0 ? [] : ["estimated" as const],
  }));

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
    difference: amount === null || now === null ? null : Number(textOf(minus(decimal(now), decimal(amount)))),
  };
}

const sumOf = (amounts: readonly string[]): string => textOf(amounts.map(decimal).reduce(plus, zero));

const emptyPart = {
  device_id: null,
  device_name: "",
  deviceID: "",
  start: null,
  end: null,
  register_growth: null,
  ratio: null,
  ratio_title: "",
  ratio_from: null,
} as const;
