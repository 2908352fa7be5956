import { schedules } from "@metrum/contract/core";
import { resolveOne, serve, withMessage, type Api } from "#core";
import { removeSchedule, saveRules, saveSpecialDays, saveTariffs, scheduleOf } from "./schedules.ts";

export function serveSchedules(api: Api): void {
  serve(api, schedules, {
    get: async ({ body }, ctx) => {
      const id = await resolveOne(ctx, "device", body.device_id);
      return { schedule: await scheduleOf(ctx, id) };
    },
    save: async ({ body }, ctx) => {
      await saveRules(ctx, body.device_id, body.schedule.rules);
      return withMessage({}, "saved");
    },
    saveElectro: async ({ body }, ctx) => {
      await saveTariffs(ctx, body.device_id, body.schedule_electro);
      return withMessage({}, "saved");
    },
    saveSpecialDays: async ({ body }, ctx) => {
      await saveSpecialDays(ctx, body.device_id, body.special_days);
      return withMessage({}, "saved");
    },
    delete: async ({ body }, ctx) => {
      await removeSchedule(ctx, body);
      return withMessage({}, "schedule_removed");
    },
  });
}
