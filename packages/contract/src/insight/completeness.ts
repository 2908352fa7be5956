import type { Text } from "@metrum/vocabulary";
import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Day, Id, listInput, paged, Seconds } from "../core/values.ts";
import { DeviceFilter } from "../metering/holes.ts";
import { quarantineReasons } from "../metering/quarantine.ts";

const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/** Reasons of holes: each follows from stored data; `unknown` if none of them explains the hole. */
export const holeReasons = {
  before_added: text(
    "Прибора ещё не было в системе",
    "The device was not on the platform yet",
    "Төхөөрөмж системд нэмэгдээгүй байсан",
  ),
  switched_off: text("Прибор отключён", "The device was switched off", "Төхөөрөмж идэвхгүй байсан"),
  gateway_off: text(
    "Шлюз отключён, в архиве или в корзине",
    "The gateway was switched off, archived or in the trash",
    "Гарц идэвхгүй, архивт эсвэл хогийн саванд байсан",
  ),
  company_off: text("Компания отключена", "The company was switched off", "Компани идэвхгүй байсан"),
  group_off: text(
    "Группа опроса отключена",
    "The poll group was switched off",
    "Асуулгын бүлэг идэвхгүй байсан",
  ),
  not_scheduled: text("Опрос отключён", "Polling was switched off", "Асуулга идэвхгүй байсан"),
  line_down: text(
    "Нет связи с линией или шлюзом",
    "Line or gateway not connected",
    "Шугам, гарцтай холбоогүй",
  ),
  line_busy: text("Линия занята прозрачным портом", "The line was bridged", "Шугамыг тунгалаг порт эзэлсэн"),
  no_answer: text("Прибор не ответил", "The device did not answer", "Төхөөрөмж хариу өгөөгүй"),
  nothing_received: text(
    "От прибора ничего не пришло",
    "Nothing was received from the device",
    "Төхөөрөмжөөс юу ч ирээгүй",
  ),
  unreadable: text("Ответ не разобран", "The answer could not be read", "Хариуг уншиж чадаагүй"),
  refused: text("Прибор отказал", "The device refused", "Төхөөрөмж татгалзсан"),
  key: text("Неверный ключ или пароль", "Wrong key or password", "Түлхүүр, нууц үг буруу"),
  clock: text(
    "Часы прибора неверны: показания в карантине",
    "The clock of the device was wrong: its readings are in quarantine",
    "Төхөөрөмжийн цаг буруу: заалт тусгаарлагдсан",
  ),
  rejected: text("Отвергнуто проверкой", "The values failed a check", "Шалгалтад тэнцээгүй"),
  no_values: text(
    "Сообщения были, значений за это время нет",
    "There were messages, but no values for this time",
    "Мэдээ ирсэн ч энэ хугацааны утга байхгүй",
  ),
  not_stored: text(
    "Запрошено, в памяти прибора нет",
    "Requested; the device has not stored it",
    "Асуусан ч төхөөрөмжийн санах ойд байхгүй",
  ),
  erased: text(
    "Стёрто в приборе",
    "No longer in the memory of the device",
    "Төхөөрөмжийн санах ойгоос арчигдсан",
  ),
  not_requested: text("Ещё не запрошено", "Not requested yet", "Хараахан асуугаагүй"),
  fault: text("Ошибка платформы", "A fault of the platform", "Платформын алдаа"),
  log_expired: text(
    "Журнал опроса за это время удалён по сроку хранения",
    "The exchange log of this time has expired",
    "Энэ үеийн асуулгын журналын хадгалах хугацаа дууссан",
  ),
  unknown: text("Причина неизвестна", "Unknown", "Шалтгаан тодорхойгүй"),
} as const satisfies Record<string, Text>;
export type HoleReason = keyof typeof holeReasons;

/** Largest range, and largest number of devices times days of one page. */
export const completenessBounds = {
  days: 93,
  deviceDays: 3_100,
  devices: 100,
  /** Devices of which totals are counted. */
  totalled: 1_000,
} as const;

const keysOf = <Table extends object>(table: Table) =>
  // The keys of a table are its names.
  z.enum(Object.keys(table) as [keyof Table & string, ...(keyof Table & string)[]]);

const Hole = z.object({
  from: Seconds,
  to: Seconds.check(z.describe("exclusive")),
  missing: z.int().check(z.describe("rows")),
  reason: keysOf(holeReasons),
});

const BoardDay = z.object({
  day: Day.check(z.describe("in the zone of the device")),
  expected: z.int(),
  received: z.int(),
  reason: z
    .nullable(keysOf(holeReasons))
    .check(z.describe("of most of the missing rows; null: none is missing")),
  holes: z.array(Hole),
});

const counted = {
  msg_type: z.int(),
  expected: z.int().check(z.describe("rows due in the period")),
  received: z.int().check(z.describe("number of due rows for which a trusted row exists")),
  received_share: z.nullable(z.number().check(z.describe("percent; null: no row was due"))),
  reasons: z
    .array(z.object({ reason: keysOf(holeReasons), title: z.string(), missing: z.int() }))
    .check(z.describe("reasons of the missing rows, most frequent first")),
};

const device = {
  device_id: Id,
  name: z.string(),
  place: z.nullable(z.string()),
  device_group_id: z.int(),
  timezone_name: z.string(),
};

const Card = z.object({ ...device, types: z.array(z.object(counted)) });
const Board = z.object({ ...device, types: z.array(z.object({ ...counted, days: z.array(BoardDay) })) });

const ClockDay = z.object({
  day: Day,
  read_at: z.nullable(Seconds).check(z.describe("time stamp of the last reading of the day")),
  clock_off: z
    .nullable(z.int())
    .check(z.describe("seconds by which the meter's clock was ahead at that reading; null: it sent no time")),
  delay: z.nullable(z.int()).check(z.describe("seconds from that time stamp to the receipt")),
  quarantined: z
    .array(z.object({ reason: keysOf(quarantineReasons), count: z.int() }))
    .check(z.describe("readings received on that day with an implausible time stamp")),
});
const Clock = z.object({ ...device, days: z.array(ClockDay) });

const body = z.object({
  device_id: z
    .optional(Id)
    .check(z.describe("default: the devices of the company that match the filter, by name")),
  filter: z.optional(DeviceFilter),
  msg_type: z.optional(z.int().check(z.gte(1), z.lte(200))).check(z.describe("only this one of the call's")),
  start_date: z.optional(Seconds).check(z.describe("default: 30 days up to the end")),
  stop_date: z.optional(Seconds).check(z.describe("inclusive; default: now")),
  page: listInput.page,
  per_page: z
    .optional(z.int().check(z.gte(1), z.lte(10_000)))
    .check(z.describe("at most 100, and at most 3,100 devices times days; default 25")),
});

/** Of all message types. */
const clockBody = z.omit(body, { msg_type: true });

const reply = <Row extends z.ZodMiniType>(row: Row) =>
  z.object({ start_date: Seconds, stop_date: Seconds, devices: paged(row) });

const Totals = z.object({
  devices: z.int().check(z.describe("devices that have rows of the message type")),
  expected: counted.expected,
  received: counted.received,
  missing: z.int().check(z.describe("rows due and not received")),
  received_share: counted.received_share,
  reasons: counted.reasons,
  days: z.array(
    z.object({
      day: Day,
      expected: z.int(),
      received: z.int(),
      received_share: z.nullable(z.number()),
    }),
  ),
});

const own = { method: "POST", right: "4:read" } as const;

/** Expected against received data, by calendar day of the device's zone, with the reason of each hole. */
export const completeness = {
  card: call({
    ...own,
    id: "collection.card",
    reach: "branch",
    path: "device/collection_card",
    summary: "Completeness of all message types of a device or of the devices of the company in a period",
    body,
    reply: reply(Card),
    problems: ["not_found"],
  }),
  indications: call({
    ...own,
    id: "collection.indications",
    reach: "branch",
    path: "device/collection_indications",
    aliases: ["POST device/collection_card_indications"],
    summary: "Completeness of readings and instantaneous values by day, with the reason of each hole",
    body,
    reply: reply(Board),
    problems: ["not_found"],
  }),
  power: call({
    ...own,
    id: "collection.power",
    reach: "branch",
    path: "device/collection_power",
    aliases: ["POST device/collection_card_power"],
    summary: "Completeness of power and energy profiles by day, with the reason of each hole",
    body,
    reply: reply(Board),
    problems: ["not_found"],
  }),
  archive: call({
    ...own,
    id: "collection.archive",
    reach: "branch",
    path: "device/collection_archive",
    aliases: ["POST device/collection_card_archive"],
    summary: "Completeness of hourly, daily and monthly archives by day, with the reason of each hole",
    body,
    reply: reply(Board),
    problems: ["not_found"],
  }),
  totals: call({
    ...own,
    id: "collection.totals",
    reach: "branch",
    isOwn: true,
    path: "device/collection_totals",
    summary: "Completeness of one message type of all devices of a filter together, by day and by reason",
    body: z.object({
      filter: body.shape.filter,
      msg_type: z.int().check(z.gte(1), z.lte(200)),
      start_date: body.shape.start_date,
      stop_date: body.shape.stop_date,
    }),
    reply: z.object({
      start_date: Seconds,
      stop_date: Seconds,
      total: z.int().check(z.describe("devices that match")),
      totals: z
        .nullable(Totals)
        .check(z.describe(`null: more than ${String(completenessBounds.totalled)} devices match`)),
    }),
  }),
  time: call({
    ...own,
    id: "collection.time",
    reach: "branch",
    path: "device/collection_time",
    aliases: ["POST device/collection_card_time"],
    summary:
      "Clock of the devices by day: deviation, delay of receipt, readings with an implausible time stamp",
    body: clockBody,
    reply: reply(Clock),
    problems: ["not_found"],
  }),
};
