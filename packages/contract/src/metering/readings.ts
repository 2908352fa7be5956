import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { notSupportedYet, notYet } from "../core/notYet.ts";
import { Id, IdText, Nothing, Seconds } from "../core/values.ts";

/** Maximum rows of one answer; with more, `truncated` is set and the newest are returned. */
export const messageLimit = 10_000;

const Cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/**
 * A message. `datetime` is its slot (start of a profile interval, time of archived values), `realdatetime`
 * the time stamp of the meter, `created_at` the time of storage. A missing value is null, never zero.
 */
export const MessageRow = z.catchall(
  z.object({
    datetime: Seconds,
    realdatetime: Seconds,
    created_at: Seconds,
    message_api: z.boolean().check(z.describe("calculated or entered by hand")),
    status: z.string(),
    source: z.string(),
    clock_off: z.optional(
      z.nullable(
        z.int().check(z.describe("seconds by which the meter's clock was ahead, if more than a minute")),
      ),
    ),
  }),
  Cell,
);

const FieldHeader = z.object({
  name: z.string(),
  title: z.string(),
  title_en: z.string(),
  unit: z.string(),
  decimals: z.int().check(z.describe("decimals to show every value of the column with")),
});

const Total = z.object({
  name: z.string(),
  kind: z
    .enum(["growth", "energy", "maximum", "latest"])
    .check(z.describe("growth of a counter, energy of a power profile, maximum and latest value")),
  value: z
    .nullable(z.number())
    .check(z.describe("in `unit`; null: the counter was reset or replaced in the period")),
  unit: z.string(),
  from: Seconds.check(z.describe("time stamp of the first value included")),
  to: Seconds.check(z.describe("time stamp of the last value included")),
});

/** Summary of a period. Every screen takes share, gaps and totals from here. */
const Summary = z.object({
  expected: z.nullable(
    z.int().check(z.describe("rows due in the period; null: rows of the type are never due")),
  ),
  received: z.nullable(z.int().check(z.describe("number of due rows for which a trusted row exists"))),
  received_share: z.nullable(z.number().check(z.describe("received share of due rows, percent"))),
  gaps: z
    .array(z.object({ from: Seconds, to: Seconds, missing: z.int() }))
    .check(z.describe("intervals in which rows were due and none arrived, oldest first; `to` is exclusive")),
  gap_count: z.int(),
  totals: z.array(Total),
  tg_phi: z.nullable(
    z.number().check(z.describe("ratio of reactive to active energy, over the intervals that have both")),
  ),
  totals_from: z
    .nullable(Seconds)
    .check(z.describe("start of the totals if the period has more rows than are counted; otherwise null")),
});
export type PeriodSummary = z.infer<typeof Summary>;

const answerParts = {
  fields_headers: z.array(FieldHeader),
  "max_r/a": z.int().check(z.describe("voltage level of the accounting point, 0 if unknown")),
  max_ra_percent: z
    .int()
    .check(z.describe("maximum ratio of reactive to active energy at that level, percent")),
  truncated: z.boolean(),
  summary: Summary,
};

export const MessagesReply = z.union([
  z.object({ columns: z.record(z.string(), z.array(Cell)), ...answerParts }),
  z.object({ data: z.array(MessageRow), ...answerParts }),
]);

/** Needed for the messages of points. */
const readsPoints = "6:read|6:access_all";
/** With accounting_point the id is that of a point, whose devices are shown in their intervals. */
const Kind = z.optional(z.enum(["device", "accounting_point"]));

const period = {
  device_id: Id,
  startDate: Seconds,
  stopDate: Seconds.check(z.describe("inclusive")),
};

export const shaping = {
  profile_type: z.optional(z.literal([30, 60])),
  with_transformation_ratio: z.optional(
    z.boolean().check(z.describe("false omits the _kkt columns of a device with a transformation ratio")),
  ),
  "r/a": z.optional(
    z.boolean().check(z.describe("adds r/a+ and r/a-: ratio of reactive to active power, percent")),
  ),
  with_loss_factor: z.optional(
    z.boolean().check(z.describe("adds _loss_factor columns, if the accounting point has a share of losses")),
  ),
  limit: z.optional(z.int().check(z.gte(1), z.lte(messageLimit))),
  shape: z.optional(
    z
      .enum(["rows", "columns"])
      .check(z.describe("columns: {columns: {datetime: [...], ...}} instead of data")),
  ),
};

const MessageType = z.object({
  id: z.int(),
  title: z.string(),
  title_en: z.string(),
  tab: z.string(),
  max_period_request: z.int().check(z.describe("days")),
});

/** A value of a form; null is an empty field, which is ignored. */
const EnteredValue = z.optional(z.nullable(z.number()));

const ManualMessage = z.object({
  datetime: Seconds,
  realdatetime: z.optional(Seconds),
  tariff0: z
    .optional(z.nullable(z.number()))
    .check(z.describe("the total; absent: calculated, if every tariff of the meter is entered")),
  tariff1: EnteredValue,
  tariff2: EnteredValue,
  tariff3: EnteredValue,
  tariff4: EnteredValue,
  tariff5: EnteredValue,
  in1: EnteredValue,
  message_api: z.optional(z.boolean()),
  reason: z.optional(z.nullable(z.int())),
  method: z.optional(z.nullable(z.int())),
});

/** An entered counter against the trusted readings of any type before and after it. */
const EnteredCheck = z.object({
  field: z.string(),
  given: z.number(),
  last_value: z.nullable(z.number()),
  last_at: z.nullable(Seconds),
  next_value: z.nullable(z.number()),
  next_at: z.nullable(Seconds),
  difference: z.nullable(z.number()).check(z.describe("given minus the reading before")),
  expected: z.nullable(z.number()).check(z.describe("growth since the reading before, by the load up to it")),
  measured: z.nullable(z.number()).check(z.describe("what the meter said of that time, if it differs")),
  verdict: z
    .enum(["ok", "below", "above", "beyond", "differs", "unknown"])
    .check(
      z.describe(
        "below: the reading before; above: far more than expected; beyond: the reading after; differs: measured then",
      ),
    ),
});

/** Views of some fields or with their own numbers, for which there are no message types yet. */
const laterTabs: readonly string[] = [
  "archives_system_1",
  "archives_system_2",
  "summary_readings",
  "heat_calculating",
];

/** A number that a form sends as text. */
const FormNumber = z.pipe(
  z.union([z.int(), z.string().check(z.regex(/^\d{1,5}$/))]),
  z.pipe(
    z.transform((given: number | string) => Number(given)),
    z.int().check(z.gte(0), z.lte(32_767)),
  ),
);

export const readings = {
  list: call({
    id: "messages.list",
    rows: "data",
    isPeriod: true,
    method: "POST",
    path: "device/messages",
    right: "4:read",
    reach: "branch",
    orRight: readsPoints,
    summary: "Messages of a device in a period, as rows or as columns",
    body: z.object({
      ...period,
      ...shaping,
      msgType: z.int().check(z.gte(1), z.lte(32_767)),
      msgGroup: z.optional(
        z.literal([0, 1]).check(z.describe("0: archives, 1: all others; also implied by msgType")),
      ),
      tab: z.optional(
        z.string().check(
          z.maxLength(50),
          z.refine((tab) => !laterTabs.includes(tab), notSupportedYet),
          z.describe("view that sends the request; only msgType determines the answer"),
        ),
      ),
      is_energy: z.optional(z.boolean().check(z.describe("profiles as energy of the interval"))),
      extra_fields: z.optional(
        z
          .array(z.string().check(z.maxLength(50)))
          .check(z.maxLength(100), z.describe("computed columns: start_* and end_* of tariffs and in1")),
      ),
      kind: Kind,
      journal_types: notYet(z.array(z.int()), { refused: [1], asksNothing: (types) => types.length === 0 }),
      paginate: notYet(z.boolean(), { refused: true, asksNothing: (wanted) => !wanted }),
      page: notYet(z.int(), { refused: 2 }),
      per_page: notYet(z.int(), { refused: 25 }),
    }),
    reply: MessagesReply,
    problems: ["not_found"],
  }),
  summary: call({
    id: "messages.summary",
    method: "POST",
    path: "device/messages/summary",
    right: "4:read",
    reach: "branch",
    orRight: readsPoints,
    isOwn: true,
    summary: "Received share, gaps and totals of a period, without rows",
    body: z.object({
      ...period,
      kind: Kind,
      msgType: z.int().check(z.gte(1), z.lte(32_767)),
      profile_type: z.optional(z.literal([30, 60])),
    }),
    reply: Summary,
    problems: ["not_found"],
  }),
  powerProfile: call({
    id: "device.powerProfile",
    rows: "data",
    isPeriod: true,
    method: "POST",
    path: "device/power_profile",
    right: "4:read",
    reach: "branch",
    orRight: readsPoints,
    summary: "Average power by half-hour or hour",
    body: z.object({ ...period, kind: Kind, ...shaping, is_energy: z.optional(z.boolean()) }),
    reply: MessagesReply,
    problems: ["not_found"],
  }),
  energyProfile: call({
    id: "device.energyProfile",
    rows: "data",
    isPeriod: true,
    method: "POST",
    path: "device/energy_profile",
    right: "4:read",
    reach: "branch",
    orRight: readsPoints,
    summary: "Energy by half-hour or hour",
    body: z.object({ ...period, kind: Kind, ...shaping }),
    reply: MessagesReply,
    problems: ["not_found"],
  }),
  last: call({
    id: "messages.last",
    method: "POST",
    path: "messages/last/:id",
    right: "4:read",
    reach: "branch",
    orRight: readsPoints,
    summary: "The newest message of a type; empty if there is none",
    params: z.object({ id: IdText }),
    body: z.object({ msgType: FormNumber, kind: Kind }),
    reply: z.union([MessageRow, Nothing]),
    problems: ["not_found"],
  }),
  typesGet: call({
    id: "messages.typesGet",
    method: "GET",
    path: "device/messages/types",
    right: null,
    reach: "common",
    isReference: true,
    summary: "All message types",
    reply: z.object({ types: z.array(MessageType) }),
  }),
  types: call({
    id: "messages.types",
    method: "POST",
    path: "device/messages/types",
    right: null,
    reach: "common",
    summary: "Message types of a device, a model or a tab",
    body: z.object({
      device_id: z.optional(Id),
      model_id: z.optional(Id),
      tab: z.optional(z.string().check(z.maxLength(50))),
    }),
    reply: z.object({ types: z.array(MessageType) }),
    problems: ["not_found"],
  }),
  fieldTitles: call({
    id: "fields.titles",
    method: "GET",
    path: "device/get_field_titles",
    right: null,
    reach: "common",
    isReference: true,
    summary: "Titles and units of fields, by device type",
    reply: z.object({
      fields: z.array(
        z.object({
          name: z.string(),
          title: z.string(),
          title_en: z.string(),
          unit: z.object({ title: z.string() }),
          device_group_id: z.int(),
          device_type_id: z.int(),
          protocol_id: z.int().check(z.describe("0: titles do not depend on the protocol")),
          device_id: z
            .nullable(z.int())
            .check(z.describe("null: of every device of the type; those of one device are returned with it")),
        }),
      ),
    }),
  }),
  dirtyOne: call({
    id: "messages.dirtyOne",
    method: "PUT",
    path: "device/messages/dirty_one",
    right: "4:update",
    reach: "branch",
    summary: "Enters a reading by hand; what other readings contradict counts only once it is confirmed",
    body: z.object({
      device_id: Id,
      msgType: z.optional(z.int().check(z.gte(1), z.lte(32_767))),
      message: ManualMessage,
      confirm: z
        .optional(z.boolean())
        .check(z.describe("it counts whatever the checks say, in place of what was measured then")),
      confirm_reason: z.optional(z.string().check(z.maxLength(500), z.trim())),
    }),
    reply: z.object({
      checks: z.array(EnteredCheck).check(z.describe("the reading is stored whatever they say")),
      counts: z
        .boolean()
        .check(z.describe("false: stored as suspect, and counts for nothing until it is confirmed")),
    }),
    problems: ["not_found", "demo_refused"],
  }),
};
