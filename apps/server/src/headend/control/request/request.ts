import { allows, problem } from "@metrum/contract/core";
import { controlLimits, type DeviceTask } from "@metrum/contract/headend";
import { changesAnything, readManagement, switchesOff, type RequestedCommand } from "@metrum/vocabulary";
import { refuseWhenExpired } from "#access/licence";
import { record, type Ctx, type Db, type Scope } from "#core";
import { addTask, namedIds, refuseTooMany, taskOf, type CommandRequest } from "#headend/tasks";
import { statusOf } from "#metering/device-state";
import { inability, onlyCommand } from "./abilities.ts";
import { addCommands, addRequest, lockActuation, requestOf, type NewCommands } from "../commandStore.ts";
import { isRepeated } from "../openStore.ts";
import { needsOf, prove, refuseFrozen, refuseTooFast } from "./guards.ts";
import { lockedTargets, plannedTargets, targetsOf } from "./targets.ts";

/** The same actuation again within this time is a double click. */
const clickSec = 5;
const actuationSec = 600;
const harmlessSec = 86_400;
const minuteSec = 60;

/** Seconds until a command for so many devices expires: those of a task are sent at the allowed pace. */
export function expirySec({ command }: RequestedCommand, devices: number): number {
  if (!command.changesDevice || command.isRepeatable) return harmlessSec;
  const pace = command.actuates ? Math.ceil(devices / controlLimits.perUser) - 1 : 0;
  return actuationSec + pace * minuteSec;
}

/**
 * Accepts a command for devices: licence, right by key, proof, then scope, model, repetition and limits. The
 * task with its commands and the audit row are one transaction. A repeat of its idempotency key returns the
 * task of the first. Problems: those of `commandProblems`, licence_expired, right_missing, task_limit.
 */
export async function requestCommand(ctx: Ctx, request: CommandRequest): Promise<DeviceTask> {
  const { database, scope, bus } = ctx;
  await refuseWhenExpired(ctx);
  const asked = readManagement(request.management ?? {});
  if (!allows(changesAnything(asked) ? "4:update" : "4:read", scope.access)) throw problem("right_missing");
  const requested = onlyCommand(request.management ?? {});
  const ids = [...new Set(request.deviceIds)].sort((a, b) => a - b);
  // Before the proof: a repeat brings the one-time code that the first request has spent.
  const first =
    ctx.onceKey === undefined
      ? undefined
      : await database.scoped(scope, (db) => firstTask(db, ctx, { ...request, ids }));
  if (first) return first;
  if (requested.command.changesDevice) await refuseFrozen(ctx);
  const { needs, devices } = await database.scoped(scope, async (db) => {
    const count = request.skipsUnable === true ? await ableCount({ db, scope }, ids, requested) : ids.length;
    return { needs: await needsOf(db, ctx, requested, count), devices: count };
  });
  await prove(ctx, needs, { proof: request.proof, devices });
  // A separate transaction: the task must be committed before its end can be awaited.
  const { task, isNew } = await database.scoped(scope, (db) =>
    accept(db, ctx, { ...request, requested, ids, isProven: needs.length > 0 }),
  );
  if (isNew)
    bus.publish("tasksChanged", [{ companyId: scope.companyId, taskId: task.id, statusId: task.status_id }]);
  return task;
}

/** Those of a request that skips the others, as its plan has counted them. Problem: not_found. */
async function ableCount(
  asking: Pick<Ctx, "db" | "scope">,
  ids: readonly number[],
  requested: RequestedCommand,
): Promise<number> {
  const targets = await plannedTargets(asking, ids);
  return targets.filter(({ isPutAway, modelId }) => !isPutAway && !inability(modelId, requested)).length;
}

/** A request with the devices that it names, each once and in order. */
interface Named extends CommandRequest {
  readonly ids: readonly number[];
}

interface Accepted extends Named {
  readonly requested: RequestedCommand;
  readonly isProven: boolean;
}

/** The task of an earlier request with the key of this one. Problem: key_reused by a different request. */
async function firstTask(db: Db, ctx: Ctx, given: Named): Promise<DeviceTask | undefined> {
  const { scope, clock, onceKey } = ctx;
  if (onceKey === undefined) return undefined;
  const first = await requestOf(db, scope.companyId, onceKey, clock.now());
  if (!first) return undefined;
  if (!first.asked.equals(digestOf(ctx, given))) throw problem("key_reused");
  return taskOf(db, scope, first.taskId);
}

async function accept(
  db: Db,
  ctx: Ctx,
  given: Accepted,
): Promise<{ readonly task: DeviceTask; readonly isNew: boolean }> {
  const { scope, clock, onceKey } = ctx;
  const { requested } = given;
  const { command } = requested;
  const now = clock.now();
  const first = await firstTask(db, ctx, given);
  if (first) return { task: first, isNew: false };
  if (command.actuates) await lockActuation(db, [scope.companyId]);
  const deviceIds = await ableDevices(db, scope, given);
  // A filter or a group may match others than it did when the user confirmed.
  if (given.checked !== undefined && given.checked !== checkedOf(ctx, deviceIds))
    throw problem("control_others");
  const commands = commandsOf(given, deviceIds, now);
  if (command.changesDevice && (await isRepeated(db, scope, commands, now - clickSec)))
    throw problem("control_repeated");
  if (command.actuates && deviceIds.length === 1) await refuseTooFast(db, ctx);
  // Others may have been switched off since the proof was asked for.
  if (!given.isProven && (await needsOf(db, ctx, requested, deviceIds.length)).length > 0)
    throw problem("control_proof");
  await refuseTooMany(db, ctx, deviceIds.length);
  const taskId = await addTask(db, scope, {
    title: given.title,
    titleEn: given.titleEn,
    commandType: "control",
    isCommand: true,
    deviceIds,
    pollGroupId: given.pollGroupId,
    management: given.management,
    now,
    expiresAt: commands.expiresAt,
  });
  await addRequest(db, scope.companyId, {
    onceKey,
    asked: digestOf(ctx, given),
    taskId,
    stopAfter: given.stopAfter,
    now,
  });
  await addCommands(db, scope, { ...commands, taskId });
  await recordCommand({ ...ctx, db }, given, { deviceIds, taskId });
  return { task: await taskOf(db, scope, taskId), isNew: true };
}

function commandsOf(
  { requested }: Accepted,
  deviceIds: readonly number[],
  now: number,
): Omit<NewCommands, "taskId"> {
  const { command, given } = requested;
  return {
    deviceIds,
    key: command.key,
    given,
    actuates: command.actuates,
    switchesOff: switchesOff(requested),
    now,
    expiresAt: now + expirySec(requested, deviceIds.length),
  };
}

const digestOf = ({ secretBox, scope }: Ctx, { management, ids, stopAfter, skipsUnable }: Named): Buffer =>
  secretBox.mac(JSON.stringify([scope.userId, management, ids, stopAfter, skipsUnable]), "command");

/** The devices of a command in a short form, whatever their order. */
export const checkedOf = (
  { secretBox, scope }: Pick<Ctx, "secretBox" | "scope">,
  ids: readonly number[],
): string =>
  secretBox
    .mac(JSON.stringify([scope.companyId, ids.toSorted((a, b) => a - b)]), "command")
    .toString("base64url");

/** The devices or gateways that get the command. Problems: not_found, tied_devices_only, device_put_away, command_unsupported. */
async function ableDevices(
  db: Db,
  scope: Scope,
  { ids, requested, skipsUnable, management = {} }: Accepted,
): Promise<number[]> {
  const devices = await lockedTargets(db, scope, ids);
  if (!skipsUnable && devices.some(({ isPutAway }) => isPutAway)) throw problem("device_put_away");
  const able = devices.filter(({ isPutAway, modelId }) => !isPutAway && !inability(modelId, requested));
  if (able.length === 0 || (!skipsUnable && able.length < devices.length))
    throw problem("command_unsupported", { attributes: { management: Object.keys(management) } });
  return able.map(({ id }) => id);
}

/** In the transaction of the task, so that no command lacks its audit row (security rule 3.6). */
async function recordCommand(
  ctx: Ctx,
  { management }: Accepted,
  { deviceIds, taskId }: { readonly deviceIds: readonly number[]; readonly taskId: number },
): Promise<void> {
  const named = deviceIds.slice(0, namedIds);
  const before = await statusOf(ctx.db, named);
  const { kind } = await targetsOf(ctx, deviceIds);
  await record(ctx, {
    action: "device.control",
    subject:
      deviceIds.length === 1 ? `${kind} ${String(deviceIds[0])}` : `${String(deviceIds.length)} ${kind}s`,
    before: Object.fromEntries([...before].map(([id, { state }]) => [String(id), state])),
    after: { task: taskId, device_ids: named, management },
  });
}
