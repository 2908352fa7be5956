import { exchangeKinds, polling, pollPlan } from "@metrum/contract/headend";
import { record, resolveOne, serve, withMessage, type Api } from "#core";
import { requestReading } from "#headend/tasks";
import { switchPolling } from "#metering/devices";
import { planOf } from "./plan.ts";
import { pollingOf } from "./store.ts";

/** Registers the polling of devices. */
export function servePolling(api: Api): void {
  serve(api, pollPlan, { get: async ({ body }, ctx) => ({ plan: await planOf(ctx, body) }) });
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
