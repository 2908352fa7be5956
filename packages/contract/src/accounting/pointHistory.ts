import type { Text } from "@metrum/vocabulary";
import { z } from "zod/mini";
import { Amount } from "../core/amounts.ts";
import { call } from "../core/call.ts";
import { Day, Id, Month, Nothing, Seconds } from "../core/values.ts";
import { enteredEventKinds, Note, pointEventKinds, pointTermKinds, RegisterReadings } from "./pointFields.ts";

const reads = "6:read|6:access_all";
const updates = "6:update|6:access_all";

const pointId = { accounting_point_id: Id };
export const User = z
  .nullable(z.string())
  .check(z.describe("null: the account is gone, or the system did it"));

const DeviceInterval = z.object({
  id: Id,
  device_id: Id,
  name: z.string(),
  deviceID: z.string(),
  model_title: z.string(),
  field: z.string(),
  unit: z.string(),
  from: Seconds,
  to: z.nullable(Seconds),
  opening: RegisterReadings,
  closing: RegisterReadings,
  opening_value: z.nullable(Amount).check(z.describe("of the main register")),
  closing_value: z.nullable(Amount),
  act: z.string(),
  note: z.string(),
  opened_by: User,
  closed_by: User,
  meterless_sec: z.nullable(z.int()).check(z.describe("time without a meter before it")),
  meterless_amount: z.nullable(Amount).check(z.describe("added for that time; null: not counted")),
  created_at: Seconds,
});

const RatioInterval = z.object({
  from: z.nullable(Seconds).check(z.describe("null: always before")),
  to: z.nullable(Seconds),
  ratio: z.number(),
  source: z.enum(["transformers", "point", "device", "none"]),
  title: z.string().check(z.describe("'200/5' of transformers, else the factor")),
});

const TermInterval = z.object({
  id: Id,
  kind: z.enum(pointTermKinds),
  from: Seconds,
  to: z.nullable(Seconds),
  number: z.nullable(z.number()),
  title: z
    .string()
    .check(z.describe("name of the consumer, supplier, transformer or level; else the number")),
  ref_id: z.nullable(z.string()).check(z.describe("id of that consumer, supplier, transformer or level")),
  standard: z.nullable(z.record(z.string(), z.number())),
  note: z.string(),
  user: User,
});

/** Titles of events by their kind. */
export const pointEventTitles = {
  installed: { ru: "Прибор установлен", en: "Device installed", mn: "Төхөөрөмж суурилуулсан" },
  replaced: { ru: "Прибор заменён", en: "Device replaced", mn: "Төхөөрөмж сольсон" },
  removed: { ru: "Прибор снят", en: "Device removed", mn: "Төхөөрөмж буулгасан" },
  verified: { ru: "Поверка", en: "Verified", mn: "Баталгаажуулсан" },
  reset: { ru: "Счётчик сброшен", en: "Counter reset", mn: "Тоолуур тэглэсэн" },
  rollover: { ru: "Переход через ноль", en: "Counter rolled over", mn: "Тоолуур тэгээр дамжсан" },
  ratio: { ru: "Новый коэффициент", en: "New ratio", mn: "Шинэ коэффициент" },
  note: { ru: "Заметка", en: "Note", mn: "Тэмдэглэл" },
} as const satisfies Record<(typeof pointEventKinds)[number], Text>;

const PointEvent = z.object({
  id: Id,
  ts: Seconds,
  kind: z.enum(pointEventKinds),
  title: z.string(),
  device_id: z.nullable(Id),
  note: z.string(),
  details: z.record(z.string(), z.unknown()),
  user: User,
  is_entered: z.boolean().check(z.describe("added by a person: can be removed")),
});

/** State of the total of a day or month. */
export const totalStates = ["complete", "running", "partial", "none", "estimated"] as const;

const MonthRow = z.object({
  month: z.string().check(z.describe("YYYY-MM")),
  from: Seconds,
  to: Seconds.check(z.describe("exclusive")),
  start_value: z.nullable(Amount),
  end_value: z.nullable(Amount),
  ratio: z.nullable(Amount),
  consumption: z.nullable(Amount).check(z.describe("null: nothing is known")),
  estimated: Amount.check(z.describe("part of it that rests on estimated or added values")),
  carried: Amount.check(z.describe("part of it that a gap brings which began in a closed month before")),
  loss: z.nullable(Amount),
  known_sec: z.int(),
  length_sec: z.int().check(z.describe("of the month, or of its past part")),
  state: z.enum(totalStates),
  devices: z.int().check(z.describe("that measured in the month")),
  is_reset: z.boolean(),
  is_rollover: z.boolean(),
  is_ratio_changed: z.boolean(),
  is_interpolated: z
    .boolean()
    .check(z.describe("days are divided at midnight between readings more than six hours apart")),
  is_closed: z.boolean().check(z.describe("in a closed period")),
  now: z
    .nullable(
      z.object({
        consumption: z.nullable(Amount),
        start_value: z.nullable(Amount),
        end_value: z.nullable(Amount),
      }),
    )
    .check(
      z.describe("of a closed month whose readings give another consumption or registers than is billed"),
    ),
});

const Reading = z.object({
  ts: Seconds,
  value: z.number(),
  msg_type: z.nullable(z.int()),
  kind: z
    .enum(["reading", "opening", "closing", "noted", "interpolated"])
    .check(z.describe("noted: with a change of the ratio")),
  status: z.nullable(z.string()),
  source: z.nullable(z.string()),
  received_at: z.nullable(Seconds),
  clock_off: z.nullable(z.int()).check(z.describe("seconds by which the meter's clock was ahead")),
  revisions: z.int().check(z.describe("earlier versions of this row")),
  exchange: z.nullable(
    z.object({
      id: z
        .int()
        .check(z.describe("start in epoch milliseconds: with device_id, the row of task/device/logs")),
      device_id: Id,
      at: Seconds,
    }),
  ),
  act: z.string(),
  rivals: z
    .array(
      z.object({
        value: z.number(),
        msg_type: z.int(),
        status: z.string(),
        source: z.string(),
        reason: z
          .enum(["confirmed", "measured", "entered", "type"])
          .check(z.describe("why the reading counts and not this one: of equal worth it is the type")),
      }),
    )
    .check(z.describe("other values of the register at the same time, which do not count")),
});

const Value = z.extend(Reading, {
  around: z.array(Reading).check(z.describe("of an interpolated value: those before and after it")),
});

const Part = z.object({
  kind: z
    .enum(["device", "amount", "carried", "uncounted"])
    .check(
      z.describe(
        "carried: of a gap that began in a closed month before, which cannot bill it any more; uncounted: the amount is 0",
      ),
    ),
  reason: z
    .nullable(z.enum(["edge", "ratio", "reset", "leap"]))
    .check(
      z.describe(
        "why nothing is counted: a gap over an edge, over a change of the ratio, a reset, a growth that nobody can have used",
      ),
    ),
  from: Seconds,
  to: Seconds,
  device_id: z.nullable(Id),
  device_name: z.string(),
  deviceID: z.string(),
  field: z.string(),
  start: z.nullable(Value),
  end: z.nullable(Value),
  register_growth: z.nullable(z.number()),
  is_difference: z.boolean().check(z.describe("the growth is the end minus the start: no rollover")),
  ratio: z.nullable(z.number()),
  ratio_title: z.string(),
  ratio_from: z.nullable(Seconds),
  amount: z.number(),
  amount_exact: z.string().check(z.describe("the same to the last digit; all parts add up to the total")),
  note: z.string(),
  flags: z.array(z.enum(["replaced", "ratio", "rollover", "reset", "interpolated", "estimated", "divided"])),
});

const Why = z.object({
  unit: z.string(),
  decimals: z
    .object({ values: z.int(), amounts: z.int() })
    .check(
      z.describe(
        "of all readings, and of all amounts, six at most: so many that the shown parts add up to the total",
      ),
    ),
  from: Seconds,
  to: Seconds,
  total: z.nullable(z.number()).check(z.describe("null: no part is counted")),
  total_exact: z.nullable(z.string()),
  is_behind: z
    .boolean()
    .check(z.describe("the stored days, and so the months, do not count all of these readings yet")),
  computed_at: z.nullable(Seconds),
  formula: z.enum(["difference", "sum", "none"]),
  known_sec: z.int(),
  length_sec: z.int(),
  estimated: z.number(),
  billed: z
    .nullable(
      z.object({ version: z.int(), amount: z.nullable(z.number()), difference: z.nullable(z.number()) }),
    )
    .check(
      z.describe(
        "of a month in a closed period: what its newest version bills, and total minus amount, null if one of them is unknown",
      ),
    ),
  parts: z.array(Part),
  earlier: z
    .array(z.object({ at: Seconds, value: z.nullable(z.number()), reason: z.string(), user: User }))
    .check(z.describe("earlier versions of the readings it rests on, newest first")),
});

/** What happened at a point, and where its numbers come from. */
export const pointHistory = {
  history: call({
    id: "point.history",
    isOwn: true,
    method: "POST",
    path: "objects/accounting_point/history",
    right: reads,
    reach: "branch",
    summary: "Devices, ratios, terms and events of a point since its beginning, oldest first",
    body: z.object(pointId),
    reply: z.object({
      devices: z.array(DeviceInterval),
      ratios: z.array(RatioInterval),
      terms: z.array(TermInterval),
      events: z.array(PointEvent),
      can_undo: z.boolean().check(z.describe("the last replacement can still be undone")),
    }),
    problems: ["not_found"],
  }),
  addEvent: call({
    id: "point.addEvent",
    isOwn: true,
    method: "POST",
    path: "objects/accounting_point/event/add",
    right: updates,
    reach: "branch",
    isOnce: true,
    summary: "Adds a verification or a note to the history of a point",
    body: z.object({
      ...pointId,
      kind: z.enum(enteredEventKinds),
      ts: Seconds,
      note: Note,
      verified_until: z.optional(Seconds),
    }),
    reply: z.object({ event_id: Id }),
    problems: ["not_found", "demo_refused", "point_limit", "point_moment"],
  }),
  removeEvent: call({
    id: "point.removeEvent",
    isOwn: true,
    method: "DELETE",
    path: "objects/accounting_point/event/delete",
    right: updates,
    reach: "branch",
    summary: "Removes an event that a person has added",
    body: z.object({ ...pointId, event_number: z.int().check(z.gte(1), z.lte(2_147_483_647)) }),
    reply: Nothing,
    problems: ["not_found", "demo_refused"],
  }),
  months: call({
    id: "point.months",
    isOwn: true,
    rows: "months",
    method: "POST",
    path: "objects/accounting_point/months",
    right: reads,
    reach: "branch",
    summary: "Consumption of a point by calendar months of its zone, newest first",
    body: z.object({
      ...pointId,
      field: z.optional(z.string().check(z.maxLength(50))).check(z.describe("absent: the main register")),
      months: z.optional(z.int().check(z.gte(1), z.lte(60))),
      with_loss_factor: z.optional(z.boolean()),
    }),
    reply: z.object({
      unit: z.string(),
      ratio_decimals: z.int().check(z.describe("of all ratios of the answer")),
      fields: z.array(z.string()),
      months: z.array(MonthRow),
    }),
    problems: ["not_found"],
  }),
  why: call({
    id: "point.why",
    isOwn: true,
    method: "POST",
    path: "objects/accounting_point/why",
    right: reads,
    reach: "branch",
    summary: "Where the total of a day or month comes from: parts, readings, ratios, exchanges",
    body: z.object({
      ...pointId,
      field: z.optional(z.string().check(z.maxLength(50))),
      month: z.optional(Month),
      day: z.optional(Day),
    }),
    reply: Why,
    problems: ["not_found"],
  }),
};
export type PointWhy = z.infer<typeof Why>;
export type PointMonth = z.infer<typeof MonthRow>;
