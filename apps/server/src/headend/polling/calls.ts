import { control, exchangeKinds, messages, pageSize, polling, pollResults, tasks } from "@metrum/contract";
import type { Text } from "@metrum/vocabulary";
import { explainRow, loggedDevice, logPage } from "#headend/exchanges";
import { expiredBefore } from "#headend/retention";
import { record, resolveOne, serve, withMessage, type Api, type Ctx } from "#core";
import { switchPolling } from "#metering/devices";
import { pollingOf } from "./store.ts";
import { outcomeOf, requestReading, type Outcome } from "./requests.ts";

/** Registers tasks, control and polling. */
export function servePolling(api: Api): void {
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
  serve(api, polling, {
    async run({ body }, ctx) {
      const task = body.run === true ? await requestReading(ctx, pollNow(body.device_id)) : undefined;
      const device_polling = await pollingOf(ctx, await resolveOne(ctx, "device", body.device_id));
      return { device_polling: task ? { ...device_polling, device_task_id: task.id } : device_polling };
    },
    async switch({ body }, ctx) {
      const id = await resolveOne(ctx, "device", body.device_id);
      await switchPolling(ctx.db, ctx.scope, id, body.is_active);
      ctx.afterCommit(() => ctx.bus.publish("devicesChanged", { companyId: ctx.scope.companyId }));
      await record(ctx, {
        action: "device.switchPolling",
        subject: `device ${String(id)}`,
        after: { is_polled: body.is_active },
      });
      return withMessage({}, body.is_active ? "polling_switched_on" : "polling_switched_off");
    },
  });
}

const pollNow = (deviceId: number) => ({
  commandType: "poll" as const,
  deviceIds: [deviceId],
  title: exchangeKinds.request.title.ru,
  titleEn: exchangeKinds.request.title.en,
});

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
