import { z } from "zod/mini";
import {
  Balance,
  balanceLimits,
  balanceRoles,
  BalanceGroup,
  HalfHour,
  ListedBalanceGroup,
  lossRules,
  PeriodSums,
  sums,
  type LossRule,
} from "./balanceFields.ts";
import { Amount, Percent } from "../core/amounts.ts";
import { call } from "../core/call.ts";
import { Day, Id, IdText, listInput, Nothing, paged, Seconds, ShortText } from "../core/values.ts";

const Ids = z.array(Id).check(z.maxLength(balanceLimits.points));
const Formula = z.array(
  z.object({
    point_id: Id,
    role: z._default(z.enum(balanceRoles), "out"),
    coefficient: z.optional(
      z.number().check(
        z.gte(-10_000),
        z.lte(10_000),
        z.refine((value) => value !== 0, "range"),
      ),
    ),
    from_day: z.optional(z.nullable(Day)),
    to_day: z.optional(z.nullable(Day)),
  }),
);

/** Fields of a group. Points come as ids by role, or in detail; a point of both has what `points` says. */
const fields = {
  name: z.optional(ShortText.check(z.minLength(1, "required"))),
  resource_type_id: z.optional(z.int().check(z.gte(1), z.lte(9))),
  allowed_imbalance: z.optional(z.number().check(z.gte(0), z.lte(100))),
  loss_rule: z.optional(z.enum(Object.keys(lossRules) as [LossRule, ...LossRule[]])),
  loss_value: z.optional(z.nullable(z.number().check(z.gte(0), z.lte(1e9)))),
  comment: z.optional(z.string().check(z.trim(), z.maxLength(2000))),
  input_point_ids: z.optional(Ids),
  output_point_ids: z.optional(Ids),
  loss_point_ids: z.optional(Ids),
  points: z.optional(Formula.check(z.maxLength(balanceLimits.points))),
};

const Reply = z.object({ balance_group: BalanceGroup });
const params = z.object({ id: IdText });
const period = {
  startDate: Seconds,
  stopDate: Seconds.check(z.describe("the day that contains the second before it is the last one")),
};
const SecondsText = z.pipe(
  z.string().check(z.regex(/^-?\d{1,12}$/)),
  z.pipe(
    z.transform((given: string) => Number(given)),
    Seconds,
  ),
);

const ReportRow = z.object({
  section: z.string(),
  name: z.string(),
  device: z.string(),
  amount: z.nullable(Amount),
  unit: z.string(),
  percent: z.nullable(Percent),
  in: z
    .nullable(Amount)
    .check(z.describe("of a day or month, as out and losses; its amount is the imbalance")),
  out: z.nullable(Amount),
  losses: z.nullable(Amount),
  note: z.string(),
});
export type BalanceReportRow = z.infer<typeof ReportRow>;

export const balances = {
  list: call({
    id: "balance.list",
    rows: "balance_groups.data",
    method: "POST",
    path: "balance/groups",
    right: "6:read",
    reach: "branch",
    summary: "Balance groups with the result of the last full month",
    body: z.object({
      page: listInput.page,
      per_page: listInput.per_page,
      perPage: listInput.per_page,
      paginate: z.optional(z.boolean()),
      sort: listInput.sort,
      sort_field: z.optional(z.enum(["name", "resource_type_id", "allowed_imbalance", "point_count"])),
      search_string: listInput.search_string,
      search: listInput.search_string,
      resource_type_id: z.optional(z.array(z.int()).check(z.maxLength(20))),
    }),
    reply: z.object({ balance_groups: paged(ListedBalanceGroup) }),
  }),
  get: call({
    id: "balance.get",
    method: "GET",
    path: "balance/group/:id",
    right: "6:read",
    reach: "branch",
    summary: "A balance group with its formula",
    params,
    reply: Reply,
    problems: ["not_found"],
  }),
  create: call({
    id: "balance.create",
    method: "POST",
    path: "balance/group/create",
    right: "6:create",
    reach: "branch",
    summary: "Makes a balance group of points of one resource",
    body: z.object({ ...fields, name: ShortText.check(z.minLength(1, "required")) }),
    reply: Reply,
    isOnce: true,
    problems: ["not_found", "balance_group_limit", "balance_member_limit", "demo_refused"],
  }),
  update: call({
    id: "balance.update",
    method: "PUT",
    path: "balance/group/:id",
    right: "6:update",
    reach: "branch",
    summary: "Changes a balance group; a given list replaces the points of its role, `points` all of them",
    params,
    body: z.object({
      ...fields,
      version: z.optional(z.int()).check(z.describe("refused with conflict if the group has another")),
    }),
    reply: Reply,
    problems: ["not_found", "conflict", "balance_member_limit", "demo_refused"],
  }),
  delete: call({
    id: "balance.delete",
    method: "DELETE",
    path: "balance/group/:id",
    right: "6:delete",
    reach: "branch",
    summary: "Deletes a balance group; its points stay",
    params,
    reply: Nothing,
    problems: ["not_found", "demo_refused"],
  }),
  noBalance: call({
    id: "balance.noBalance",
    method: "GET",
    path: "balance/group/:id/get_no_balance",
    right: "6:read",
    reach: "branch",
    summary: "Imbalance of a period, its months and days; by default the last full month",
    params,
    query: z.object({ startDate: z.optional(SecondsText), stopDate: z.optional(SecondsText) }),
    reply: z.object({
      unit: z.string(),
      total: PeriodSums,
      months: z.array(PeriodSums),
      days: z.array(z.object({ day: Day, ...sums })),
    }),
    problems: ["not_found"],
  }),
  compute: call({
    id: "balance.compute",
    method: "POST",
    path: "balance/group/:id/data",
    right: "6:read",
    reach: "branch",
    summary: "Balance of a period by point, day and month, with its coverage and the ranked causes",
    params,
    body: z.object(period),
    reply: z.object({ balance: Balance }),
    problems: ["not_found"],
  }),
  halfHours: call({
    id: "balance.halfHours",
    isOwn: true,
    method: "POST",
    path: "balance/group/:id/half_hours",
    right: "6:read",
    reach: "branch",
    summary: "Balance of electricity by half-hour, from trusted power profiles; empty for other resources",
    params,
    body: z.object(period),
    reply: z.object({ unit: z.string(), half_hours: z.array(HalfHour) }),
    problems: ["not_found", "too_large"],
  }),
  report: call({
    id: "balance.report",
    reach: "branch",
    rows: "report.data",
    ownFile: {
      isUsual: true,
      title: { ru: "Баланс", en: "Balance", mn: "Баланс" },
      columns: [
        { title: { ru: "Раздел", en: "Section", mn: "Хэсэг" }, of: "section" },
        { title: { ru: "Название", en: "Name", mn: "Нэр" }, of: "name" },
        { title: { ru: "Прибор", en: "Device", mn: "Төхөөрөмж" }, of: "device" },
        { title: { ru: "Количество", en: "Amount", mn: "Хэмжээ" }, of: "amount" },
        { title: { ru: "Единица", en: "Unit", mn: "Нэгж" }, of: "unit" },
        { title: { ru: "% входа", en: "% of in", mn: "Оролтын %" }, of: "percent" },
        { title: { ru: "Вход", en: "In", mn: "Оролт" }, of: "in" },
        { title: { ru: "Выход", en: "Out", mn: "Гаралт" }, of: "out" },
        { title: { ru: "Потери", en: "Losses", mn: "Алдагдал" }, of: "losses" },
        { title: { ru: "Примечание", en: "Note", mn: "Тайлбар" }, of: "note" },
      ],
    },
    method: "POST",
    path: "report/balance/group/:id/create",
    right: "6:read",
    summary: "The balance of a period as a spreadsheet: head, points, days, causes, coverage",
    params,
    body: z.object({
      ...period,
      format: z
        .optional(z.enum(["xlsx", "csv", "json"]))
        .check(z.describe("default: xlsx; json: the rows of the sheet")),
    }),
    reply: z.object({
      report: z.object({ data: z.array(ReportRow), total: z.int() }),
    }),
    problems: ["not_found"],
  }),
};
