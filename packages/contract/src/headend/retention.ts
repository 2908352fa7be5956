import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Seconds } from "../core/values.ts";

/**
 * Data stored in addition to the readings: exchanges with devices byte by byte, replaced values, quarantine,
 * tasks of devices, the log of the company.
 */
export const retentionKinds = ["exchanges", "revisions", "quarantine", "tasks", "audit"] as const;
export type RetentionKind = (typeof retentionKinds)[number];

/** Kinds with a configurable retention; the audit log is kept for three years. */
export const chosenKinds = ["exchanges", "revisions", "quarantine", "tasks"] as const;

export const retentionMonths = { least: 1, most: 600 } as const;

const Months = z.nullable(z.int().check(z.gte(retentionMonths.least), z.lte(retentionMonths.most)));
const months = "whole months; null: for as long as the readings";

const Retention = z.object({
  kind: z.enum(retentionKinds),
  months: Months.check(z.describe(months)),
  default_months: Months,
  is_fixed: z.boolean().check(z.describe("the same for every company")),
  expired_before: z
    .nullable(Seconds)
    .check(z.describe("rows before this time were deleted by the policy; null: none")),
});
export type Retention = z.infer<typeof Retention>;

const Reply = z.object({ retention: z.array(Retention) });

export const retention = {
  get: call({
    id: "retention.get",
    isOwn: true,
    method: "GET",
    path: "company/retention",
    right: "admin",
    reach: "company",
    summary: "Retention of exchanges, revisions, quarantine, tasks and the audit log of the company",
    reply: Reply,
  }),
  set: call({
    id: "retention.set",
    isOwn: true,
    method: "PUT",
    path: "company/retention",
    right: "admin",
    reach: "company",
    summary: "Changes the retention of the company; with a shorter one, older rows are deleted within a day",
    body: z.object({
      exchanges: z.optional(Months).check(z.describe(months)),
      revisions: z.optional(Months),
      quarantine: z.optional(Months),
      tasks: z.optional(Months),
    }),
    reply: Reply,
    problems: ["demo_refused", "token_refused"],
  }),
};
