import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { notYet } from "../core/notYet.ts";
import { BoundedObject, Id, Nothing, Seconds } from "../core/values.ts";
import { DeviceIds } from "./tasks.ts";

const DevicePolling = z.object({
  device_id: Id,
  poll_group_id: z.nullable(Id),
  is_active: z
    .boolean()
    .check(z.describe("scheduled polling is on, independently of whether the device is active")),
  interval: z.int(),
  last_run_at: z.nullable(Seconds),
  last_success_at: z.nullable(Seconds),
  last_result_code: z.nullable(z.int()),
  next_run_at: z.nullable(Seconds),
  device_task_id: z.optional(Id),
});
export type DevicePolling = z.infer<typeof DevicePolling>;

export const polling = {
  run: call({
    id: "poll.run",
    method: "POST",
    path: "device/opros",
    right: "4:read|4:update",
    reach: "branch",
    summary: "Polling state of a device; `run` also starts a poll",
    body: z.object({
      device_id: Id,
      run: z.optional(z.boolean()),
      device_ids: notYet(DeviceIds, { refused: [1] }),
      params: notYet(BoundedObject, { refused: { depth: 1 } }),
    }),
    reply: z.object({ device_polling: DevicePolling }),
    isOnce: true,
    problems: ["not_found", "command_unsupported", "demo_refused"],
  }),
  switch: call({
    id: "poll.switch",
    method: "PUT",
    path: "device/opros/switch",
    right: "4:update|4:access_all",
    reach: "branch",
    summary: "Switches the polling of a device on or off",
    body: z.object({ device_id: Id, is_active: z.boolean() }),
    reply: Nothing,
    problems: ["not_found", "demo_refused"],
  }),
};
