import { z } from "zod/mini";
import type { Text } from "@metrum/vocabulary";
import { call } from "./core/call.ts";
import { notYet } from "./core/notYet.ts";
import { BoundedObject, Id, Nothing, paged, Seconds, ShortText } from "./core/values.ts";
import { Span, StepName } from "./trace.ts";

const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

interface Entry {
  readonly id: number;
  readonly title: Text;
}

/** Outcome of an exchange with a device. Stored: never renumber. */
export const pollResults = {
  ok: { id: 0, title: text("Успешно", "Done", "Амжилттай") },
  timeout: { id: 1, title: text("Нет ответа", "No answer", "Хариу алга") },
  checksum: { id: 2, title: text("Ошибка контрольной суммы", "Wrong checksum", "Хяналтын нийлбэр буруу") },
  refused: { id: 3, title: text("Прибор отказал", "Refused by the device", "Төхөөрөмж татгалзсан") },
  unexpected: { id: 4, title: text("Неожиданный ответ", "Unexpected answer", "Санаандгүй хариу") },
  unsupported: { id: 5, title: text("Не поддерживается прибором", "Not supported", "Дэмжигдэхгүй") },
  bad_password: { id: 6, title: text("Неверный пароль прибора", "Wrong device password", "Нууц үг буруу") },
  no_line: { id: 7, title: text("Нет связи с линией", "The line is down", "Шугамтай холбоогүй") },
  expired: {
    id: 8,
    title: text("Срок запроса истёк", "The request has expired", "Хүсэлтийн хугацаа дууссан"),
  },
  internal: { id: 9, title: text("Внутренняя ошибка", "Internal error", "Дотоод алдаа") },
  line_busy: {
    id: 10,
    title: text("Линия занята прозрачным портом", "The line is bridged", "Шугамыг тунгалаг порт эзэлсэн"),
  },
} as const satisfies Record<string, Entry>;
export type PollResult = keyof typeof pollResults;

/** Trigger of an exchange. Stored: never renumber. */
export const exchangeKinds = {
  poll: { id: 1, title: text("Опрос по расписанию", "Scheduled poll", "Товлосон асуулга") },
  request: { id: 2, title: text("Опрос по запросу", "Poll on request", "Хүсэлтийн асуулга") },
  uplink: { id: 3, title: text("Сообщение прибора", "Message of the device", "Төхөөрөмжийн мэдээ") },
  join: { id: 4, title: text("Вход в сеть", "Joined the network", "Сүлжээнд нэгдсэн") },
  status: { id: 5, title: text("Состояние прибора", "State of the device", "Төхөөрөмжийн төлөв") },
  downlink: { id: 6, title: text("Отправка прибору", "Sent to the device", "Төхөөрөмж рүү илгээсэн") },
  bridge: { id: 20, title: text("Прозрачный порт", "Transparent port", "Тунгалаг порт") },
} as const satisfies Record<string, Entry>;
export type ExchangeKind = keyof typeof exchangeKinds;

/** States of a device task. Clients take them from the server, never from constants. */
export const taskStatuses = {
  queued: 1,
  running: 2,
  done: 3,
  failed: 4,
  cancelled: 5,
  partly_done: 6,
} as const;

/** Retried: a step of the exchange took more than one attempt; it may still have failed. */
export const exchangeOutcomes = ["retried", "failed"] as const;
export type ExchangeOutcome = (typeof exchangeOutcomes)[number];

/** One attempt of one step of an exchange: the bytes in hexadecimal and, if decodable, their meaning. */
export const ExchangeStep = z.object({
  label: StepName.check(
    z.describe("step of the exchange: a code, alone or with arguments; English text in older exchanges"),
  ),
  try: z.int(),
  tries: z.int(),
  at_ms: z.number().check(z.describe("milliseconds since the start of the exchange")),
  answered_ms: z
    .nullable(z.number())
    .check(z.describe("milliseconds from the start until the first byte of the answer")),
  ended_ms: z.number(),
  sent: z.string(),
  received: z.string(),
  error: z.nullable(z.object({ kind: z.string(), message: z.string(), offset: z.nullable(z.int()) })),
  sent_spans: z.array(Span),
  received_spans: z.array(Span),
});
export type ExchangeStep = z.infer<typeof ExchangeStep>;

const TaskLog = z.object({
  id: z
    .int()
    .check(
      z.describe("start of the exchange in epoch milliseconds; identifies the row together with device_id"),
    ),
  device_task_id: z.nullable(Id),
  device_id: Id,
  type_id: z.int(),
  result_code: z.int(),
  message: z.string(),
  created_at: Seconds,
  received_at: z.nullable(Seconds),
  duration_ms: z.int(),
  tries: z.int(),
  readings: z.int(),
  line: z.string(),
  repeats: z
    .int()
    .check(
      z.describe("how often the same failure was repeated on that day; bytes are stored for the first only"),
    ),
  last_at: Seconds.check(z.describe("time of the last repetition; the start if there was none")),
  steps: z.optional(z.array(ExchangeStep)),
});
export type TaskLog = z.infer<typeof TaskLog>;

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

const DevicePolling = z.object({
  device_id: Id,
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

const DeviceIds = z.array(Id).check(z.minLength(1), z.maxLength(1000));
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

export const polling = {
  run: call({
    id: "poll.run",
    method: "POST",
    path: "device/opros",
    right: "4:read|4:update",
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
    summary: "Switches the polling of a device on or off",
    body: z.object({ device_id: Id, is_active: z.boolean() }),
    reply: Nothing,
    problems: ["not_found", "demo_refused"],
  }),
};
