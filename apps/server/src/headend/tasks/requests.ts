import {
  allows,
  pollResults,
  problem,
  taskLimits,
  taskStates,
  type DeviceTask,
  type PollResult,
} from "@metrum/contract";
import {
  argumentsSchema,
  changesDevice,
  commandOf,
  isReadingCommand,
  pollManagement,
  type Language,
  type Narrowings,
} from "@metrum/vocabulary";
import { readUntil, record, type Ctx, type Db } from "#core";
import { refuseWhenExpired } from "#access/licence";
import { lineModel } from "#headend/exchanges";
import { taskOf } from "./listStore.ts";
import { addTask, askableDevices, askedSince, endedChannel, progressOf, sameTask } from "./taskStore.ts";

/** Poll requests of users expire after this time. */
export const expirySec = 24 * 3600;
/** The same request again within this time is a double click. */
const clickSec = 5;
/**
 * How long a call waits for a device before it answers that the request is queued: no call takes longer than
 * two seconds.
 */
const waitMs = 1_500;
/** Period of the limits of a company. */
const limitedSec = 24 * 3600;
/** Interval of reads of the task without a notification. */
const pauseMs = 1_000;

export interface Request {
  readonly commandType: "control" | "poll";
  readonly deviceIds: readonly number[];
  readonly pollGroupId?: number | undefined;
  readonly management?: Readonly<Record<string, unknown>> | undefined;
  readonly title: string;
  readonly titleEn: string;
}

/**
 * Accepts a request to read devices: licence, right by key, then scope, then model. Problems:
 * licence_expired, right_missing, not_found (one foreign id refuses the whole list), command_unsupported,
 * device_put_away, task_limit. A double click returns the task of the first.
 */
export async function requestReading(ctx: Ctx, request: Request): Promise<DeviceTask> {
  const { database, scope, clock, bus } = ctx;
  await refuseWhenExpired(ctx);
  const asked: Asked = request.management ?? pollManagement;
  const keys = Object.keys(asked);
  for (const key of keys)
    if (!allows(changesDevice(key) ? "4:update" : "4:read", scope.access)) throw problem("right_missing");
  const ids = [...new Set(request.deviceIds)].sort((a, b) => a - b);
  const now = clock.now();
  // A separate transaction: the task must be committed before its end can be awaited.
  const { task: accepted, isNew } = await database.scoped(scope, async (db) => {
    const devices = await askableDevices(db, scope, ids);
    if (devices.some(({ isPutAway }) => isPutAway)) throw problem("device_put_away");
    const supported = devices.every(({ modelId }) => supports(modelId, asked));
    if (keys.length === 0 || !supported)
      throw problem("command_unsupported", {
        attributes: { management: keys.length === 0 ? ["empty"] : keys },
      });
    const task = {
      title: request.title,
      titleEn: request.titleEn,
      commandType: request.commandType,
      deviceIds: ids,
      pollGroupId: request.pollGroupId,
      management: request.management,
      now,
      expiresAt: now + expirySec,
    };
    const same = await sameTask(db, scope, task, clickSec);
    if (same !== undefined) return { task: await taskOf(db, scope, same), isNew: false };
    await refuseTooMany(db, ctx, ids.length);
    const taskId = await addTask(db, scope, task);
    await recordRequest({ ...ctx, db }, request, { ids, taskId });
    return { task: await taskOf(db, scope, taskId), isNew: true };
  });
  if (isNew)
    bus.publish("tasksChanged", [
      { companyId: scope.companyId, taskId: accepted.id, statusId: accepted.status_id },
    ]);
  return accepted;
}

/** Problem: task_limit. Each row is kept for years, so the number of new ones is limited. */
export async function refuseTooMany(db: Db, { scope, clock }: Ctx, devices: number): Promise<void> {
  const asked = await askedSince(db, scope, clock.now() - limitedSec);
  if (asked.tasks >= taskLimits.tasks || asked.devices + devices > taskLimits.devices)
    throw problem("task_limit", { params: taskLimits });
}

/** Number of ids of a long list in the audit row; the task has them all. */
export const namedIds = 100;

/** In the transaction of the task, so that no command lacks its audit row (security rule 3.6). */
async function recordRequest(
  ctx: Ctx,
  { commandType, management }: Request,
  { ids, taskId }: { readonly ids: readonly number[]; readonly taskId: number },
): Promise<void> {
  await record(ctx, {
    action: commandType === "control" ? "device.control" : "device.poll",
    subject: ids.length === 1 ? `device ${String(ids[0])}` : `${String(ids.length)} devices`,
    after: { task: taskId, device_ids: ids.slice(0, namedIds), ...(management ? { management } : {}) },
  });
}

type Asked = Readonly<Record<string, unknown>>;

/**
 * Whether a model offers every command and accepts these arguments. A poll executes only commands that change
 * nothing.
 */
function supports(modelId: number, asked: Asked): boolean {
  const model = lineModel(modelId);
  if (!model) return false;
  const controls: Readonly<Record<string, Narrowings>> = model.controls;
  return Object.entries(asked).every(([key, given]) => {
    const command = commandOf(key);
    const narrowings = Object.hasOwn(controls, key) ? controls[key] : undefined;
    return command && isReadingCommand(key) && narrowings
      ? argumentsSchema(command, narrowings).safeParse(given).success
      : false;
  });
}

/** Present outcome of a request to one device; `statusId` is that of its task. */
export type Outcome = { readonly statusId: number } & (
  { readonly state: "done" | "waiting" } | { readonly state: "failed"; readonly reason: string }
);

/** Waits for the end of a task, for as long as a user would. */
export async function outcomeOf(ctx: Ctx, task: DeviceTask): Promise<Outcome> {
  const { statusId, isEnded, result } = await readUntil(ctx, {
    read: () => ctx.database.scoped(ctx.scope, (db) => progressOf(db, ctx.scope, task.id)),
    isFinal: (progress) => progress.isEnded,
    channel: endedChannel,
    payload: String(task.id),
    waitMs,
    pauseMs,
  });
  if (!isEnded) return { statusId, state: "waiting" };
  if (statusId === taskStates.done.id) return { statusId, state: "done" };
  return { statusId, state: "failed", reason: reasonOf(result, ctx.language) };
}

function reasonOf(resultId: number | null, language: Language): string {
  const found = (Object.keys(pollResults) as PollResult[]).find((key) => pollResults[key].id === resultId);
  return pollResults[found ?? "internal"].title[language];
}
