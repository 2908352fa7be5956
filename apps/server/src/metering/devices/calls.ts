import { deviceLog, devices } from "@metrum/contract/metering";
import { resolveOne, serve, withMessage, type Api } from "#core";
import { readLogOf } from "#access/audit-log";
import { devicePage, openDevice, switchDevices } from "./devices.ts";

export function serveDevices(api: Api): void {
  serve(api, devices, {
    list: async ({ body }, ctx) => ({ metering_devices: await devicePage(ctx, body) }),
    get: async ({ params }, ctx) => ({ metering_device: await openDevice(ctx, params.id) }),
    switch: async ({ params, body }, ctx) => {
      const isOn = await switchDevices(ctx, [params.id], body.is_active ?? null);
      return withMessage({}, isOn ? "device_switched_on" : "device_switched_off");
    },
    switchBulk: async ({ body }, ctx) => {
      await switchDevices(ctx, body.device_ids, body.is_active);
      return withMessage({}, body.is_active ? "devices_switched_on" : "devices_switched_off", {
        count: body.device_ids.length,
      });
    },
  });
  serve(api, deviceLog, {
    read: async ({ body }, ctx) => {
      const id = await resolveOne(ctx, "device", body.device_id);
      return readLogOf(ctx, `device ${String(id)}`, body);
    },
  });
}
