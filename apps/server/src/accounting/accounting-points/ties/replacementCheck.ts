import * as store from "../records/index.ts";
import type { pointDevices } from "@metrum/contract/accounting";
import type { ReplyOf } from "@metrum/contract/core";
import { pointTypeOf, units, type AccountingPointId, type FieldName } from "@metrum/vocabulary";
import { decimalOf, minus, plus, resolveOne, rounded, sum, textOf, times, zero, type Ctx } from "#core";
import { dailyAmounts } from "./dayStore.ts";
import { pointColumns, readingsOf, type RegisterValues } from "../records/index.ts";
import { fitting } from "./devices.ts";
import { loadBefore } from "./load.ts";
import { ratioAt } from "../terms/index.ts";
import { registerChecks } from "./registerChecks.ts";
import type { Replacement } from "./replacement.ts";
import { swapOf, type Swap } from "./swap.ts";

type Check = ReplyOf<typeof pointDevices.checkReplacement>;
const daySec = 86_400;
const shownDays = 30;

/**
 * What a replacement with these readings would do, computed without storing anything. Problems: those of
 * `replaceDevice`.
 */
export async function checkReplacement(ctx: Ctx, given: Replacement): Promise<Check> {
  const pointId = await resolveOne(ctx, "accountingPoint", given.accounting_point_id);
  await resolveOne(ctx, "device", given.device_id);
  const swap = await swapOf(ctx, pointId, given);
  const { old, removed, installed } = swap;
  const { device, field } = await fitting(
    ctx,
    pointId,
    { device_id: given.device_id, field: given.field, from: installed, to: null },
    old.id,
  );
  const closing = readingsOf(old.model_id, {
    main: old.field,
    value: given.last_value,
    by: given.closing,
    as: "closing",
  });
  const opening = readingsOf(device.model_id, {
    main: field,
    value: given.starting_value,
    by: given.opening,
    as: "opening",
  });
  const ratio = await ratioAt(ctx, pointId, { at: removed, deviceId: old.device_id, field: old.field });
  const newRatio = await ratioAt(ctx, pointId, { at: installed, deviceId: device.id, field });
  const load = await loadBefore(ctx, { ...swap, pointId });
  const before = await registerChecks(ctx, {
    deviceId: old.device_id,
    modelId: old.model_id,
    at: removed,
    given: closing,
    main: old.field,
    side: "closing",
    load: load === null ? null : load / ratio,
  });
  const after = await registerChecks(ctx, {
    deviceId: device.id,
    modelId: device.model_id,
    at: installed,
    given: opening,
    main: field,
    side: "opening",
    load: load === null ? null : load / newRatio,
  });
  const reading_before = closing[old.field] ?? before.last.get(old.field)?.value ?? null;
  const { resource_type_id, timezone } = await pointColumns(ctx.db, pointId);
  const meterless_sec = installed - removed;
  const meterless_amount = load === null ? null : rounded((load * meterless_sec) / 3600);
  const counted = countedOf(given, meterless_amount);
  const total_before = await registerTotal(ctx, { pointId, swap, reading: reading_before, ratio });
  const total_after = total_before === null || counted === null ? null : sum([total_before, counted]);
  const firstGrowth = opening[field] === undefined ? null : 0;
  return {
    unit: units[pointTypeOf(resource_type_id)?.unit ?? "kWh"][ctx.language],
    ratio: newRatio,
    closing: before.checks,
    opening: after.checks,
    closing_sum: before.sum,
    opening_sum: after.sum,
    reading_before,
    total_before,
    total_after,
    sums: [
      { title: "old", amount: total_before },
      { title: "new", amount: firstGrowth },
      { title: "meterless", amount: counted },
      { title: "total", amount: total_after },
    ],
    ...(await aroundSwap(ctx, { pointId, timezone, removed, installed })),
    removed_at: removed,
    installed_at: installed,
    meterless_sec,
    load_before: load === null ? null : rounded(load),
    meterless_amount,
  };
}

/** What the time without a meter adds; null: not known. */
function countedOf({ meterless, meterless_amount }: Replacement, byLoad: number | null): number | null {
  if (meterless === "load_before") return byLoad;
  return meterless === "entered" ? (meterless_amount ?? null) : 0;
}

/**
 * What all registers have counted up to a swap, with the ratios: a first device without an opening reading
 * counts from zero. Null when a reading between two devices is not known.
 */
async function registerTotal(
  ctx: Ctx,
  of: {
    readonly pointId: AccountingPointId;
    readonly swap: Swap;
    readonly reading: number | null;
    readonly ratio: number;
  },
): Promise<number | null> {
  const { pointId, swap, reading } = of;
  let total = zero;
  for (const [at, tie] of (await store.devicesOf(ctx.db, pointId)).entries()) {
    const isLast = tie.id === swap.old.id;
    const end = isLast ? reading : valueOf(tie.closing, tie.field);
    const start = valueOf(tie.opening, tie.field) ?? (at === 0 ? 0 : null);
    if (end === null || start === null) return null;
    const until = isLast ? swap.removed : (tie.to_ts ?? swap.removed);
    const of = { at: until - 1, deviceId: tie.device_id, field: tie.field };
    const ratio = decimalOf(await ratioAt(ctx, pointId, of));
    total = plus(total, times(minus(decimalOf(end), decimalOf(start)), ratio));
    if (isLast) break;
  }
  return rounded(Number(textOf(total)));
}

const valueOf = (values: RegisterValues, field: FieldName): number | null => values[field] ?? null;

/** Thirty days before and after a swap, by the days of the point. */
async function aroundSwap(
  ctx: Ctx,
  of: {
    readonly pointId: AccountingPointId;
    readonly timezone: string;
    readonly removed: number;
    readonly installed: number;
  },
): Promise<Pick<Check, "days_before" | "days_after" | "difference_percent" | "daily">> {
  const { pointId, timezone, removed, installed } = of;
  const span = { from: removed - shownDays * daySec, to: installed + shownDays * daySec };
  const days = await dailyAmounts(ctx.db, { pointId, zone: timezone, swapAt: removed, ...span });
  const sumOf = (isNew: boolean, from: number, to: number) => {
    const known = days.filter((day) => day.is_new === isNew && day.amount !== null);
    const amount = known.length === 0 ? null : sum(known.map((day) => day.amount ?? 0));
    return { from, to, amount, days: known.length };
  };
  const [before, after] = [sumOf(false, span.from, removed), sumOf(true, installed, span.to)];
  const means = [before, after].map(({ amount, days: n }) => (amount === null ? null : amount / n));
  const [mean, newMean] = means;
  return {
    days_before: before,
    days_after: after,
    difference_percent:
      mean == null || newMean == null || mean === 0 ? null : Math.round((newMean / mean - 1) * 1000) / 10,
    daily: days,
  };
}
