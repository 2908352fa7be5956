import { pageSize, problem, type ParsedOf, type ReplyOf } from "@metrum/contract/core";
import type { DeviceTask, tasks, TaskResult } from "@metrum/contract/headend";
import { deviceChangeFaults } from "@metrum/contract/metering";
import type { Language } from "@metrum/vocabulary";
import { record, resolve, resolveOne, type Ctx } from "#core";
import { changeAsTask } from "./changes.ts";
import {
  countResults,
  countTasks,
  failedDevices,
  resultPage,
  statisticsOf,
  taskOf,
  taskPage,
  type StatusCount,
} from "./listStore.ts";
import { askHoles } from "./askHoles.ts";
import { holdsCommand, type CommandRequest, type CommandTasks } from "./commandTasks.ts";
import { requestReading } from "./requests.ts";
import { cancelItems } from "./taskStore.ts";

const usualPage = 10;
const largestPage = 100;
const daySec = 86_400;
const usualDays = 7;
const longestDays = 92;
/** Number of ids of a long list in the audit row. */
const namedIds = 100;
/** Cancelled devices that are announced each. */
const mostTold = 1_000;

interface Paged<Row> {
  readonly rows: Row[];
  readonly current_page: number;
  readonly last_page: number;
  readonly per_page: number;
  readonly total: number;
}

function pageOf({
  page = 1,
  per_page = usualPage,
}: {
  page?: number | undefined;
  per_page?: number | undefined;
}) {
  const limit = pageSize(per_page, largestPage);
  return { current_page: page, per_page: limit, limit, offset: (page - 1) * limit };
}

const lastPage = (total: number, limit: number): number => Math.max(1, Math.ceil(total / limit));

/** One page of the tasks that this session sees, and their number by status. */
export async function taskList(
  { db, scope }: Ctx,
  { sort_field = "created_at", sort = "desc", ...body }: ParsedOf<typeof tasks.list>["body"],
): Promise<Paged<DeviceTask> & { readonly counts: StatusCount[] }> {
  const { limit, offset, ...page } = pageOf(body);
  const counts = await countTasks(db, scope, body);
  const rows = await taskPage(db, scope, { filter: body, order: { sort_field, sort }, limit, offset });
  const total = counts
    .filter(({ status_id }) => body.status_id === undefined || status_id === body.status_id)
    .reduce((sum, { count }) => sum + count, 0);
  return { rows, ...page, last_page: lastPage(total, limit), total, counts };
}

/** One page of the devices of a task with their outcome. */
export async function taskResults(
  { db, scope, language }: Ctx,
  { taskId, outcome, ...body }: ParsedOf<typeof tasks.results>["body"] & { readonly taskId: number },
): Promise<Paged<TaskResult> & Pick<ReplyOf<typeof tasks.results>, "counts">> {
  const { limit, offset, ...page } = pageOf(body);
  const counts = await countResults(db, scope, taskId);
  const rows = (await resultPage(db, scope, { taskId, outcome, limit, offset })).map((row) => ({
    ...row,
    message: wordsOf(row.message, language),
  }));
  const total = outcome ? counts[outcome] : Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { rows, ...page, last_page: lastPage(total, limit), total, counts };
}

/** The reason why a device was not changed is stored as a code, the message of a meter as text. */
const wordsOf = (message: string, language: Language): string =>
  isKeyOf(deviceChangeFaults, message) ? deviceChangeFaults[message][language] : message;

const isKeyOf = <Table extends object>(table: Table, key: PropertyKey): key is keyof Table =>
  Object.hasOwn(table, key);

/**
 * Cancels requests that have not begun: those of the named tasks, or all of a device or a group. Returns how
 * many devices will not be polled. Problems: not_found, wrong_input when neither is named.
 */
export async function cancelTasks(
  ctx: Ctx,
  commands: CommandTasks,
  body: ParsedOf<typeof tasks.cancel>["body"],
): Promise<number> {
  const { db, scope, clock, bus } = ctx;
  const taskIds = body.device_task_ids && (await resolve(ctx, "task", body.device_task_ids));
  const deviceId = body.device_id === undefined ? undefined : await resolveOne(ctx, "device", body.device_id);
  const pollGroupId =
    body.poll_group_id === undefined ? undefined : await resolveOne(ctx, "pollGroup", body.poll_group_id);
  const isAll = body.delete_all === true && (deviceId ?? pollGroupId) !== undefined;
  if (!taskIds && !isAll) throw problem("wrong_input", { attributes: { device_task_ids: ["required"] } });
  const what = { taskIds, deviceId, pollGroupId };
  // Commands first: whoever sends one locks it before its item.
  const uncertain = await commands.cancel(db, scope, what, clock.now());
  const changes = [...uncertain, ...(await cancelItems(db, scope, what, clock.now()))];
  const cancelled = changes.filter((change) => change.deviceId !== undefined).length;
  await record(ctx, {
    action: "task.cancel",
    subject: taskIds ? tasksNamed(taskIds) : subjectOf(deviceId, pollGroupId),
    after: { ...(taskIds ? { tasks: taskIds.slice(0, namedIds) } : {}), cancelled },
  });
  // A task that changes devices may have too many of them to notify a browser of each.
  const announced =
    changes.length > mostTold ? changes.filter((change) => change.deviceId === undefined) : changes;
  ctx.afterCommit(() => bus.publish("tasksChanged", announced));
  return cancelled;
}

const subjectOf = (deviceId: number | undefined, pollGroupId: number | undefined): string =>
  deviceId === undefined ? `poll group ${String(pollGroupId)}` : `device ${String(deviceId)}`;

const tasksNamed = (ids: readonly number[]): string =>
  ids.length === 1 ? `task ${String(ids[0])}` : `${String(ids.length)} tasks`;

/**
 * Polls or changes the failed devices of a task again. Problems: nothing_to_repeat, and those of
 * `requestReading` and `changeAsTask`.
 */
export async function repeatFailed(
  ctx: Ctx,
  commands: CommandTasks,
  { taskId, proof }: { readonly taskId: number; readonly proof: CommandRequest["proof"] },
): Promise<DeviceTask> {
  const task = await taskOf(ctx.db, ctx.scope, taskId);
  const { change } = task;
  if (holdsCommand(task.management)) {
    const ids = await commands.repeatable(ctx, task);
    if (ids.length === 0) throw problem("nothing_to_repeat");
    return commands.request(ctx, {
      commandType: "control",
      deviceIds: ids,
      management: commands.sentNow(task, ctx.clock.now()),
      title: task.title,
      titleEn: task.title_en,
      proof,
    });
  }
  const deviceIds = await failedDevices(ctx.db, ctx.scope, taskId, change ? "change" : "ask");
  if (deviceIds.length === 0) throw problem("nothing_to_repeat");
  if (change) return changeAsTask(ctx, deviceIds, change);
  if (task.holes) {
    const { device_task } = await askHoles(ctx, { ...task.holes, device_ids: deviceIds });
    if (!device_task) throw problem("nothing_to_repeat");
    return device_task;
  }
  return requestReading(ctx, {
    commandType: task.command_type === "control" ? "control" : "poll",
    deviceIds,
    pollGroupId: task.poll_group_id,
    management: task.management,
    title: task.title,
    titleEn: task.title_en,
  });
}

/** Problem: wrong_input for a period that is longer than a quarter, or ends before it begins. */
export function taskStatistics(
  { db, scope, clock }: Ctx,
  { device_id, poll_group_id, ...body }: ParsedOf<typeof tasks.statistics>["body"],
): Promise<ReplyOf<typeof tasks.statistics>> {
  const stop_date = body.stop_date ?? clock.now();
  const start_date = body.start_date ?? stop_date - usualDays * daySec;
  if (stop_date < start_date || stop_date - start_date > longestDays * daySec)
    throw problem("wrong_input", { attributes: { start_date: ["range"] } });
  return statisticsOf(db, scope, { device_id, poll_group_id, start_date, stop_date });
}
