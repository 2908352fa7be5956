import { z } from "zod/mini";
import { Amount, Share } from "../core/amounts.ts";
import { call, type OwnColumn } from "../core/call.ts";
import { fileFormats } from "../core/listFile.ts";
import { Day, Id, listInput, Month, paged, Seconds, ShortText } from "../core/values.ts";

/** What one company can store. */
export const periodBounds = { months: 240, versions: 20, listed: 24, totals: 1000 } as const;

export const periodStates = ["running", "open", "closed", "reopened"] as const;
export type PeriodState = (typeof periodStates)[number];

/** How a total of now stands against a stored version. */
export const totalChanges = ["same", "changed", "appeared", "gone"] as const;
export type TotalChange = (typeof totalChanges)[number];

const Digest = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const Reason = ShortText.check(z.minLength(3));
const Name = z.nullable(z.string());

const Resource = z.object({
  resource_type_id: z.int(),
  points: z.int(),
  amount: Amount,
  estimated: Amount.check(z.describe("part of the amount that rests on estimated or added values")),
  loss: Amount.check(z.describe("losses of the points that have a share of them, beside the amount")),
});

const Summary = z.object({
  points: z.int(),
  lacking: z.int().check(z.describe("points whose readings do not cover the period")),
  without_data: z.int().check(z.describe("of them: points of which nothing is known")),
  estimated: z.int().check(z.describe("points with an estimated part")),
  covered: z.nullable(Share).check(z.describe("covered part of the time of all points, 0 to 1")),
});
export type TotalsSummary = z.infer<typeof Summary>;

const Period = z.object({
  id: z.nullable(Id).check(z.describe("null: never closed")),
  month: Month,
  from_day: Day,
  to_day: Day.check(z.describe("inclusive; days of the zone of each point")),
  state: z.enum(periodStates).check(z.describe("running: its last day is not over everywhere")),
  version: z.int(),
  closed_at: z.nullable(Seconds),
  closed_by: Name,
  reopened_at: z.nullable(Seconds),
  reopened_by: Name,
  reopen_reason: z.nullable(z.string()),
  summary: z
    .nullable(Summary)
    .check(
      z.describe(
        "of the newest version, else of now, of a running month its days that are over; null: not counted here, see period/preview",
      ),
    ),
  differing: z
    .nullable(z.int())
    .check(z.describe("points whose totals or losses have changed since the closing")),
  is_comparing: z.boolean().check(z.describe("a change has just come in and is being compared")),
});
export type SettlementPeriod = z.infer<typeof Period>;

const Incomplete = z.object({
  point_id: Id,
  name: z.string(),
  resource_type_id: z.int(),
  covered: Share.check(z.describe("covered part of its time, 0 to 1")),
  has_amount: z.boolean(),
  estimated: Amount,
});

const Preview = z.object({
  ...Summary.shape,
  month: Month,
  from_day: Day,
  to_day: Day,
  counted_to: z.iso
    .date()
    .check(z.describe("last day that the numbers count: of a running month the last one that is over")),
  state: z.enum(periodStates),
  recomputing: z.int().check(z.describe("points whose days are still being computed")),
  exceptions: z
    .int()
    .check(z.describe("open exceptions of its points: validation/list with this month names them")),
  resources: z.array(Resource),
  digest: Digest.check(z.describe("names exactly these totals: pass it to period/close")),
});
export type PeriodPreview = z.infer<typeof Preview>;

const Version = z.object({
  version: z.int(),
  kind: z.enum(["close", "correction"]),
  reason: z.string(),
  made_at: Seconds,
  made_by: Name,
  ...z.omit(Summary, { without_data: true, covered: true }).shape,
  digest: Digest,
  is_intact: z
    .nullable(z.boolean())
    .check(z.describe("the totals still have this digest; null: not checked")),
});
export type PeriodVersion = z.infer<typeof Version>;

const amounts = {
  amount: z.nullable(Amount).check(z.describe("null: nothing is known")),
  carried: z
    .nullable(Amount)
    .check(z.describe("part of the amount that a gap brings which began in a closed period before")),
  estimated: z.nullable(Amount),
  covered: z.nullable(Share).check(z.describe("covered part of its time, 0 to 1")),
  start_value: z.nullable(Amount).check(z.describe("the register at the start of the period")),
  end_value: z.nullable(Amount),
  loss: z
    .nullable(Amount)
    .check(z.describe("beside the amount; null: no share of losses held, or it is of another register")),
};

const Total = z.object({
  point_id: Id,
  name: z.string(),
  resource_type_id: z.int(),
  field: z.string(),
  register: z
    .object({ title: z.string(), unit: z.string() })
    .check(z.describe("its name and the unit of its amounts in the language of the session")),
  timezone: z.string(),
  ...amounts,
  flags: z.nullable(z.int()),
  status: z.nullable(z.int()),
  is_removed: z.boolean().check(z.describe("the point has been removed since")),
  other: z.object(amounts).check(z.describe("the version to compare with, or the totals of now")),
  difference: z
    .nullable(Amount)
    .check(z.describe("other minus amount, exactly; null: one of them is not known")),
  change: z.enum(totalChanges),
});
export type PeriodTotal = z.infer<typeof Total>;

const Now = z.object({
  differing: z.int().check(z.describe("points whose totals or losses differ from the newest version")),
  recomputing: z.int(),
  digest: Digest.check(z.describe("names exactly the totals of now: pass it to period/correct")),
});

const periodReply = z.object({ period: Period });
const wrong = ["tied_devices_only", "period_recomputing", "period_changed", "demo_refused"] as const;

const unit = "register.unit";
const columns: readonly OwnColumn[] = [
  { title: { ru: "Точка учёта", en: "Accounting point", mn: "Тооцооны цэг" }, of: "name" },
  { title: { ru: "Регистр", en: "Register", mn: "Регистр" }, of: "register.title" },
  { title: { ru: "Единица", en: "Unit", mn: "Нэгж" }, of: unit },
  {
    title: { ru: "Показание на начало", en: "Reading at the start", mn: "Эхний заалт" },
    ...{ of: "start_value", unit },
  },
  {
    title: { ru: "Показание на конец", en: "Reading at the end", mn: "Эцсийн заалт" },
    ...{ of: "end_value", unit },
  },
  {
    title: { ru: "Расход", en: "Consumption", mn: "Зарцуулалт" },
    ...{ of: "amount", unit, total: "sum" },
    marks: { known: "covered", estimated: "estimated", carried: "carried" },
  },
  {
    title: {
      ru: "В том числе перенесено из закрытых периодов",
      en: "Of it carried from closed periods",
      mn: "Үүнээс хаагдсан үеэс шилжсэн",
    },
    ...{ of: "carried", unit },
  },
  {
    title: { ru: "В том числе расчётный", en: "Of it estimated", mn: "Үүнээс тооцоолсон" },
    ...{ of: "estimated", unit },
  },
  {
    title: { ru: "Доля времени с данными", en: "Share of time with data", mn: "Өгөгдөлтэй хугацааны хувь" },
    of: "covered",
  },
  { title: { ru: "Потери", en: "Losses", mn: "Алдагдал" }, of: "loss", unit },
  {
    title: { ru: "Расход, сравнение", en: "Consumption, compared", mn: "Зарцуулалт, харьцуулсан" },
    ...{ of: "other.amount", unit, total: "sum" },
    marks: { known: "other.covered", estimated: "other.estimated", carried: "other.carried" },
  },
  { title: { ru: "Разница", en: "Difference", mn: "Зөрүү" }, of: "difference", unit },
  {
    title: { ru: "Потери, сравнение", en: "Losses, compared", mn: "Алдагдал, харьцуулсан" },
    of: "other.loss",
    unit,
  },
];

/** Settlement periods: what is billed, stored in versions that are never altered. */
export const periods = {
  list: call({
    id: "period.list",
    isOwn: true,
    method: "POST",
    path: "period/list",
    right: "6:read|6:access_all",
    reach: "branch",
    summary: "Months from the newest to the first with data: state, completeness, differences",
    body: z.object({ page: listInput.page, per_page: listInput.per_page }),
    reply: z.object({ periods: paged(Period) }),
  }),
  preview: call({
    id: "period.preview",
    isOwn: true,
    rows: "incomplete.data",
    method: "POST",
    path: "period/preview",
    right: "6:read|6:access_all",
    reach: "branch",
    summary: "What a closing of a month would store, and the points that lack data, worst first",
    body: z.object({ month: Month, page: listInput.page, per_page: listInput.per_page }),
    reply: z.object({ preview: Preview, incomplete: paged(Incomplete) }),
  }),
  close: call({
    id: "period.close",
    isOwn: true,
    method: "POST",
    path: "period/close",
    right: "6:update|6:access_all",
    reach: "company",
    isOnce: true,
    summary: "Closes a month that is over: its totals are stored and billed from here on",
    body: z.object({
      month: Month,
      digest: Digest.check(z.describe("of the preview: anything else is refused")),
      accepts_incomplete: z.optional(z.boolean()).check(z.describe("closes although points lack data")),
      reason: z.optional(ShortText).check(z.describe("of closing it again")),
    }),
    reply: periodReply,
    problems: [
      "period_running",
      "period_is_closed",
      "period_empty",
      "period_incomplete",
      "period_limit",
      ...wrong,
    ],
  }),
  get: call({
    id: "period.get",
    isOwn: true,
    rows: "totals.data",
    ownFile: {
      title: { ru: "Расчётный период", en: "Settlement period", mn: "Тооцооны үе" },
      columns,
      // A register of all and those of the tariffs are of one unit.
      totalsBy: ["resource_type_id", "register.title", unit],
    },
    method: "POST",
    path: "period/get",
    right: "6:read|6:access_all",
    reach: "branch",
    summary:
      "A closed or reopened period: its versions, and the totals of one beside another or those of now",
    body: z.object({
      id: Id,
      version: z.optional(
        z.int().check(z.gte(1), z.lte(periodBounds.versions), z.describe("default: newest")),
      ),
      compare: z
        .optional(z.int().check(z.gte(0), z.lte(periodBounds.versions)))
        .check(z.describe("a version, or 0 for the totals of now (default)")),
      only_different: z.optional(z.boolean()),
      search_string: listInput.search_string,
      page: listInput.page,
      per_page: listInput.per_page,
      format: z.optional(z.enum(fileFormats)),
    }),
    reply: z.object({
      period: Period,
      versions: z.array(Version),
      now: Now,
      resources: z.array(z.extend(Resource, { difference: Amount, loss_difference: Amount })),
      totals: paged(Total),
    }),
    problems: ["not_found"],
  }),
  correct: call({
    id: "period.correct",
    isOwn: true,
    method: "POST",
    path: "period/correct",
    right: "6:update|6:access_all",
    reach: "company",
    isOnce: true,
    summary: "Stores a further version of a closed period from the present readings, beside those before",
    body: z.object({
      id: Id,
      digest: Digest.check(z.describe("of the totals of now: anything else is refused")),
      reason: Reason,
    }),
    reply: periodReply,
    problems: ["not_found", "period_is_open", "period_same", "period_limit", ...wrong],
  }),
  reopen: call({
    id: "period.reopen",
    isOwn: true,
    method: "POST",
    path: "period/reopen",
    right: "admin",
    reach: "company",
    isOnce: true,
    summary: "Opens a closed period again; its versions stay",
    body: z.object({ id: Id, reason: Reason }),
    reply: periodReply,
    problems: ["not_found", "period_is_open", "demo_refused"],
  }),
};
