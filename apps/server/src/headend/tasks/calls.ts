import { control, exchangeKinds, messages, pageSize, pollResults, tasks } from "@metrum/contract";
import type { Text } from "@metrum/vocabulary";
import { explainRow, loggedDevice, logPage } from "#headend/exchanges";
import { expiredBefore } from "#headend/retention";
import { resolveOne, serve, withMessage, type Api, type Ctx } from "#core";
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
    async logs({ body }, ctx) {
      const id = await resolveOne(ctx, "device", body.device_id);
      const device = await loggedDevice(ctx, id);
      const limit = pageSize(body.per_page ?? 25);
      const page = body.page ?? 1;
      const expired_before = await expiredBefore(ctx.db, ctx.scope.companyId, "exchanges");
      const { rows, total, counts } = await logPage(ctx, body, { limit, offset: (page - 1) * limit });
      return {
        logs: {
          data: rows.map((row) => explainRow(row, device)),
          current_page: page,
          last_page: Math.max(1, Math.ceil(total / limit)),
          per_page: limit,
          total,
        },
        counts,
        expired_before,
      };
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
