import { fieldFault, problem, type ParsedOf } from "@metrum/contract/core";
import { exchangeKinds, pollResults, tasks, taskStates, type TaskState } from "@metrum/contract/headend";
import type { Text } from "@metrum/vocabulary";
import { resolveOne, serve, withMessage, type Api, type Ctx } from "#core";
import { askHoles, planHoles } from "./askHoles.ts";
import { selectedDevices } from "#metering/devices";
import { changeSelected } from "./changes.ts";
import { holdsCommand, type CommandRequest, type CommandTasks } from "./commandTasks.ts";
import { devicesOfGroup } from "./listStore.ts";
import { exchangeLog } from "./logs.ts";
import { planRequest } from "./planRequest.ts";
import { cancelTasks, repeatFailed, taskList, taskResults, taskStatistics } from "./tasks.ts";
import { requestReading } from "./requests.ts";

/** Registers tasks and requests to single devices. */
export function serveTasks(api: Api, commands: CommandTasks): void {
  serve(api, tasks, {
    async create({ body }, ctx) {
      const device_task = await accept(ctx, commands, {
        commandType: body.command_type,
        ...(await askedDevices(ctx, body)),
        management: body.command_type === "control" ? (body.management ?? {}) : undefined,
        title: body.title,
        titleEn: body.title_en ?? "",
        proof: body,
        skipsUnable: body.skip_unable,
        checked: body.checked,
        stopAfter: body.stop_after,
      });
      return withMessage({ device_task }, "task_created");
    },
    async change({ body }, ctx) {
      const device_task = await changeSelected(ctx, body);
      if (!device_task) return withMessage({ device_task }, "devices_none");
      return withMessage({ device_task }, "devices_changing", { count: device_task.device_count });
    },
    async list({ body }, ctx) {
      const input = { ...body, ...(await resolvedFilter(ctx, body)) };
      const { rows, counts, ...page } = await taskList(ctx, input);
      return { device_tasks: { data: rows, ...page }, counts };
    },
    async planHoles({ body }, ctx) {
      return { plan: await planHoles(ctx, body) };
    },
    async askHoles({ body }, ctx) {
      const asked = await askHoles(ctx, body);
      if (!asked.device_task) return withMessage(asked, "holes_none");
      return withMessage(asked, "holes_asked", { count: asked.device_task.holes?.asked ?? 0 });
    },
    planRequest: async ({ body }, ctx) => ({ plan: await planRequest(ctx, body) }),
    async results({ body }, ctx) {
      const taskId = await resolveOne(ctx, "task", body.device_task_id);
      const { rows, counts, ...page } = await taskResults(ctx, { ...body, taskId });
      return { results: { data: rows, ...page }, counts };
    },
    async cancel({ body }, ctx) {
      const cancelled = await cancelTasks(ctx, commands, body);
      return withMessage({ cancelled }, "tasks_cancelled", { count: cancelled });
    },
    async repeat({ body }, ctx) {
      const taskId = await resolveOne(ctx, "task", body.device_task_id);
      const device_task = await repeatFailed(ctx, commands, { taskId, proof: body });
      return withMessage({ device_task }, "task_created");
    },
    statuses: (_, ctx) => ({
      statuses: Object.entries(taskStates).map(([key, state]) => ({
        ...named(state, ctx),
        key: key as TaskState,
        is_final: state.isFinal,
      })),
    }),
    async statistics({ body }, ctx) {
      return taskStatistics(ctx, { ...body, ...(await resolvedFilter(ctx, body)) });
    },
    async logs({ body }, ctx) {
      return exchangeLog(ctx, body);
    },
    logTypes: (_, ctx) => ({ types: Object.values(exchangeKinds).map((each) => named(each, ctx)) }),
    logResultCodes: (_, ctx) => ({
      result_codes: Object.values(pollResults).map((each) => named(each, ctx)),
    }),
  });
}

/** Accepts a request for readings here, and one that holds a command by its domain. */
const accept = (ctx: Ctx, commands: CommandTasks, request: CommandRequest) =>
  holdsCommand(request.management) ? commands.request(ctx, request) : requestReading(ctx, request);

interface Filter {
  readonly device_id?: number | undefined;
  readonly poll_group_id?: number | undefined;
}

/** Device and group of a filter, which must be of the session. */
async function resolvedFilter(ctx: Ctx, { device_id, poll_group_id }: Filter) {
  return {
    ...(device_id === undefined ? {} : { device_id: await resolveOne(ctx, "device", device_id) }),
    ...(poll_group_id === undefined
      ? {}
      : { poll_group_id: await resolveOne(ctx, "pollGroup", poll_group_id) }),
  };
}

/** The devices of a request, or of its group. Problems: not_found, wrong_input without either. */
export async function askedDevices(
  ctx: Ctx,
  {
    device_ids,
    poll_group_id,
    filter,
  }: Pick<ParsedOf<typeof tasks.create>["body"], "device_ids" | "poll_group_id" | "filter">,
) {
  if (filter) return { deviceIds: await matching(ctx, filter) };
  if (poll_group_id === undefined) {
    if (!device_ids) throw problem("wrong_input", { attributes: { device_ids: ["required"] } });
    return { deviceIds: device_ids };
  }
  const pollGroupId = await resolveOne(ctx, "pollGroup", poll_group_id);
  if (device_ids) return { deviceIds: device_ids, pollGroupId };
  const deviceIds = await devicesOfGroup(ctx.db, ctx.scope, pollGroupId);
  if (deviceIds.length === 0)
    throw problem("wrong_input", { attributes: { poll_group_id: [fieldFault("few", { least: 1 })] } });
  return { deviceIds, pollGroupId };
}

/** Devices that a filter matches. Problem: wrong_input when it matches none. */
async function matching(ctx: Ctx, filter: NonNullable<ParsedOf<typeof tasks.create>["body"]["filter"]>) {
  const deviceIds = await selectedDevices(ctx, filter);
  if (deviceIds.length === 0)
    throw problem("wrong_input", { attributes: { filter: [fieldFault("few", { least: 1 })] } });
  return deviceIds;
}

/** The Mongolian text replaces the Russian one only when requested. */
function named({ id, title }: { id: number; title: Text }, { language }: Ctx) {
  return { id, title: language === "mn" ? title.mn : title.ru, title_en: title.en };
}
