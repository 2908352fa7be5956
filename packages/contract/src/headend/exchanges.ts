import { z } from "zod/mini";
import type { Text } from "@metrum/vocabulary";
import { Id, Seconds } from "../core/values.ts";
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

export const TaskLog = z.object({
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
