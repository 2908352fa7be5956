import type { Text } from "@metrum/vocabulary";
import { z } from "zod/mini";
import { Amount, Percent } from "../core/amounts.ts";
import { Day, Id, Seconds } from "../core/values.ts";

const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/** Balance groups of a company, points of one group and of all together, and the days of one request. */
export const balanceLimits = { groups: 1000, points: 1000, members: 10_000, days: 400 } as const;

export const balanceRoles = ["in", "out", "loss"] as const;
export type BalanceRole = (typeof balanceRoles)[number];

/** How losses are found besides the points that measure them. */
export const lossRules = {
  none: text("нет", "none", "байхгүй"),
  percent: text("процент входа", "percent of the input", "оролтын хувь"),
  fixed: text("постоянная величина в сутки", "fixed amount a day", "өдрийн тогтмол хэмжээ"),
  points: text(
    "по потерям точек учёта",
    "by the losses of the accounting points",
    "тооцооны цэгүүдийн алдагдлаар",
  ),
} as const satisfies Record<string, Text>;
export type LossRule = keyof typeof lossRules;

export const balanceStates = {
  ok: text("Сходится", "Closes", "Тэнцэж байна"),
  exceeded: text("Не сходится", "Does not close", "Тэнцэхгүй байна"),
  incomplete: text("Неполные данные", "Incomplete", "Дутуу өгөгдөл"),
  empty: text("Не рассчитан", "Not computed", "Тооцоогүй"),
} as const satisfies Record<string, Text>;
export type BalanceState = keyof typeof balanceStates;

const MaybeAmount = z.nullable(Amount);
const MaybePercent = z.nullable(Percent);

export const GroupPoint = z.object({
  point_id: Id,
  role: z.enum(balanceRoles),
  name: z.string(),
  coefficient: z.number(),
  from_day: z.nullable(Day),
  to_day: z.nullable(Day).check(z.describe("inclusive")),
});

/** Sums of one period. Amounts include the coefficients; null: not computed. */
export const sums = {
  in: MaybeAmount,
  out: MaybeAmount,
  losses: MaybeAmount,
  imbalance: MaybeAmount.check(z.describe("in − out − losses")),
  imbalance_percent: MaybePercent.check(z.describe("of in; null: nothing came in")),
};

export const PeriodSums = z.object({
  ...sums,
  start_day: Day,
  stop_day: Day.check(z.describe("inclusive")),
  days: z.int(),
  computed_days: z
    .int()
    .check(z.describe("days that the sums are over: on each of them every point is known")),
  covered_percent: Percent.check(z.describe("share of the seconds of all points that is known")),
  state: z.enum(Object.keys(balanceStates) as [BalanceState, ...BalanceState[]]),
});
export type PeriodSums = z.infer<typeof PeriodSums>;

const group = {
  id: Id,
  name: z.string(),
  resource_type_id: z.int(),
  allowed_imbalance: Amount.check(z.describe("percent of the input")),
  loss_rule: z.enum(Object.keys(lossRules) as [LossRule, ...LossRule[]]),
  loss_value: MaybeAmount,
  unit: z.string(),
  timezone: z.string().check(z.describe("zone of the days: that of its points")),
  comment: z.string(),
  version: z.int(),
  input_point_ids: z.array(Id),
  output_point_ids: z.array(Id),
  loss_point_ids: z.array(Id),
};
export const BalanceGroup = z.object({ ...group, points: z.array(GroupPoint) });
export type BalanceGroup = z.infer<typeof BalanceGroup>;

export const ListedBalanceGroup = z.object({
  ...group,
  point_count: z.int(),
  month: PeriodSums.check(z.describe("last full month")),
  state_text: z.string(),
});
export type ListedBalanceGroup = z.infer<typeof ListedBalanceGroup>;

export const balanceDayStates = ["computed", "bridged", "incomplete"] as const;

const BalanceDay = z.object({
  day: Day,
  at: Seconds.check(z.describe("start of the day")),
  ...sums,
  state: z
    .enum(balanceDayStates)
    .check(
      z.describe(
        "bridged: a gap of a point ends within the period, its amount is in the total and in no day; incomplete: left out",
      ),
    ),
  cumulative_percent: MaybePercent.check(z.describe("imbalance since the first day, of in")),
  exceeds: z.boolean(),
  missing_points: z.int(),
});

export const balancePointStates = ["complete", "missing", "no_data", "estimated", "cause"] as const;

/** Half-hours of one answer, a month; and values of power profiles that it rests on, points times half-hours. */
export const halfHourBounds = { slots: 1_500, values: 50_000 } as const;

export const HalfHour = z.object({
  from: Seconds,
  ...sums,
  exceeds: z.boolean(),
  missing_points: z.int().check(z.describe("points without a trusted power; with any there are no sums")),
});
export type HalfHour = z.infer<typeof HalfHour>;

const closedDays = { from_day: Day, to_day: Day, version: z.int() };

/** What a closed period bills of a point, without its coefficient. */
const Bill = z.object({
  ...closedDays,
  amount: MaybeAmount.check(z.describe("billed; null: nothing")),
  now: MaybeAmount.check(z.describe("what the days of the period give now; null: nothing is known")),
  difference: MaybeAmount.check(z.describe("now minus billed")),
  text: z.string(),
});

const BalancePoint = z.object({
  point_id: Id,
  role: z.enum(balanceRoles),
  name: z.string(),
  coefficient: z.number(),
  device_id: z.nullable(Id),
  device: z.nullable(z.string()).check(z.describe("the device that measured it last")),
  amount: MaybeAmount.check(z.describe("over the computed days, coefficient included")),
  share: MaybePercent.check(z.describe("percent of in")),
  estimated: MaybeAmount.check(z.describe("part that rests on estimated values")),
  state: z.enum(balancePointStates),
  state_text: z.string(),
  missing_sec: z.int(),
  missing_days: z.int().check(z.describe("days of which at least a part is missing")),
  missing_from: z.nullable(Day),
  missing_to: z.nullable(Day),
  bills: z
    .array(Bill)
    .check(z.describe("of the closed periods among the days that bill something else than is counted now")),
});
export type BalancePoint = z.infer<typeof BalancePoint>;

/** A part of the ledger bar; `width` in percent of its full length. */
const Bar = z.object({
  point_id: z.nullable(Id),
  name: z.string(),
  amount: Amount,
  width: z.number(),
});

export const causeKinds = [
  "ratio",
  "phase",
  "replacement",
  "fell",
  "shift",
  "missing_point",
  "missing_device",
  "no_data",
  "estimated",
  "losses",
] as const;
export type CauseKind = (typeof causeKinds)[number];
export const causeActions = ["point", "device", "readings", "request", "group"] as const;

const BalanceCause = z.object({
  kind: z.enum(causeKinds),
  point_id: z.nullable(Id),
  device_id: z.nullable(Id),
  name: z.string(),
  amount: Amount.check(z.describe("part of the imbalance that it explains, about")),
  share: MaybePercent.check(z.describe("of the imbalance, percent")),
  severity: z.enum(["alarm", "warn"]),
  text: z.string(),
  action: z.enum(causeActions),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type BalanceCause = z.infer<typeof BalanceCause>;

export const Balance = z.object({
  group: z.omit(BalanceGroup, { points: true }),
  total: PeriodSums,
  shares: z.object({ out: MaybePercent, losses: MaybePercent }).check(z.describe("percent of in")),
  counts: z.object({ in: z.int(), out: z.int(), loss: z.int() }).check(z.describe("points by role")),
  state_text: z.string(),
  closed: z
    .array(
      z.object({
        ...closedDays,
        differing: z.int().check(z.describe("points of the group that are billed otherwise")),
        text: z.string(),
      }),
    )
    .check(
      z.describe("closed periods that lie within the days as a whole; the balance is of the present data"),
    ),
  since_day: z.nullable(Day).check(z.describe("since when it does not close")),
  limit: z.object({
    percent: Percent,
    amount: MaybeAmount,
    over: MaybeAmount.check(z.describe("by how much the imbalance is beyond the limit")),
  }),
  coverage: z.object({
    points: z.int(),
    incomplete_points: z.int(),
    interpolated_points: z
      .int()
      .check(z.describe("whose days are divided between readings more than six hours apart")),
    covered_percent: Percent,
    missing_sec: z.int(),
    text: z.string(),
    is_one_zone: z.boolean().check(z.describe("false: days of the points begin at different times")),
  }),
  ledger: z.object({
    in: z.array(Bar),
    out: z.array(Bar),
    losses: z.nullable(Bar),
    imbalance: z.nullable(Bar),
    limit_at: z.nullable(z.number()).check(z.describe("place of the limit on the bar, percent")),
  }),
  points: z.array(BalancePoint),
  days: z.array(BalanceDay),
  months: z.array(PeriodSums),
  causes: z.array(BalanceCause),
  rest: z.nullable(
    z.object({
      amount: Amount,
      error: Amount.check(z.describe("of the class of the meters")),
      accuracy_class: z.number(),
      is_within: z.boolean(),
      text: z.string(),
    }),
  ),
});
export type Balance = z.infer<typeof Balance>;
