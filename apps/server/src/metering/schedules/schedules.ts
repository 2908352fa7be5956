import {
  problem,
  type DeviceSchedule,
  type ScheduleRules,
  type SpecialDays,
  type TariffSchedule,
} from "@metrum/contract/core";
import type { DeviceId } from "@metrum/vocabulary";
import { record, resolveOne, type Ctx } from "#core";
import * as store from "./store.ts";

/** The stored schedule of a device that came through `resolve`; without rules if none is stored. */
export async function scheduleOf({ db }: Ctx, id: DeviceId): Promise<DeviceSchedule> {
  const stored = await store.scheduleOf(db, id);
  return {
    id,
    device_id: id,
    rules: stored?.rules ?? {},
    saved_at: stored ? Math.floor(stored.saved_at.getTime() / 1000) : null,
  };
}

/** Problems: not_found, device_put_away. */
export async function saveRules(ctx: Ctx, device: number, rules: ScheduleRules): Promise<void> {
  const id = await changeable(ctx, device);
  await put(ctx, id, { before: await store.scheduleOf(ctx.db, id), rules });
}

/** The tariffs alone. Problems: not_found, device_put_away. */
export async function saveTariffs(ctx: Ctx, device: number, tariff: TariffSchedule): Promise<void> {
  await savePart(ctx, device, { tariff });
}

/** The special days alone. Problems: not_found, device_put_away. */
export async function saveSpecialDays(ctx: Ctx, device: number, special_days: SpecialDays): Promise<void> {
  await savePart(ctx, device, { special_days });
}

async function savePart(ctx: Ctx, device: number, part: ScheduleRules): Promise<void> {
  const id = await changeable(ctx, device);
  const before = await store.scheduleOf(ctx.db, id);
  await put(ctx, id, { before, rules: { ...before?.rules, ...part } });
}

/** Problems: device_put_away; not_found, of the device or of its schedule. */
export async function removeSchedule(
  ctx: Ctx,
  { device_id, schedule_id = device_id }: { device_id: number; schedule_id?: number | undefined },
): Promise<void> {
  const id = await changeable(ctx, device_id);
  const before = await store.scheduleOf(ctx.db, id);
  if (!before || schedule_id !== id) throw problem("not_found");
  await store.remove(ctx.db, id);
  await note(ctx, id, { before: before.rules });
}

/** The device, locked for this transaction: of two users who save at once, the log names both. */
async function changeable({ db, scope }: Ctx, device: number): Promise<DeviceId> {
  const id = await resolveOne({ db, scope }, "device", device);
  if (await store.isPutAway(db, id)) throw problem("device_put_away");
  return id;
}

async function put(
  ctx: Ctx,
  id: DeviceId,
  { before, rules }: { readonly before: store.StoredSchedule | undefined; readonly rules: ScheduleRules },
): Promise<void> {
  await store.put(ctx.db, { company_id: ctx.scope.companyId, device_id: id, rules });
  await note(ctx, id, { ...(before ? { before: before.rules } : {}), after: rules });
}

async function note(
  ctx: Ctx,
  id: DeviceId,
  change: { readonly before?: ScheduleRules; readonly after?: ScheduleRules },
): Promise<void> {
  ctx.afterCommit(() => ctx.bus.publish("devicesChanged", { companyId: ctx.scope.companyId }));
  await record(ctx, { action: "device.schedule", subject: `device ${String(id)}`, ...change });
}
