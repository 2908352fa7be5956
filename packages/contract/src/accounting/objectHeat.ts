import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Seconds, NodeId } from "../core/values.ts";

/** Bounds of one calculation. */
export const heatBounds = { days: 1_100, points: 10_000, listed: 500 } as const;

const Exact = z.string().check(z.describe("exact decimal"));

const HeatOfPoint = z.object({
  accounting_point_id: z.int(),
  name: z.string(),
  object_name: z.string(),
  amount: z.nullable(Exact).check(z.describe("Gcal, ratio included; null: nothing is known")),
  covered_sec: z.number().check(z.describe("seconds of the period that the amount covers")),
  length_sec: z.number(),
});
export type HeatOfPoint = z.infer<typeof HeatOfPoint>;

/** Heat that a branch of the objects tree has consumed. */
export const objectHeat = {
  calculate: call({
    id: "object.heatCalculation",
    method: "POST",
    path: "objects/get_heat_calculation",
    right: "6:read|6:access_all",
    reach: "branch",
    summary:
      "Heat consumed at a node and below it in whole days of the company, by its heat points; what is missing is said",
    body: z.object({ object_id: NodeId, startDate: Seconds, stopDate: Seconds }),
    reply: z.object({
      from_day: z.string(),
      to_day: z.string().check(z.describe("inclusive")),
      unit: z.string(),
      is_too_large: z
        .boolean()
        .check(z.describe("the branch has too many heat points: nothing was computed")),
      amount: z.nullable(Exact).check(z.describe("sum of what is known; null: nothing is")),
      estimated: Exact.check(z.describe("part of it that rests on estimated values")),
      covered_sec: z.number().check(z.describe("of all points together")),
      length_sec: z.number(),
      point_count: z.int(),
      incomplete_count: z.int().check(z.describe("points of which something is missing")),
      points: z.array(HeatOfPoint).check(z.describe("the least covered first")),
    }),
    problems: ["not_found"],
  }),
};
