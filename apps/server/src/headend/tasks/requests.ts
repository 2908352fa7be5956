import { allows, problem } from "@metrum/contract/core";
import {
  pollResults,
  taskLimits,
  taskStates,
  type DeviceTask,
  type PollResult,
} from "@metrum/contract/headend";
import {
  argumentsSchema,
  changesAnything,
  commandOf,
  isReadingCommand,
  pollManagement,
  readManagement,
  type Language,
  type Narrowings,
} from "@metrum/vocabulary";
import { faultWords, readUntil, record, type Ctx, type Db } from "#core";
import { refuseWhenExpired } from "#access/licence";
import { lineModel } from "#headend/exchanges";
import { taskOf } from "./listStore.ts";
import {
  isSameKind,
  isSameRequest,
  isStoredRequestKey,
  refusalsOf,
  storedRequestOf,
  type StoredRequest,
} from "./storedRequest.ts";
import { addTask, endItem, endedChannel } from "./taskStore.ts";
import {
  askableDevices,
  askedWithin,
  openStoredRequests,
  progressOf,
  sameTask,
  type AskableDevice,
} from "./requestStore.ts";

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
/** Clocks of processes differ by less. */
const aheadSec = 600;
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
 * device_put_away, task_limit; of a request of stored data also wrong_input, request_refused if no device can
 * answer it, and request_in_flight. A double click returns the task of the first, and so does the same request
 * of stored data by anyone.
 */
export async function requestReading(ctx: Ctx, request: Request): Promise<DeviceTask> {
  const { database, scope, clock, bus } = ctx;
  await refuseWhenExpired(ctx);
  const asked: Asked = request.management ?? pollManagement;
  if (!allows(isReadOnly(asked) ? "4:read" : "4:update", scope.access)) throw problem("right_missing");
  const stored = storedRequestOf(asked);
  const ids = [...new Set(request.deviceIds)].sort((a, b) => a - b);
  const now = clock.now();
  // A separate transaction: the task must be committed before its end can be awaited.
  const { task: accepted, isNew } = await database.scoped(scope, async (db) => {
    const devices = await askableDevices(db, scope, ids);
    if (devices.some(({ isPutAway }) => isPutAway)) throw problem("device_put_away");
    const refused = stored ? refusedDevices(ctx, devices, stored) : refuseUnsupported(devices, asked);
    const task = {
      title: request.title,
      titleEn: request.titleEn,
      commandType: request.commandType,
      deviceIds: ids,
      pollGroupId: request.pollGroupId,
      management: request.management,
      isStored: stored !== undefined,
      now,
      expiresAt: now + expirySec,
    };
    const same =
      (await sameTask(db, scope, task, clickSec)) ??
      (stored && (await taskInFlight({ ...ctx, db }, ids, stored)));
    if (same !== undefined) return { task: await taskOf(db, scope, same), isNew: false };
    await refuseTooMany(db, ctx, ids.length);
    const taskId = await addTask(db, scope, task);
    for (const deviceId of refused)
      await endItem(db, { taskId, deviceId, startedMs: null, now, result: "unsupported", message: "" });
    await recordRequest({ ...ctx, db }, request, { ids, taskId });
    return { task: await taskOf(db, scope, taskId), isNew: true };
  });
  if (isNew)
    bus.publish("tasksChanged", [
      { companyId: scope.companyId, taskId: accepted.id, statusId: accepted.status_id },
    ]);
  return accepted;
}

/** Whether a request changes no device: commands that read, and keys of a request of stored data. */
function isReadOnly(asked: Asked): boolean {
  const others = Object.entries(asked).filter(([key]) => !isStoredRequestKey(key));
  const isStored = others.length < Object.keys(asked).length;
  return (isStored && others.length === 0) || !changesAnything(readManagement(Object.fromEntries(others)));
}

/** Problem: command_unsupported, if a device cannot execute the commands. */
function refuseUnsupported(devices: readonly AskableDevice[], asked: Asked): readonly number[] {
  const keys = Object.keys(asked);
  if (keys.length > 0 && devices.every(({ modelId }) => supports(modelId, asked))) return [];
  throw problem("command_unsupported", { attributes: { management: keys.length === 0 ? ["empty"] : keys } });
}

/** The devices that cannot answer a request of stored data. Problem: request_refused, if none can. */
function refusedDevices(
  { clock, language }: Ctx,
  devices: readonly AskableDevice[],
  stored: StoredRequest,
): readonly number[] {
  const refusals = refusalsOf(devices, stored, clock.now());
  const [first] = refusals.values();
  if (first === undefined || refusals.size < devices.length) return [...refusals.keys()];
  throw problem("request_refused", {
    params: { reason: faultWords(first.fault, language) },
    attributes: { [`management.${first.field}`]: [first.fault] },
  });
}

/**
 * The task that is requesting the same data of this device, of any user. Problem: request_in_flight, if another
 * period of it is being requested.
 */
async function taskInFlight(
  { db, scope }: Ctx,
  [deviceId, ...others]: readonly number[],
  stored: StoredRequest,
): Promise<number | undefined> {
  if (deviceId === undefined || others.length > 0) return undefined;
  for (const { taskId, management } of await openStoredRequests(db, scope, deviceId)) {
    const open = storedRequestOf(management);
    if (!open || !isSameKind(open, stored)) continue;
    if (isSameRequest(open, stored)) return taskId;
    throw problem("request_in_flight");
  }
  return undefined;
}

/** Problem: task_limit. Each row is kept for years, so the number of new ones is limited. */
export async function refuseTooMany(
  db: Db,
  { scope, clock }: Pick<Ctx, "scope" | "clock">,
  devices: number,
): Promise<void> {
  const now = clock.now();
  // Tasks of a clock that was ahead do not count for as long as it was.
  const asked = await askedWithin(db, scope, { from: now - limitedSec, to: now + aheadSec });
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

/** Present outcome of a request to one device; `rows`: of an archive or journal. */
export type Outcome = { readonly statusId: number } & (
  | { readonly state: "done"; readonly rows: number | null }
  | { readonly state: "waiting" }
  | { readonly state: "failed"; readonly reason: string }
);

/** Waits for the end of a task for one device, for as long as a user would. */
export async function outcomeOf(ctx: Ctx, task: DeviceTask, deviceId: number): Promise<Outcome> {
  const item = { taskId: task.id, deviceId };
  const { statusId, isEnded, result, rows } = await readUntil(ctx, {
    read: () => ctx.database.scoped(ctx.scope, (db) => progressOf(db, ctx.scope, item)),
    isFinal: (progress) => progress.isEnded,
    channel: endedChannel,
    payload: String(task.id),
    waitMs,
    pauseMs,
  });
  if (!isEnded) return { statusId, state: "waiting" };
  if (statusId === taskStates.done.id) return { statusId, state: "done", rows };
  return { statusId, state: "failed", reason: reasonOf(result, ctx.language) };
}

function reasonOf(resultId: number | null, language: Language): string {
  const found = (Object.keys(pollResults) as PollResult[]).find((key) => pollResults[key].id === resultId);
  return pollResults[found ?? "internal"].title[language];
}
