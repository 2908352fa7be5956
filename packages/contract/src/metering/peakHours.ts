import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { PeakHours, type PeakRange } from "../access/company.ts";
import { IdText } from "../core/values.ts";

/** Non-overlapping ranges in the order of the day. */
export function areOrdered(ranges: readonly PeakRange[]): boolean {
  return ranges.every(({ start, stop }, at) => start < stop && (ranges[at - 1]?.stop ?? -Infinity) <= start);
}

/** A list names each month at most once; months without peak hours may be omitted. */
export const PeakHoursList = z.array(PeakHours).check(
  z.maxLength(12),
  z.refine((list) => list.every(({ ranges }) => areOrdered(ranges)), "hours_order"),
  z.refine((list) => new Set(list.map(({ month }) => month)).size === list.length, "month_twice"),
);

/** The peak hours of a region in both price zones. */
export const RegionPeakHours = z.object({ price_0: PeakHoursList, price_1: PeakHoursList });
export type RegionPeakHours = z.infer<typeof RegionPeakHours>;

export const peakHours = {
  default: call({
    id: "peakHours.default",
    method: "GET",
    path: "default_peak_hours",
    right: null,
    reach: "common",
    summary: "Default peak hours by region and price zone, with their source",
    reply: z.object({
      peak_hours_each_month_by_regions_id: z.record(z.string(), RegionPeakHours),
      regions: z.array(z.object({ id: z.int(), title: z.string(), source: z.string() })),
    }),
  }),
  set: call({
    id: "peakHours.set",
    method: "POST",
    path: "company/:id/peak_hours",
    right: "admin",
    reach: "company",
    summary: "Saves the company's own peak hours; the list is the body itself or under peak_hours",
    params: z.object({ id: IdText }),
    body: z.union([PeakHoursList, z.object({ peak_hours: PeakHoursList })]),
    reply: z.object({ peak_hours: z.array(PeakHours) }),
    problems: ["not_found", "demo_refused"],
  }),
};
