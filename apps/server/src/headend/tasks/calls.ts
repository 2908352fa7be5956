import {
  control,
  exchangeKinds,
  fieldFault,
  messages,
  pollResults,
  problem,
  tasks,
  taskStates,
  type ParsedOf,
  type TaskState,
} from "@metrum/contract";
import type { Text } from "@metrum/vocabulary";
import { resolveOne, serve, withMessage, type Api, type Ctx } from "#core";
import { askHoles, planHoles } from "./askHoles.ts";
import { changeSelected } from "./changes.ts";
import { devicesOfGroup } from "./listStore.ts";
import { exchangeLog } from "./logs.ts";
import { cancelTasks, repeatFailed, taskList, taskResults, taskStatistics } from "./tasks.ts";
import { outcomeOf, requestReading, type Outcome } from "./requests.ts";

/** Registers tasks and requests to single devices. */
export function serveTasks(api: Api): void {
  serve(api, tasks, {
    async create({ body }, ctx) {
      const device_task = await requestReading(ctx, {
        commandType: body.command_type,
        ...(await askedDevices(ctx, body)),
        management: body.command_type === "control" ? (body.management ?? {}) : undefined,
        title: body.title,
        titleEn: body.title_en ?? "",
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
    async results({ body }, ctx) {
      const taskId = await resolveOne(ctx, "task", body.device_task_id);
      const { rows, counts, ...page } = await taskResults(ctx, { ...body, taskId });
      return { results: { data: rows, ...page }, counts };
    },
    async cancel({ body }, ctx) {
      const cancelled = await cancelTasks(ctx, body);
      return withMessage({ cancelled }, "tasks_cancelled", { count: cancelled });
    },
    async repeat({ body }, ctx) {
      const taskId = await resolveOne(ctx, "task", body.device_task_id);
      const device_task = await repeatFailed(ctx, taskId);
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
  serve(api, control, {
    async device({ body }, ctx) {
      const device_task = await requestReading(ctx, {
        commandType: "control",
        deviceIds: [body.id],
        management: body.management,
        title: body.title ?? Object.keys(body.management).join(", "),
        titleEn: body.title_en ?? "",
      });
      const outcome = await outcomeOf(ctx, device_task);
      const msg = say(outcome, ctx);
      const control_set = outcome.state === "failed" ? { error: msg } : { result: msg };
      return { msg, control_set, device_task: { ...device_task, status_id: outcome.statusId } };
    },
  });
}

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
async function askedDevices(
  ctx: Ctx,
  { device_ids, poll_group_id }: Pick<ParsedOf<typeof tasks.create>["body"], "device_ids" | "poll_group_id">,
) {
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

/** The Mongolian text replaces the Russian one only when requested. */
function named({ id, title }: { id: number; title: Text }, { language }: Ctx) {
  return { id, title: language === "mn" ? title.mn : title.ru, title_en: title.en };
}

function say(outcome: Outcome, { language }: Ctx): string {
  switch (outcome.state) {
    case "done":
      return messages.request_done[language];
    case "waiting":
      return messages.request_waits[language];
    case "failed":
      return messages.request_failed[language].replace("{reason}", outcome.reason);
  }
}
