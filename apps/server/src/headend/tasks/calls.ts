import {
  control,
  exchangeKinds,
  messages,
  pollResults,
  tasks,
  taskStates,
  type TaskState,
} from "@metrum/contract";
import type { Text } from "@metrum/vocabulary";
import { resolveOne, serve, withMessage, type Api, type Ctx } from "#core";
import { exchangeLog } from "./logs.ts";
import { cancelTasks, repeatFailed, taskList, taskResults, taskStatistics } from "./tasks.ts";
import { outcomeOf, requestReading, type Outcome } from "./requests.ts";

/** Registers tasks and requests to single devices. */
export function serveTasks(api: Api): void {
  serve(api, tasks, {
    async create({ body }, ctx) {
      const device_task = await requestReading(ctx, {
        commandType: body.command_type,
        deviceIds: body.device_ids,
        management: body.command_type === "control" ? (body.management ?? {}) : undefined,
        title: body.title,
        titleEn: body.title_en ?? "",
      });
      return withMessage({ device_task }, "task_created");
    },
    async list({ body }, ctx) {
      const input = { ...body, ...(await resolvedFilter(ctx, body)) };
      const { rows, counts, ...page } = await taskList(ctx, input);
      return { device_tasks: { data: rows, ...page }, counts };
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

/** The device of a filter, which must be one of the session. */
async function resolvedFilter(ctx: Ctx, { device_id }: { device_id?: number | undefined }) {
  return device_id === undefined ? {} : { device_id: await resolveOne(ctx, "device", device_id) };
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
