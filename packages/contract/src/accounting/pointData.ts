import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id, listInput, paged, Seconds } from "../core/values.ts";
import { MessagesReply, shaping } from "../metering/readings.ts";

const reads = "6:read|6:access_all";

/** Points, days and rows of one answer of validated profiles. */
export const validatedProfileBounds = { points: 100, days: 366, rows: 50_000 } as const;

const Power = z.nullable(z.number());

/** Mean power of an interval of a point, from trusted values alone, with the ratio valid then. */
const ValidatedRow = z.object({
  accounting_point_id: Id,
  device_id: Id,
  datetime: Seconds,
  power_a_plus: Power,
  power_a_minus: Power,
  power_r_plus: Power,
  power_r_minus: Power,
  ratio: z.number(),
  loss_factor: z.nullable(z.number()),
  status: z.string(),
  source: z.string(),
});

/** A reading of a point that waits for a decision or was refused. */
const RejectedRow = z.object({
  accounting_point_id: Id,
  accounting_point: z.string(),
  device_id: Id,
  device: z.string(),
  deviceID: z.string(),
  msg_type: z.int(),
  datetime: Seconds,
  created_at: Seconds,
  field: z.string(),
  value: z.nullable(z.number()),
  unit: z.string(),
  status: z.enum(["suspect", "rejected"]),
  source: z.string(),
});

/** Readings of points, whichever devices have sent them. */
export const pointData = {
  messages: call({
    id: "point.messages",
    rows: "data",
    isPeriod: true,
    method: "POST",
    path: "objects/accounting_point/messages",
    right: reads,
    reach: "branch",
    summary: "Messages of all devices that measured a point, each within its interval",
    body: z.object({
      accounting_point_id: Id,
      startDate: Seconds,
      stopDate: Seconds.check(z.describe("inclusive")),
      ...shaping,
      msgType: z.int().check(z.gte(1), z.lte(32_767)),
      msgGroup: z.optional(z.literal([0, 1])),
      tab: z.optional(z.string().check(z.maxLength(50))),
      is_energy: z.optional(z.boolean()),
      extra_fields: z.optional(z.array(z.string().check(z.maxLength(50))).check(z.maxLength(100))),
    }),
    reply: MessagesReply,
    problems: ["not_found"],
  }),
  validatedPowerProfile: call({
    id: "point.validatedPowerProfile",
    method: "POST",
    path: "objects/accounting_point/company/validated/power_profile",
    right: reads,
    reach: "branch",
    summary: "Power profiles of points from trusted values alone; without ids those of the first 100 by name",
    body: z.object({
      accounting_point_ids: z.optional(z.array(Id).check(z.maxLength(validatedProfileBounds.points))),
      startDate: Seconds,
      stopDate: Seconds.check(z.describe("inclusive")),
      profile_type: z.optional(z.literal([30, 60])),
      with_loss_factor: z.optional(z.boolean()),
    }),
    reply: z.array(ValidatedRow),
    problems: ["not_found", "too_large"],
  }),
  rejectedData: call({
    id: "point.rejectedData",
    rows: "data",
    method: "POST",
    path: "objects/accounting_point/company/rejected_data",
    right: reads,
    reach: "branch",
    summary: "Readings of points that are suspect or rejected, newest first; by default of the last 31 days",
    body: z.object({
      page: listInput.page,
      per_page: listInput.per_page,
      sort: listInput.sort,
      sort_field: z.optional(z.enum(["datetime", "accounting_point", "device"])),
      search_string: listInput.search_string,
      paginate: z.optional(z.boolean()),
      startDate: z.optional(Seconds),
      stopDate: z.optional(Seconds),
      accounting_point_id: z.optional(Id),
      status: z.optional(z.array(z.enum(["suspect", "rejected"]))),
    }),
    reply: paged(RejectedRow),
    problems: ["not_found"],
  }),
};
