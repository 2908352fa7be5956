import type { pointDevices } from "@metrum/contract/accounting";
import type { ReplyOf } from "@metrum/contract/core";
import { pointTypeOf, units, type AccountingPointId } from "@metrum/vocabulary";
import { dayOf, dayText, resolveOne, type Ctx, type Day } from "#core";
import type { AmountBefore } from "../ties/index.ts";
import { applyCorrection, type Correction } from "./correction.ts";
import { withoutStoring } from "./correctionStore.ts";
import { lockPoint, pointColumns } from "../records/index.ts";
import { clientOf, computeDays, historyOf, lockDays, monthsOfPoint, replaceDays } from "../totals/index.ts";

type Check = ReplyOf<typeof pointDevices.checkCorrection>;
type Month = Check["months"][number];

/** Days that are computed at once, and in all: two years. */
const days = { part: 31, most: 744 };

/**
 * What a correction would do to the months of a point, both computed now; nothing is stored. Problems: those of
 * `correctTie`.
 */
export async function checkCorrection(ctx: Ctx, given: Correction): Promise<Check> {
  const { db } = ctx;
  const id = await resolveOne(ctx, "accountingPoint", given.accounting_point_id);
  // Before the row, as whoever computes days does.
  await lockDays(clientOf(db), id);
  const pointId = await lockPoint(ctx, id);
  const { timezone: zone, resource_type_id } = await pointColumns(db, pointId);
  const unit = units[pointTypeOf(resource_type_id)?.unit ?? "kWh"][ctx.language];
  const found = await withoutStoring(db, async () => {
    const { spans, amounts } = await applyCorrection(ctx, pointId, given);
    return { meterless: amounts, windows: windowsOf(ctx, zone, spans) };
  });
  const { windows, meterless } = found;
  const isLong = windows.reduce((sum, { from, to }) => sum + to - from + 1, 0) > days.most;
  const months = isLong ? [] : await monthsBoth(ctx, { pointId, zone, given, windows });
  return {
    unit,
    months,
    is_too_long: isLong,
    meterless_before: meterless.before.map(shownAmount),
    meterless_after: meterless.after.map(shownAmount),
  };
}

const shownAmount = ({ from, to, amount }: AmountBefore) => ({ from, to, amount });

interface Window {
  /** Days, both inclusive. */
  readonly from: Day;
  readonly to: Day;
}

/** Days around changed times, up to now, without overlaps. */
function windowsOf(
  { clock }: Ctx,
  zone: string,
  spans: readonly { readonly from: number; readonly to: number | null }[],
): Window[] {
  const now = clock.now();
  const windows: { from: Day; to: Day }[] = [];
  const sorted = spans
    .map(({ from, to }) => ({ from: dayOf(zone, from) - 1, to: dayOf(zone, to ?? Math.max(now, from)) + 1 }))
    .sort((a, b) => a.from - b.from);
  for (const { from, to } of sorted) {
    const last = windows.at(-1);
    if (last && from <= last.to + 1) last.to = Math.max(last.to, to);
    else windows.push({ from, to });
  }
  return windows;
}

async function monthsBoth(
  ctx: Ctx,
  of: {
    readonly pointId: AccountingPointId;
    readonly zone: string;
    readonly given: Correction;
    readonly windows: readonly Window[];
  },
): Promise<Month[]> {
  if (of.windows.length === 0) return [];
  const found = await withoutStoring(ctx.db, async () => {
    const touched = await recomputed(ctx, of);
    const before = await amountsOf(ctx, of, touched);
    await applyCorrection(ctx, of.pointId, of.given);
    for (const month of await recomputed(ctx, of)) touched.add(month);
    return { before, after: await amountsOf(ctx, of, touched), touched };
  });
  return [...found.touched].sort().map((month) => ({
    month,
    before: found.before.get(month) ?? null,
    after: found.after.get(month) ?? null,
  }));
}

/** Computes the days of the windows as things stand; returns the months that have some of them. */
async function recomputed(
  ctx: Ctx,
  {
    pointId,
    zone,
    windows,
  }: { readonly pointId: AccountingPointId; readonly zone: string; readonly windows: readonly Window[] },
): Promise<Set<string>> {
  const client = clientOf(ctx.db);
  const months = new Set<string>();
  for (const { from: first, to: last } of windows)
    for (let from = first; from <= last; from += days.part) {
      const window = { pointId, zone, from, to: Math.min(from + days.part - 1, last) };
      const history = await historyOf(ctx, client, pointId);
      if (!history) return months;
      const { registers } = await computeDays(ctx, client, { window, history });
      await replaceDays(client, pointId, { registers, stored: history.stored, now: ctx.clock.now() });
      for (const day of registers.flatMap((register) => register.days)) months.add(dayText(day).slice(0, 7));
    }
  return months;
}

/** Amounts of the main register from the first of these months to the present; unknown ones are absent. */
async function amountsOf(
  ctx: Ctx,
  { pointId, zone }: { readonly pointId: AccountingPointId; readonly zone: string },
  months: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const [fromMonth] = [...months].sort();
  if (fromMonth === undefined) return new Map();
  const toMonth = dayText(dayOf(zone, ctx.clock.now()) + 1).slice(0, 7);
  const totals = await monthsOfPoint(ctx.db, { pointId, fromMonth, toMonth });
  return new Map(totals.flatMap(({ month, amount }) => (amount === null ? [] : [[month, Number(amount)]])));
}
