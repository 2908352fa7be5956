import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Day, Id, listInput, Month, paged, Seconds, ShortText } from "../core/values.ts";
import {
  estimationMethods,
  validationBounds,
  validationKinds,
  validationOutcomes,
  validationUnits,
} from "./validationKinds.ts";

const kind = z.enum(validationKinds);
const method = z.enum(estimationMethods);
const resource = z.enum(["water", "gas", "heat", "electricity", "substance", "sensor", "other"]);
const words = z.string();

const ExceptionRow = z.object({
  id: Id,
  kind,
  kind_title: words,
  summary: words.check(z.describe("what the rule saw, in the language of the call")),
  device_id: Id,
  device_name: z.string(),
  deviceID: z.string(),
  point_id: z.nullable(Id),
  point_name: z.nullable(z.string()),
  place: z.string(),
  field: z.string(),
  msgType: z.int(),
  startDate: Seconds,
  stopDate: Seconds,
  values: z.int(),
  found_at: Seconds,
  outcome: z.nullable(z.enum(validationOutcomes)),
  outcome_reason: z.nullable(words).check(z.describe("why it closed by itself, in words")),
  closed_at: z.nullable(Seconds),
  closed_by: z.nullable(z.string()),
  comments: z.int(),
});
export type ValidationException = z.infer<typeof ExceptionRow>;

const filter = {
  search_string: listInput.search_string,
  startDate: z.optional(Seconds).check(z.describe("the values overlap this period")),
  stopDate: z.optional(Seconds),
  month: z
    .optional(Month)
    .check(z.describe("the values overlap this month in the zone of the point that they measure")),
  state: z.optional(z.enum(["open", "closed"])).check(z.describe("default: open")),
  kind: z.optional(kind),
  object_ids: z.optional(z.array(Id).check(z.maxLength(1_000))).check(z.describe("branches of the tree")),
};

/** Exceptions of a decision: some, or all open ones that match a filter, 500 a call, the oldest first. */
const Chosen = {
  exception_ids: z.optional(z.array(Id).check(z.minLength(1), z.maxLength(validationBounds.decided))),
  filter: z.optional(z.object(filter)),
};

const Line = z.object({ state: z.enum(["ok", "warn", "info"]), text: words });
const Moment = z.object({ at: Seconds, value: z.nullable(z.number()) });

const Change = z.object({
  period: z.enum(["day", "month"]),
  startDate: Seconds,
  stopDate: Seconds,
  before: z.nullable(z.string()).check(z.describe("exact decimal; null: nothing is known")),
  after: z.nullable(z.string()),
  change: z.nullable(z.string()),
  is_lower: z.boolean(),
});

const BalanceChange = z.object({
  balance_group_id: Id,
  name: z.string(),
  before: z.nullable(z.number()).check(z.describe("imbalance; null: no day can be compared")),
  after: z.nullable(z.number()),
  change: z.nullable(z.number()),
  before_percent: z.nullable(z.number()),
  after_percent: z.nullable(z.number()),
  allowed_percent: z.number(),
  is_within: z.nullable(z.boolean()).check(z.describe("after: within the allowed imbalance")),
});

const Opened = z.object({
  exception: ExceptionRow,
  limit: words.check(z.describe("the limit of the rule with its numbers, in words")),
  facts: z.object({
    highest: z.nullable(z.number()),
    usual: z.nullable(z.number()),
    limit: z.nullable(z.number()),
    ratio: z.number(),
    clock_offset: z.nullable(z.number()),
    in_30_days: z.int().check(z.describe("findings of this rule at this register in 30 days")),
    consumer: z.nullable(z.object({ id: Id, name: z.string() })),
    model: z.string(),
  }),
  closed_period: z
    .nullable(z.object({ id: Id, from_day: Day, to_day: Day }))
    .check(z.describe("bills these values: none of them can be changed")),
  evidence: z.array(Line).check(z.describe("other evidence: register of the day, events, clock, neighbours")),
  unit: words,
  decimals: z.int().check(z.describe("of every amount of the answer")),
  zone: z.string(),
  chart: z.object({
    window: z.enum(["around", "day", "week", "month"]),
    startDate: Seconds,
    stopDate: Seconds,
    stepSec: z.int(),
    measured: z.array(Moment).check(z.describe("consumption by step; null where it is not known")),
    suspect: z.array(Moment),
    estimate: z.array(Moment),
    limit: z.nullable(z.number()),
    marks: z.array(z.object({ at: Seconds, text: words })),
  }),
  proposal: z.nullable(
    z.object({
      method,
      text: words.check(z.describe("how the values were estimated, in words")),
      total: z.string(),
      methods: z.array(z.object({ method, title: words, is_possible: z.boolean() })),
    }),
  ),
  changes: z.array(Change),
  balances: z
    .array(BalanceChange)
    .check(z.describe("balance groups of the point, by the same month; at most 5")),
  steps: z.array(
    z.object({
      at: Seconds,
      by: z.nullable(z.string()),
      action: z.enum(["accept", "reject", "estimate", "ask", "comment", "undo", "gone", "returned"]),
      text: z.string(),
    }),
  ),
  can: z.object({
    accept: z.boolean(),
    reject: z.boolean(),
    estimate: z.boolean(),
    ask: z.boolean(),
    undo: z.boolean(),
  }),
  decides: z
    .nullable(z.object({ accept: words, reject: words }))
    .check(z.describe("what a decision does, of values that contradict each other")),
});
export type OpenedException = z.infer<typeof Opened>;

const Parameters = z.record(z.string().check(z.maxLength(32)), z.number().check(z.gte(0), z.lte(1e9)));
/** What a rule is for: at most one of these; none: every device of the company. */
const scope = {
  resource: z.optional(z.nullable(resource)),
  model_id: z.optional(z.nullable(Id)),
  point_id: z.optional(z.nullable(Id)),
};

const RuleParameter = z.object({
  name: z.string(),
  title: words,
  unit: z.enum(validationUnits),
  min: z.number(),
  max: z.number(),
  step: z.number(),
  usual: z.record(z.string(), z.number()).check(z.describe("by resource")),
});
const OwnRule = z.object({
  kind,
  resource: z.nullable(resource),
  model_id: z.nullable(Id),
  model_title: z.nullable(z.string()),
  point_id: z.nullable(Id),
  point_name: z.nullable(z.string()),
  is_on: z.boolean(),
  parameters: z.record(z.string(), z.number()),
});
export type ValidationRule = z.infer<typeof OwnRule>;
const RuleKind = z.object({
  kind,
  title: words,
  about: words,
  parameters: z.array(RuleParameter),
  is_on: z.record(z.string(), z.boolean()).check(z.describe("without an own rule, by resource")),
});
export type ValidationRuleKind = z.infer<typeof RuleKind>;

const held = {
  source: z
    .enum(["default", "company", "resource", "model", "point"])
    .check(z.describe("where it comes from: the default of the platform, or an own rule of this level")),
  source_title: z.nullable(z.string()).check(z.describe("title of the model that it comes from")),
  is_on: z.boolean(),
  parameters: z.record(z.string(), z.number()).check(z.describe("all of the kind")),
};
const HoldingRule = z.object({
  kind,
  is_own: z.boolean().check(z.describe("this resource, model or point has a rule of its own")),
  ...held,
  inherited: z.object(held).check(z.describe("what holds without the own rule")),
});
export type HoldingRule = z.infer<typeof HoldingRule>;

const own = { method: "POST", isOwn: true } as const;
const decided = z.object({
  decided: z.int(),
  left: z.int().check(z.describe("open exceptions that match the filter and remain")),
});
const problems = [
  "not_found",
  "demo_refused",
  "validation_closed",
  "validation_too_large",
  "period_closed",
] as const;

/** Values that a rule doubts, until a person has decided or later data have removed the cause. */
export const validation = {
  list: call({
    ...own,
    id: "validation.list",
    rows: "exceptions.data",
    path: "objects/validation/list",
    right: "6:read|6:access_all",
    reach: "branch",
    summary: "Exceptions of the validation rules, the newest first",
    body: z.object({ ...filter, page: listInput.page, per_page: listInput.per_page, sort: listInput.sort }),
    reply: z.object({ exceptions: paged(ExceptionRow) }),
    problems: ["not_found"],
  }),
  summary: call({
    ...own,
    id: "validation.summary",
    path: "objects/validation/summary",
    right: "6:read|6:access_all",
    reach: "branch",
    summary: "Number of exceptions by rule, with the same filter as the list",
    body: z.object(filter),
    reply: z.object({
      groups: z.array(
        z.object({
          kind,
          title: words,
          count: z.int(),
          not_kept: z.int().check(z.describe("findings beyond the bound of open ones, only counted")),
        }),
      ),
      open: z.int(),
      closed_today: z.int(),
      oldest_at: z.nullable(Seconds).check(z.describe("when the oldest open exception was found")),
    }),
    problems: ["not_found"],
  }),
  get: call({
    ...own,
    id: "validation.get",
    path: "objects/validation/get",
    right: "6:read|6:access_all",
    reach: "branch",
    summary: "One exception with its evidence, the proposed estimate, and what changes if it is used",
    body: z.object({
      exception_id: Id,
      window: z.optional(z.enum(["around", "day", "week", "month"])),
      method: z.optional(method),
      amount: z
        .optional(z.number().check(z.gte(0), z.lte(1e12)))
        .check(z.describe("consumption of the span, for the method given")),
    }),
    reply: Opened,
    problems: ["not_found", "estimate_impossible"],
  }),
  accept: call({
    ...own,
    id: "validation.accept",
    path: "objects/validation/accept",
    right: "6:update|6:access_all",
    reach: "branch",
    summary: "Confirms the values: the rule stays silent for them",
    body: z.object({ ...Chosen, reason: z.optional(ShortText) }),
    reply: decided,
    problems,
  }),
  reject: call({
    ...own,
    id: "validation.reject",
    path: "objects/validation/reject",
    right: "6:update|6:access_all",
    reach: "branch",
    summary: "Refuses the values: they enter no sum, and leave a gap",
    body: z.object({ ...Chosen, reason: z.optional(ShortText) }),
    reply: decided,
    problems,
  }),
  estimate: call({
    ...own,
    id: "validation.estimate",
    path: "objects/validation/estimate",
    right: "6:update|6:access_all",
    reach: "branch",
    summary: "Uses estimates instead of the values; measured values that come later replace them",
    body: z.object({
      ...Chosen,
      method: z.optional(method).check(z.describe("default: the proposed one of each exception")),
      amount: z
        .optional(z.number().check(z.gte(0), z.lte(1e12)))
        .check(z.describe("consumption of the span; the method given needs it")),
      reason: z.optional(ShortText),
    }),
    reply: decided,
    problems,
  }),
  ask: call({
    ...own,
    id: "validation.ask",
    path: "objects/validation/ask",
    right: "6:update&(4:read|4:access_all)",
    reach: "branch",
    summary: "Requests exactly these values from the meters again",
    body: z.object(Chosen),
    reply: z.object({ asked: z.int(), refused: z.int(), task_ids: z.array(Id) }),
    problems: ["not_found", "licence_expired", "task_limit", "demo_refused"],
  }),
  comment: call({
    ...own,
    id: "validation.comment",
    path: "objects/validation/comment",
    right: "6:update|6:access_all",
    reach: "branch",
    isOnce: true,
    summary: "Adds a comment to an exception",
    body: z.object({
      exception_id: Id,
      text: z.string().check(z.trim(), z.minLength(1), z.maxLength(1_000)),
    }),
    reply: z.object({ comments: z.int() }),
    problems: ["not_found", "too_many_comments", "demo_refused"],
  }),
  undo: call({
    ...own,
    id: "validation.undo",
    path: "objects/validation/undo",
    right: "6:update|6:access_all",
    reach: "branch",
    summary: "Takes a decision back: the values stand as before it, and the exception is open again",
    body: z.object({ exception_id: Id }),
    reply: z.object({
      restored: z.nullable(z.int()).check(z.describe("values; null: there was no decision")),
    }),
    problems: ["not_found", "demo_refused", "period_closed"],
  }),
  rules: call({
    ...own,
    id: "validation.rules",
    path: "objects/validation/rules",
    right: "6:read|6:access_all",
    reach: "branch",
    summary:
      "Kinds of rules with their parameters, the own rules of the company, and those that hold for a resource, a model or a point",
    body: z.object(scope),
    reply: z.object({
      kinds: z.array(RuleKind),
      rules: z.array(OwnRule),
      resource: z.nullable(resource).check(z.describe("that is judged; null: nothing was named")),
      holding: z.array(HoldingRule).check(z.describe("by kind; empty: nothing was named")),
    }),
    problems: ["not_found", "wrong_input"],
  }),
  saveRule: call({
    ...own,
    id: "validation.saveRule",
    path: "objects/validation/rule/save",
    right: "6:update|6:access_all",
    reach: "branch",
    summary: "Switches a rule for the company, a resource, a model or a point, and sets its parameters",
    body: z.object({ kind, ...scope, is_on: z.boolean(), parameters: Parameters }),
    reply: z.object({ rules: z.array(OwnRule) }),
    problems: ["not_found", "tied_devices_only", "wrong_input", "rule_limit", "demo_refused"],
  }),
  resetRule: call({
    ...own,
    id: "validation.resetRule",
    path: "objects/validation/rule/reset",
    right: "6:update|6:access_all",
    reach: "branch",
    summary: "Removes an own rule: the next wider one or the default holds again",
    body: z.object({ kind, ...scope }),
    reply: z.object({ rules: z.array(OwnRule) }),
    problems: ["not_found", "tied_devices_only", "demo_refused"],
  }),
};
