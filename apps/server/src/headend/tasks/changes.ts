import {
  allows,
  deviceChanges,
  problem,
  type DeviceChange,
  type DeviceTask,
  type ParsedOf,
  type tasks,
} from "@metrum/contract";
import type { DeviceId } from "@metrum/vocabulary";
import { record, type Ctx } from "#core";
import { selectedDevices } from "#metering/devices";
import { taskOf } from "./listStore.ts";
import { expirySec, namedIds, refuseTooMany } from "./requests.ts";
import { addTask } from "./taskStore.ts";

/**
 * Changes all devices that a filter matches now, as a task; null: it matches none. Problems: right_missing,
 * not_found (an unknown id), wrong_input (a period without its action, or none with it), task_limit.
 */
export async function changeSelected(
  ctx: Ctx,
  { filter, ...change }: ParsedOf<typeof tasks.change>["body"],
): Promise<DeviceTask | null> {
  refuseWithoutRight(ctx, change);
  if ((change.action === "period") !== (change.report_period_update !== undefined))
    throw problem("wrong_input", { attributes: { report_period_update: ["required"] } });
  const ids = await selectedDevices(ctx, filter);
  return ids.length === 0 ? null : changeAsTask(ctx, ids, change);
}

/** Stores a task that changes these devices of the session. Problems: right_missing, task_limit. */
export async function changeAsTask(
  ctx: Ctx,
  deviceIds: readonly DeviceId[],
  change: DeviceChange,
): Promise<DeviceTask> {
  const { db, scope, session, address, bus } = ctx;
  refuseWithoutRight(ctx, change);
  await refuseTooMany(db, ctx, deviceIds.length);
  const { ru, en } = deviceChanges[change.action].title;
  const now = ctx.clock.now();
  const actor = { address, impersonatorId: session.impersonatorId, via: session.apiToken };
  const taskId = await addTask(db, scope, {
    title: ru,
    titleEn: en,
    commandType: "change",
    deviceIds,
    change: { to: change, actor },
    now,
    expiresAt: now + expirySec,
  });
  await record(ctx, {
    action: "device.changeMany",
    subject:
      deviceIds.length === 1 ? `device ${String(deviceIds[0])}` : `${String(deviceIds.length)} devices`,
    after: { task: taskId, device_ids: deviceIds.slice(0, namedIds), ...change },
  });
  const task = await taskOf(db, scope, taskId);
  ctx.afterCommit(() =>
    bus.publish("tasksChanged", [{ companyId: scope.companyId, taskId, statusId: task.status_id }]),
  );
  return task;
}

function refuseWithoutRight({ scope }: Ctx, { action }: DeviceChange): void {
  if (!allows(deviceChanges[action].right, scope.access)) throw problem("right_missing");
}
