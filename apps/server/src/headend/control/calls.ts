import { control, taskStates } from "@metrum/contract/headend";
import { messages } from "@metrum/contract/messages";
import { record, resolveOne, serve, withMessage, type Api, type Ctx } from "#core";
import { holdsCommand, outcomeOf, requestReading, type Outcome } from "#headend/tasks";
import { clearSettings, statusOf } from "#metering/device-state";
import {
  activeFreezes,
  asksSecondFactor,
  commandsOf,
  freezesOf,
  planCommand,
  putPolicy,
  requestCommand,
  setFreeze,
} from "./request/index.ts";

/** Registers requests to single devices, their preview and history, and the guards of control. */
export function serveControl(api: Api): void {
  serve(api, control, {
    async device({ body }, ctx) {
      const request = {
        commandType: "control",
        deviceIds: [body.id],
        management: body.management,
        title: body.title ?? Object.keys(body.management).join(", "),
        titleEn: body.title_en ?? "",
      } as const;
      const isCommand = holdsCommand(body.management);
      const device_task = await (isCommand
        ? requestCommand(ctx, { ...request, proof: body })
        : requestReading(ctx, request));
      const outcome = await outcomeOf(ctx, device_task, body.id);
      const msg = say(outcome, isCommand, ctx);
      const isFailed = outcome.state === "failed" && outcome.statusId !== taskStates.unknown.id;
      const control_set = isFailed ? { error: msg } : { result: msg };
      return { msg, control_set, device_task: { ...device_task, status_id: outcome.statusId } };
    },
    plan: async ({ body }, ctx) => ({ plan: await planCommand(ctx, body) }),
    list: async ({ body }, ctx) => commandsOf(ctx, body),
    state: async (_, ctx) => ({
      freezes: await freezesOf(ctx.database.system, ctx.scope.companyId),
      asks_second_factor: await asksSecondFactor(ctx.db, ctx.scope.companyId),
    }),
    async settingsClear({ params }, ctx) {
      const deviceId = await resolveOne(ctx, "device", params.id);
      const before = (await statusOf(ctx.db, [deviceId])).get(deviceId);
      await clearSettings(ctx.db, deviceId);
      await record(ctx, {
        action: "device.settings_clear",
        subject: `device ${String(deviceId)}`,
        before: before?.state,
      });
      return withMessage({}, "settings_cleared");
    },
    async setPolicy({ body }, ctx) {
      const before = await asksSecondFactor(ctx.db, ctx.scope.companyId);
      await putPolicy(ctx.db, ctx.scope.companyId, body.asks_second_factor);
      await record(ctx, {
        action: "control.policy",
        subject: `company ${String(ctx.scope.companyId)}`,
        before: { asks_second_factor: before },
        after: body,
      });
      return body;
    },
    freezes: async (_, { database }) => ({ freezes: await activeFreezes(database.system) }),
    async freeze({ body }, ctx) {
      const companyId =
        body.company_id === undefined ? null : await resolveOne(ctx, "company", body.company_id);
      await setFreeze(ctx, { companyId, isFrozen: body.is_frozen, reason: body.reason ?? "" });
      const freezes = await freezesOf(ctx.database.system, companyId ?? ctx.scope.companyId);
      return withMessage({ freezes }, body.is_frozen ? "control_frozen" : "control_released");
    },
  });
}

function say(outcome: Outcome, isCommand: boolean, { language }: Ctx): string {
  const words = isCommand ? commandWords : readingWords;
  switch (outcome.state) {
    case "done":
      if (outcome.rows === null) return words.done[language];
      if (outcome.rows === 0) return messages.request_no_rows[language];
      return messages.request_rows[language].replace("{count}", String(outcome.rows));
    case "waiting":
      return words.waiting[language];
    case "failed":
      if (isCommand && outcome.statusId === taskStates.unknown.id) return messages.command_unknown[language];
      return words.failed[language].replace("{reason}", outcome.reason);
  }
}

const readingWords = {
  done: messages.request_done,
  waiting: messages.request_waits,
  failed: messages.request_failed,
} as const;
const commandWords = {
  done: messages.command_done,
  waiting: messages.command_waits,
  failed: messages.command_failed,
} as const;
