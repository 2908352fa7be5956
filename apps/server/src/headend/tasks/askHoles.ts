import { problem } from "@metrum/contract/core";
import type { DeviceTask } from "@metrum/contract/headend";
import {
  holeBounds,
  holeRefusals,
  type HolePlan,
  type HoleRefusal,
  type HoleSelection,
} from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { record, resolve, type Ctx, type Db } from "#core";
import { refuseWhenExpired } from "#access/licence";
import { chosenDevices } from "#metering/devices";
import { pagesOf, sortHoles, type ArchiveHoles, type HoleDevice } from "./holes.ts";
import { taskOf } from "./listStore.ts";
import { expirySec, namedIds, refuseTooMany } from "./requests.ts";
import { addTask } from "./taskStore.ts";
import { holeDevices, openHoles } from "./requestStore.ts";

const daySec = 86_400;
/** Devices whose slots are held in memory at a time. */
const atOnce = 100;

interface Planned {
  readonly plan: HolePlan;
  /** Number of missing rows to request, by device. */
  readonly asked: ReadonlyMap<DeviceId, number>;
  /** The newest task that is already requesting some of them. */
  readonly waitingIn: number | undefined;
}

/** Missing rows of a selection, and those that can be requested. Problems: those of `selectedDevices`. */
export async function planHoles(ctx: Ctx, selection: HoleSelection): Promise<HolePlan> {
  const { ids, leftOut } = await selectedDevices(ctx, selection);
  return (await planned(ctx, ctx.db, { selection, ids, leftOut, isLocked: false })).plan;
}

/**
 * Requests the missing rows of a selection, in one task. Rows already being requested are not requested again: a
 * double click returns the task of the first. Problems: licence_expired, task_limit, and those of `selectedDevices`.
 */
export async function askHoles(
  ctx: Ctx,
  selection: HoleSelection,
): Promise<{ plan: HolePlan; device_task: DeviceTask | null }> {
  const { database, scope, bus } = ctx;
  await refuseWhenExpired(ctx);
  const { ids, leftOut } = await selectedDevices(ctx, selection);
  // A separate transaction, like that of every request: the broker sees the task as soon as the call has answered.
  const { plan, device_task, isNew } = await database.scoped(scope, async (db) => {
    const found = await planned(ctx, db, { selection, ids, leftOut, isLocked: true });
    const taskId =
      found.asked.size === 0 ? found.waitingIn : await addHoles({ ...ctx, db }, selection, found.asked);
    return {
      plan: found.plan,
      device_task: taskId === undefined ? null : await taskOf(db, scope, taskId),
      isNew: found.asked.size > 0,
    };
  });
  if (isNew && device_task) {
    const { id: taskId, status_id: statusId } = device_task;
    bus.publish("tasksChanged", [{ companyId: scope.companyId, taskId, statusId }]);
  }
  return { plan, device_task };
}

async function addHoles(
  ctx: Ctx,
  { msg_types, start_date, stop_date }: HoleSelection,
  asked: Planned["asked"],
): Promise<number> {
  const { db, scope, clock } = ctx;
  const now = clock.now();
  const deviceIds = [...asked.keys()];
  const period = { msg_types, start_date, stop_date };
  await refuseTooMany(db, ctx, deviceIds.length);
  const task = await addTask(db, scope, {
    title: titles.ru,
    titleEn: titles.en,
    commandType: "holes",
    deviceIds,
    holes: { period, asked: [...asked.values()] },
    now,
    expiresAt: now + expirySec,
  });
  await record(ctx, {
    action: "device.holes",
    subject:
      deviceIds.length === 1 ? `device ${String(deviceIds[0])}` : `${String(deviceIds.length)} devices`,
    after: { task, device_ids: deviceIds.slice(0, namedIds), ...period, rows: sum([...asked.values()]) },
  });
  return task;
}

const titles = { ru: "Запрос пропусков", en: "Request of missing values" };

/**
 * The devices of a selection within the limits, and the number of others. Problems: not_found (one foreign id refuses
 * the whole list), device_put_away, wrong_input for a period that is reversed or too long.
 */
async function selectedDevices(
  ctx: Ctx,
  { device_ids, filter = {}, ...period }: HoleSelection,
): Promise<{ ids: DeviceId[]; leftOut: number }> {
  const days = Math.floor((period.stop_date - period.start_date) / daySec) + 1;
  if (days < 1) throw problem("wrong_input", { attributes: { stop_date: ["before start_date"] } });
  if (days > holeBounds.days)
    throw problem("wrong_input", {
      attributes: { start_date: [`more than ${String(holeBounds.days)} days`] },
    });
  const most = Math.floor(holeBounds.typeDays / days / period.msg_types.length);
  const named = device_ids && (await resolve(ctx, "device", [...new Set(device_ids)]));
  const { rows, total } = await chosenDevices(
    ctx,
    named ? { ...filter, ids: named } : { ...filter, msgTypes: period.msg_types },
    { limit: Math.min(holeBounds.devices, most), offset: 0 },
  );
  const isInTrash = named && Object.keys(filter).length === 0 && total < named.length;
  if (isInTrash || rows.some(({ is_archived }) => is_archived)) throw problem("device_put_away");
  return { ids: rows.map(({ id }) => id), leftOut: total - rows.length };
}

interface Chosen {
  readonly selection: HoleSelection;
  readonly ids: readonly DeviceId[];
  readonly leftOut: number;
  /** Whether the devices are locked, so that a second request sees the rows of the first one. */
  readonly isLocked: boolean;
}

async function planned(
  { scope, clock, language }: Ctx,
  db: Db,
  { selection, ids, leftOut, isLocked }: Chosen,
): Promise<Planned> {
  const devices = await holeDevices(db, scope, ids, isLocked);
  const open = await openHoles(db, scope, ids);
  const asked = new Map<DeviceId, number>();
  const refused = new Map<HoleRefusal, number>();
  const counts = { missing: 0, asked: 0, requests: 0 };
  const refuse = (why: HoleRefusal, n: number) => refused.set(why, (refused.get(why) ?? 0) + n);
  const take = ({ id }: HoleDevice, holes: ArchiveHoles) => {
    const n = holes.slots.length;
    if (counts.asked + n > holeBounds.slots) return refuse("too_many", n);
    counts.asked += n;
    counts.requests += pagesOf(holes).length;
    return asked.set(id, (asked.get(id) ?? 0) + n);
  };
  for (let at = 0; at < devices.length; at += atOnce)
    for (const each of await sortHoles(db, {
      devices: devices.slice(at, at + atOnce),
      period: selection,
      open,
      now: clock.now(),
    })) {
      counts.missing += each.missing;
      for (const [why, n] of each.refused) refuse(why, n);
      if (each.holes) take(each.device, each.holes);
    }
  const not_asked = [...refused]
    .map(([why, missing]) => ({ why, title: holeRefusals[why][language], missing }))
    .sort((a, b) => b.missing - a.missing);
  const waitingIn = refused.has("waiting")
    ? open.find(({ period }) => period.msg_types.some((type) => selection.msg_types.includes(type)))?.taskId
    : undefined;
  return {
    plan: { ...counts, devices: asked.size, not_asked, devices_left_out: leftOut },
    asked,
    waitingIn,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
