import { z } from "zod/mini";
import { call } from "./core/call.ts";
import { notYet } from "./core/notYet.ts";
import { BoundedObject, Id, paged, Seconds, ShortText } from "./core/values.ts";
import { exchangeOutcomes, TaskLog } from "./exchanges.ts";

/** States of a device task. Clients take them from the server, never from constants. */
export const taskStatuses = {
  queued: 1,
  running: 2,
  done: 3,
  failed: 4,
  cancelled: 5,
  partly_done: 6,
} as const;

const Named = z.object({ id: z.int(), title: z.string(), title_en: z.string() });

const DeviceTask = z.object({
  id: Id,
  title: z.string(),
  title_en: z.string(),
  command_type: z.enum(["control", "poll"]),
  status_id: z.int(),
  device_ids: z.array(Id),
  management: z.optional(BoundedObject),
  created_at: Seconds,
});
export type DeviceTask = z.infer<typeof DeviceTask>;

/** Devices of one request. */
export const DeviceIds = z.array(Id).check(z.minLength(1), z.maxLength(1000));
const page = z.optional(z.int().check(z.gte(1), z.lte(1_000_000)));
const per_page = z.optional(z.int().check(z.gte(1), z.lte(10_000)));

export const tasks = {
  create: call({
    id: "task.create",
    method: "POST",
    path: "task/device/create",
    right: "4:read|4:update",
    summary:
      "Polls several devices or sends them a command; keys that change a device need update on module 4",
    body: z.object({
      command_type: z.enum(["control", "poll"]),
      title: ShortText,
      title_en: z.optional(ShortText),
      device_ids: DeviceIds,
      poll_group_id: notYet(Id, { refused: 1 }),
      management: z.optional(BoundedObject),
    }),
    reply: z.object({ device_task: DeviceTask }),
    isOnce: true,
    problems: ["not_found", "command_unsupported", "demo_refused"],
  }),
  logs: call({
    id: "task.logs",
    method: "POST",
    path: "task/device/logs",
    right: "4:read",
    summary: "Exchanges with a device, newest first; one of them (id) with its bytes and their meaning",
    body: z.object({
      device_id: Id,
      id: z.optional(z.int()),
      device_task_id: z.optional(Id),
      type_id: z.optional(z.int().check(z.gte(-32_768), z.lte(32_767))),
      result_code: z.optional(z.int().check(z.gte(-32_768), z.lte(32_767))),
      outcome: z.optional(z.enum(exchangeOutcomes)).check(z.describe("only exchanges with this outcome")),
      start_date: z.optional(Seconds),
      stop_date: z.optional(Seconds),
      steps: z.optional(z.boolean()).check(z.describe("true: every row of the page with its steps")),
      page,
      per_page,
    }),
    reply: z.object({
      logs: paged(TaskLog),
      counts: z
        .record(z.enum(exchangeOutcomes), z.int())
        .check(z.describe("number of exchanges by outcome, for the filter without `outcome`")),
      expired_before: z
        .nullable(Seconds)
        .check(
          z.describe(
            "exchanges before this time were deleted by the retention policy of the company; null: none",
          ),
        ),
    }),
    problems: ["not_found"],
  }),
  logTypes: call({
    id: "task.logTypes",
    method: "GET",
    path: "task/device/log/types/list",
    right: null,
    summary: "Triggers of an exchange with a device",
    reply: z.object({ types: z.array(Named) }),
  }),
  logResultCodes: call({
    id: "task.logResultCodes",
    method: "GET",
    path: "task/device/log/result_code/list",
    right: null,
    summary: "Outcomes of an exchange with a device",
    reply: z.object({ result_codes: z.array(Named) }),
  }),
};

export const control = {
  device: call({
    id: "device.control",
    method: "POST",
    path: "device/control",
    right: "4:read|4:update",
    summary:
      "Sends a request to one device and returns the outcome; keys that change the device need update on module 4",
    body: z.object({
      id: Id,
      management: BoundedObject,
      title: z.optional(ShortText),
      title_en: z.optional(ShortText),
    }),
    reply: z.object({
      msg: z.string(),
      control_set: z.object({ result: z.optional(z.string()), error: z.optional(z.string()) }),
      device_task: DeviceTask,
    }),
    atTop: ["msg", "control_set"],
    isOnce: true,
    problems: ["not_found", "command_unsupported", "demo_refused"],
  }),
};
