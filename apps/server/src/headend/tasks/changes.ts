import { allows, problem, type ParsedOf } from "@metrum/contract/core";
import type { DeviceTask, tasks } from "@metrum/contract/headend";
import { deviceChangeArguments, deviceChanges, type DeviceChange } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { record, resolve, resolveOne, type Ctx } from "#core";
import { refuseFirstTies, selectedDevices } from "#metering/devices";
import { taskOf } from "./listStore.ts";
import { expirySec, namedIds, refuseTooMany } from "./requests.ts";
import { addTask } from "./taskStore.ts";

/**
 * Changes all devices that a filter matches now, as a task; null: it matches none. Problems: right_missing,
 * not_found (an unknown id), wrong_input (an argument without its action, or none with it), right_not_held (a user
 * tied to devices unties, or gives a first tie), task_limit.
 */
export async function changeSelected(
  ctx: Ctx,
  { filter, ...change }: ParsedOf<typeof tasks.change>["body"],
): Promise<DeviceTask | null> {
  refuseWithoutRight(ctx, change);
  if (change.poll_group_id !== undefined) await resolveOne(ctx, "pollGroup", change.poll_group_id);
  await resolve(ctx, "user", change.user_ids ?? []);
  refuseArguments(change);
  const ids = await selectedDevices(ctx, filter);
  return ids.length === 0 ? null : changeAsTask(ctx, ids, ownArguments(change));
}

/** Stores a task that changes these devices of the session. Problems: right_missing, right_not_held, task_limit. */
export async function changeAsTask(
  ctx: Ctx,
  deviceIds: readonly DeviceId[],
  change: DeviceChange,
): Promise<DeviceTask> {
  const { db, scope, session, address, bus } = ctx;
  refuseWithoutRight(ctx, change);
  if (change.action === "tie") await refuseFirstTies(ctx, change.user_ids ?? []);
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

/** A user who loses the last tie sees all devices: one who is tied to devices may untie none of many. */
function refuseWithoutRight({ scope, session }: Ctx, { action }: DeviceChange): void {
  if (!allows(deviceChanges[action].right, scope.access)) throw problem("right_missing");
  if (action !== "tie" && action !== "untie") return;
  if (session.apiToken !== undefined) throw problem("token_refused");
  if (action === "untie" && scope.onlyTiedDevices) throw problem("right_not_held");
}

/** A period without its action is refused too, as one who sends it means to change it. */
function refuseArguments(change: DeviceChange): void {
  for (const [name, actions] of Object.entries(deviceChangeArguments)) {
    const isGiven = Reflect.get(change, name) !== undefined;
    const isNeeded = actions.some((action) => action === change.action);
    if (isNeeded ? !isGiven : isGiven && name === "report_period_update")
      throw problem("wrong_input", { attributes: { [name]: ["required"] } });
  }
}

/** Without the ids of other actions. */
function ownArguments({ poll_group_id, user_ids, ...change }: DeviceChange): DeviceChange {
  const { action } = change;
  if (action === "group") return { ...change, poll_group_id };
  return action === "tie" || action === "untie" ? { ...change, user_ids } : change;
}
