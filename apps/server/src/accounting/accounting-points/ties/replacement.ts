import * as store from "../records/index.ts";
import type { meterlessMethods } from "@metrum/contract/accounting";
import { problem } from "@metrum/contract/core";
import type { AccountingPointId } from "@metrum/vocabulary";
import { isExclusionViolation, record, resolveOne, rounded, type Ctx } from "#core";
import { insertAmount } from "./amountStore.ts";
import {
  deleteEventsOf,
  insertReplaced,
  lockPoint,
  pointsChanged,
  refuseBilled,
  subjectOf,
  type PointDevice,
  type RegisterValues,
} from "../records/index.ts";
import { endTie, tieWithin, type Tied } from "./devices.ts";
import { confirmedBy, refuseDoubted, type Confirmation } from "./doubtedReadings.ts";
import { loadBefore } from "./load.ts";
import { swapOf, type Swap } from "./swap.ts";

export interface Replacement {
  readonly accounting_point_id: number;
  readonly device_id: number;
  readonly last_value?: number | null | undefined;
  readonly starting_value?: number | null | undefined;
  readonly removed_at?: number | undefined;
  readonly installed_at?: number | undefined;
  readonly closing?: Readonly<Record<string, number>> | undefined;
  readonly opening?: Readonly<Record<string, number>> | undefined;
  readonly field?: string | undefined;
  readonly act?: string | undefined;
  readonly note?: string | undefined;
  readonly meterless?: (typeof meterlessMethods)[number] | undefined;
  readonly meterless_amount?: number | undefined;
}

/**
 * Another device measures the point. Problems: those of `tieDevice`, point_device_absent and
 * point_load_unknown.
 */
export async function replaceDevice(ctx: Ctx, given: Replacement & Confirmation): Promise<void> {
  const { db, scope } = ctx;
  const confirmed = confirmedBy(given);
  const pointId = await lockPoint(ctx, given.accounting_point_id);
  await resolveOne(ctx, "device", given.device_id);
  const { old, removed, installed } = await swapOf(ctx, pointId, given);
  await refuseBilled(ctx, pointId, { from: removed, to: null, field: "removed_at" });
  const closing = await endTie(ctx, old, { to: removed, value: given.last_value, by: given.closing });
  const tie = await tieWithin(ctx, pointId, {
    ...given,
    closing: undefined,
    from: installed,
    to: null,
  });
  if (confirmed === undefined) await refuseDoubtedEnds(ctx, given, { old, removed, closing, tie });
  const amount = await meterlessAmount(ctx, { ...given, pointId, old, removed, installed });
  if (amount !== null)
    await insertAmount(db, scope, {
      pointId,
      field: "main",
      from: removed,
      to: installed,
      amount,
      method: given.meterless ?? "entered",
      note: given.note ?? "",
      pointDeviceId: tie.id,
    });
  await insertReplaced(db, scope, {
    pointId,
    at: installed,
    deviceId: tie.device.id,
    oldDeviceId: old.device_id,
    pointDevice: tie.id,
    act: given.act,
  });
  await record(ctx, {
    action: "point.replaceDevice",
    subject: subjectOf(pointId),
    before: { device_id: old.device_id, removed_at: removed, closing },
    after: {
      device_id: tie.device.id,
      field: tie.field,
      installed_at: installed,
      opening: tie.opening,
      ...(amount === null ? {} : { meterless_amount: amount, meterless: given.meterless }),
      ...(given.act ? { act: given.act } : {}),
      ...(confirmed === undefined ? {} : { confirmed }),
    },
  });
  pointsChanged(ctx);
}

/** Problem: point_reading_doubted. */
async function refuseDoubtedEnds(
  ctx: Ctx,
  { last_value, starting_value }: Replacement,
  of: Pick<Swap, "old" | "removed"> & { readonly closing: RegisterValues; readonly tie: Tied },
): Promise<void> {
  const { old, removed, closing, tie } = of;
  await refuseDoubted(ctx, [
    {
      ...{ side: "closing", deviceId: old.device_id, modelId: old.model_id, main: old.field, at: removed },
      ...{ given: closing, argument: last_value == null ? undefined : "last_value" },
    },
    {
      ...{ side: "opening", deviceId: tie.device.id, modelId: tie.device.model_id, main: tie.field },
      ...{ at: tie.from, given: tie.opening },
      argument: starting_value == null ? undefined : "starting_value",
    },
  ]);
}

/** Consumption of the time without a meter; null: not counted. Problems: point_load_unknown, wrong_input. */
export async function meterlessAmount(
  ctx: Ctx,
  given: Pick<Replacement, "meterless" | "meterless_amount"> & Swap & { readonly pointId: AccountingPointId },
): Promise<number | null> {
  const { meterless = "not_counted", meterless_amount, removed, installed } = given;
  if (installed === removed || meterless === "not_counted") return null;
  if (meterless === "entered") {
    if (meterless_amount === undefined)
      throw problem("wrong_input", { attributes: { meterless_amount: ["required"] } });
    return meterless_amount;
  }
  const load = await loadBefore(ctx, given);
  if (load === null) throw problem("point_load_unknown");
  return rounded((load * (installed - removed)) / 3600);
}

/** The last replacement of a point if it can be undone: nothing of the devices has changed since. */
export function undoable(
  all: readonly PointDevice[],
  replaced: ReadonlySet<number>,
): { readonly old: PointDevice; readonly now: PointDevice } | undefined {
  const [old, now] = [all.at(-2), all.at(-1)];
  if (!old || now?.to_ts !== null || !replaced.has(now.id)) return undefined;
  return { old, now };
}

/**
 * Undoes the last replacement: the old device measures on. Problems: not_found, point_replacement_none,
 * point_register_taken when the register of the old device measures another point by now.
 */
export async function undoReplacement(ctx: Ctx, given: number): Promise<void> {
  const { db } = ctx;
  const pointId = await lockPoint(ctx, given);
  const all = await store.devicesOf(db, pointId);
  const swap = undoable(all, await store.replacedTies(db, pointId));
  if (!swap) throw problem("point_replacement_none");
  const { old, now } = swap;
  await refuseBilled(ctx, pointId, { from: old.to_ts ?? now.from_ts, to: null });
  await deleteEventsOf(db, pointId, now.id);
  await store.deleteTie(db, now.id);
  await store.reopenTie(db, old.id).catch((error: unknown) => {
    if (isExclusionViolation(error)) throw problem("point_register_taken", { params: { point: "…" } });
    throw error;
  });
  await record(ctx, {
    action: "point.undoReplacement",
    subject: subjectOf(pointId),
    before: { device_id: now.device_id, installed_at: now.from_ts, opening: now.opening },
    after: { device_id: old.device_id, closing: old.closing, removed_at: old.to_ts },
  });
  pointsChanged(ctx);
}
