import { z } from "zod/mini";
import type { Text } from "@metrum/vocabulary";
import { call } from "../core/call.ts";
import { BoundedObject, Id, listInput, paged, Seconds, ShortText } from "../core/values.ts";
import { DeviceChange } from "../metering/deviceChanges.ts";
import { DeviceSelection } from "../metering/devices.ts";
import { exchangeOutcomes, TaskLog } from "./exchanges.ts";
import { AskedHoles, HolePlan, HoleSelection } from "../metering/holes.ts";
import { Checked, commandProblems, ControlProof, RequestSelection } from "./controlProof.ts";

const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/**
 * States of a device task and of each of its devices. Stored: never renumber. Clients take them and their
 * titles from `task.statuses`. A state that is final no longer changes.
 */
export const taskStates = {
  queued: { id: 1, isFinal: false, title: text("Ожидает", "Waiting", "Хүлээж байна") },
  running: { id: 2, isFinal: false, title: text("Выполняется", "Running", "Гүйцэтгэж байна") },
  done: { id: 3, isFinal: true, title: text("Выполнено", "Done", "Дууссан") },
  failed: { id: 4, isFinal: true, title: text("Не выполнено", "Failed", "Амжилтгүй") },
  cancelled: { id: 5, isFinal: true, title: text("Отменено", "Cancelled", "Цуцалсан") },
  partly_done: {
    id: 6,
    isFinal: true,
    title: text("Выполнено частично", "Partly done", "Хэсэгчлэн дууссан"),
  },
  expired: { id: 7, isFinal: true, title: text("Срок истёк", "Expired", "Хугацаа дууссан") },
  unknown: { id: 8, isFinal: true, title: text("Исход неизвестен", "Outcome unknown", "Үр дүн тодорхойгүй") },
} as const satisfies Record<string, { id: number; isFinal: boolean; title: Text }>;
export type TaskState = keyof typeof taskStates;

/** Limits of the requests of a company within a day. */
export const taskLimits = { tasks: 10_000, devices: 1_000_000 } as const;

const Named = z.object({ id: z.int(), title: z.string(), title_en: z.string() });

const Status = z.object({
  id: z.int(),
  key: z.enum(Object.keys(taskStates) as [TaskState, ...TaskState[]]),
  title: z.string(),
  title_en: z.string(),
  is_final: z.boolean(),
});
export type TaskStatus = z.infer<typeof Status>;

/** Devices of a task that lists name; a task may have more. */
export const namedTaskDevices = 1000;

export const DeviceTask = z.object({
  id: Id,
  title: z.string(),
  title_en: z.string(),
  command_type: z.enum(["control", "poll", "holes", "change"]),
  status_id: z.int(),
  device_ids: z.array(Id).check(z.describe("the first 1000 of them; device_count is their number")),
  poll_group_id: z.optional(Id),
  management: z.optional(BoundedObject),
  holes: z.optional(AskedHoles).check(z.describe("of a task that requests missing rows")),
  change: z.optional(DeviceChange).check(z.describe("of a task that changes devices")),
  created_at: Seconds,
  expires_at: Seconds,
  ended_at: z.nullable(Seconds),
  user_id: z.nullable(Id),
  user_name: z.nullable(z.string()),
  device_count: z.int(),
  done_count: z.int(),
  failed_count: z.int().check(z.describe("devices that failed or whose request has expired")),
});
export type DeviceTask = z.infer<typeof DeviceTask>;

const TaskResult = z.object({
  device_id: Id,
  device_name: z.string(),
  model: z.string(),
  place: z.string(),
  status_id: z.int(),
  result_code: z.nullable(z.int()),
  message: z.string().check(z.describe("of a changed device: why it could not be changed")),
  started_at: z.nullable(Seconds),
  ended_at: z.nullable(Seconds),
  holes_asked: z.nullable(z.int().check(z.describe("missing rows requested; null for other tasks"))),
  holes_filled: z.nullable(z.int()),
  rows_received: z.nullable(
    z
      .int()
      .check(z.describe("rows that the meter has delivered; null if no archive or journal was requested")),
  ),
});
/** Outcome of a task for one device. */
export type TaskResult = z.infer<typeof TaskResult>;

const Statistics = z.object({
  start_date: Seconds,
  stop_date: Seconds,
  tasks: z.array(z.object({ status_id: z.int(), count: z.int() })),
  devices: z.array(z.object({ status_id: z.int(), count: z.int() })),
  results: z.array(z.object({ result_code: z.int(), count: z.int() })),
  median_sec: z.nullable(z.number()).check(z.describe("half of the devices have answered within this time")),
});
export type TaskStatistics = z.infer<typeof Statistics>;

/** Orders of the list of tasks. */
export const taskSortFields = ["created_at", "status_id"] as const;

/** Outcomes by which the devices of a task are listed. */
export const taskOutcomes = ["failed", "done", "waiting", "cancelled"] as const;

/** Devices of one request. */
export const DeviceIds = z.array(Id).check(z.minLength(1), z.maxLength(1000));
const page = z.optional(z.int().check(z.gte(1), z.lte(1_000_000)));
const per_page = z.optional(z.int().check(z.gte(1), z.lte(10_000)));

const RequestPlan = z.object({
  device_ids: z.array(Id).check(z.describe("devices that can answer")),
  refused: z.array(
    z.object({
      reason: z.string(),
      device_count: z.int(),
      device_ids: z.array(Id).check(z.describe("the first 20 of them")),
    }),
  ),
});
/** Devices of a request of stored data before it is made. */
export type RequestPlan = z.infer<typeof RequestPlan>;

export const tasks = {
  create: call({
    id: "task.create",
    method: "POST",
    path: "task/device/create",
    right: "4:read|4:update",
    reach: "branch",
    summary:
      "Polls several devices or sends them a command; keys that change a device need update on module 4",
    body: z.object({
      command_type: z.enum(["control", "poll"]),
      title: ShortText,
      title_en: z.optional(ShortText),
      device_ids: z.optional(DeviceIds),
      poll_group_id: z.optional(Id).check(z.describe("all devices of the group, instead of device_ids")),
      filter: z
        .optional(RequestSelection)
        .check(z.describe("all devices that it matches, instead of device_ids")),
      management: z.optional(BoundedObject),
      skip_unable: z
        .optional(z.boolean())
        .check(z.describe("devices that cannot carry out the command are left out instead of refusing it")),
      checked: z
        .optional(Checked)
        .check(z.describe("of the plan of a command: refuses it if other devices would get it now")),
      stop_after: z
        .optional(z.int().check(z.gte(1), z.lte(1000)))
        .check(z.describe("after this many failures the commands that were not sent are cancelled")),
      ...ControlProof,
    }),
    reply: z.object({ device_task: DeviceTask }),
    isOnce: true,
    problems: [...commandProblems, "task_limit"],
  }),
  list: call({
    id: "task.list",
    rows: "device_tasks.data",
    method: "POST",
    path: "task/device/list",
    right: "4:read",
    reach: "branch",
    summary: "Tasks of the company, newest first, and how many there are of each status",
    body: z.object({
      ...listInput,
      last_page: z.optional(z.int().check(z.describe("paging state sent back by clients; ignored"))),
      sort_field: z.optional(z.enum(taskSortFields)),
      ids: z.optional(DeviceIds).check(z.describe("only these tasks")),
      status_id: z.optional(z.int().check(z.gte(1), z.lte(32_767))),
      is_open: z.optional(z.boolean()).check(z.describe("only tasks that have not ended, or have")),
      device_id: z.optional(Id),
      poll_group_id: z.optional(Id),
      start_date: z.optional(Seconds).check(z.describe("only tasks created since")),
      stop_date: z.optional(Seconds),
    }),
    reply: z.object({
      device_tasks: paged(DeviceTask),
      counts: z
        .array(z.object({ status_id: z.int(), count: z.int() }))
        .check(z.describe("number of tasks by status, for the filter without status_id")),
    }),
    problems: ["not_found"],
  }),
  change: call({
    id: "task.change",
    isOwn: true,
    method: "POST",
    path: "task/device/change",
    right: "4:update|4:delete|4:access_all|4:read&1:read&6:read",
    reach: "branch",
    summary:
      "Changes all devices that a filter matches, as a task with an outcome for each; moves to the archive or the trash and removal need delete on module 4, ties of users read on 1, 4 and 6, other changes update",
    body: z.extend(DeviceChange, {
      filter: DeviceSelection.check(
        z.describe("as of the list of devices; one unknown id in `ids` refuses the whole call"),
      ),
    }),
    reply: z.object({
      device_task: z.nullable(DeviceTask).check(z.describe("null: the filter matches no device")),
    }),
    isOnce: true,
    problems: ["not_found", "task_limit", "demo_refused", "right_not_held"],
  }),
  planHoles: call({
    id: "task.planHoles",
    isOwn: true,
    method: "POST",
    path: "task/device/holes/plan",
    right: "4:read",
    reach: "branch",
    summary: "What a selection lacks, how much of it can be requested from the meters, and why not the rest",
    body: HoleSelection,
    reply: z.object({ plan: HolePlan }),
    problems: ["not_found", "device_put_away"],
  }),
  askHoles: call({
    id: "task.askHoles",
    isOwn: true,
    method: "POST",
    path: "task/device/holes",
    right: "4:read|4:update",
    reach: "branch",
    summary: "Requests exactly the missing rows of a selection from the archives of the meters, in one task",
    body: HoleSelection,
    reply: z.object({
      plan: HolePlan,
      device_task: z.nullable(DeviceTask).check(z.describe("null: nothing can be requested")),
    }),
    isOnce: true,
    problems: ["not_found", "device_put_away", "task_limit", "demo_refused"],
  }),
  planRequest: call({
    id: "task.planRequest",
    isOwn: true,
    method: "POST",
    path: "task/device/request/plan",
    right: "4:read",
    reach: "branch",
    summary:
      "Which of these devices can answer a request of an archive, a profile or a journal, and why not others",
    body: z.object({ device_ids: DeviceIds, management: BoundedObject }),
    reply: z.object({ plan: RequestPlan }),
    problems: ["not_found"],
  }),
  results: call({
    id: "task.results",
    isOwn: true,
    method: "POST",
    path: "task/device/results",
    right: "4:read",
    reach: "branch",
    summary: "Outcome of a task, device by device",
    body: z.object({
      device_task_id: Id,
      outcome: z.optional(z.enum(taskOutcomes)),
      page,
      per_page,
    }),
    reply: z.object({
      results: paged(TaskResult),
      counts: z.record(z.enum(taskOutcomes), z.int()),
    }),
    problems: ["not_found"],
  }),
  cancel: call({
    id: "task.cancel",
    method: "PUT",
    path: "task/device/cancel",
    right: "4:update",
    reach: "branch",
    summary:
      "Cancels tasks: the named ones, or with delete_all those of a device or a group; devices already being polled still answer",
    body: z.object({
      device_task_ids: z.optional(DeviceIds),
      delete_all: z.optional(z.boolean()),
      device_id: z.optional(Id),
      poll_group_id: z.optional(Id),
    }),
    reply: z.object({ cancelled: z.int().check(z.describe("devices that will not be polled")) }),
    problems: ["not_found", "demo_refused"],
  }),
  repeat: call({
    id: "task.repeat",
    isOwn: true,
    method: "POST",
    path: "task/device/repeat",
    right: "4:read|4:update",
    reach: "branch",
    summary: "Asks or changes the devices of a task that failed again, in a new task",
    body: z.object({ device_task_id: Id, ...ControlProof }),
    reply: z.object({ device_task: DeviceTask }),
    isOnce: true,
    problems: [...commandProblems, "nothing_to_repeat", "task_limit"],
  }),
  statuses: call({
    id: "task.statuses",
    method: "GET",
    path: "task/device/status/list",
    right: null,
    reach: "common",
    summary: "States of a task and of its devices",
    isReference: true,
    reply: z.object({ statuses: z.array(Status) }),
  }),
  statistics: call({
    id: "task.statistics",
    method: "POST",
    path: "task/device/statistics",
    right: "4:read",
    reach: "branch",
    summary: "Tasks created in a period by status, their devices by status and result; a week if not given",
    body: z.object({
      device_id: z.optional(Id),
      poll_group_id: z.optional(Id),
      start_date: z.optional(Seconds),
      stop_date: z.optional(Seconds),
    }),
    reply: Statistics,
    problems: ["not_found"],
  }),
  logs: call({
    id: "task.logs",
    method: "POST",
    path: "task/device/logs",
    right: "4:read",
    reach: "branch",
    summary:
      "Exchanges with a device, or those of a task with all its devices, newest first; one of them (device_id and id) with its bytes and their meaning",
    body: z.object({
      device_id: z.optional(Id).check(z.describe("needed without device_task_id")),
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
    reach: "common",
    summary: "Triggers of an exchange with a device",
    reply: z.object({ types: z.array(Named) }),
  }),
  logResultCodes: call({
    id: "task.logResultCodes",
    method: "GET",
    path: "task/device/log/result_code/list",
    right: null,
    reach: "common",
    summary: "Outcomes of an exchange with a device",
    reply: z.object({ result_codes: z.array(Named) }),
  }),
};
