import { NodeId } from "../core/values.ts";
import { z } from "zod/mini";
import { call } from "../core/call.ts";

/** Bounds of one calculation: points, and days of points with those that it is compared with. */
export const consumptionBounds = { points: 10_000, pointDays: 700_000 } as const;

export const consumptionPeriods = ["week", "month", "year"] as const;
export type ConsumptionPeriod = (typeof consumptionPeriods)[number];

const Day = z.string().check(z.describe("2026-11-01; inclusive"));
const Exact = z.string().check(z.describe("exact decimal"));

const ConsumptionPart = z.object({
  day: z.string().check(z.describe("first day of the part")),
  amount: z.nullable(Exact).check(z.describe("of what is known; null: nothing is")),
  whole_count: z.int().check(z.describe("points of which nothing is missing in the part")),
});
export type ConsumptionPart = z.infer<typeof ConsumptionPart>;

const TypeConsumption = z.object({
  resource_type_id: z.int(),
  title: z.string(),
  unit: z.string(),
  amount: z.nullable(Exact).check(z.describe("sum of what is known, ratios included; null: nothing is")),
  estimated: Exact.check(z.describe("part of it that rests on estimated values")),
  point_count: z.int(),
  whole_count: z.int().check(z.describe("points of which nothing is missing in the period")),
  change_percent: z
    .nullable(z.number())
    .check(
      z.describe("against the period before, over the points that are whole in both; null: there are none"),
    ),
  compared_count: z.int().check(z.describe("points that `change_percent` compares")),
  parts: z.array(ConsumptionPart).check(z.describe("the whole period in its order")),
});
export type TypeConsumption = z.infer<typeof TypeConsumption>;

/** What the points of a branch of the objects tree have consumed. */
export const objectConsumption = {
  calculate: call({
    id: "object.consumption",
    method: "POST",
    path: "objects/consumption",
    isOwn: true,
    right: "6:read|6:access_all",
    reach: "branch",
    summary:
      "Consumption at a node and below it until yesterday, by type of point, against the same days before; what is missing is said",
    body: z.object({ object_id: NodeId, period: z.enum(consumptionPeriods) }),
    reply: z.object({
      from_day: Day,
      to_day: Day,
      before_from_day: Day,
      before_to_day: Day,
      step: z.enum(["day", "month"]),
      is_too_large: z.boolean().check(z.describe("the branch has too many points: nothing was computed")),
      types: z.array(TypeConsumption).check(z.describe("in the order of the types of points")),
    }),
    problems: ["not_found"],
  }),
};
