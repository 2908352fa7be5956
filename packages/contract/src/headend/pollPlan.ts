import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id, paged, Seconds } from "../core/values.ts";
import { DeviceIds } from "./tasks.ts";

/** What a line does: it polls a device, its devices wait or are polled later, or it cannot poll any. */
export const lineStates = ["running", "waiting", "planned", "stopped"] as const;

/** Why a line does nothing now, or why its end is not known. */
export const planReasons = [
  "queue",
  "schedule",
  "lent",
  "not_connected",
  "no_port",
  "no_address",
  "switched_off",
  "nothing_due",
  "not_measured",
] as const;

/** Devices that one plan covers: those whose poll is next. */
export const planLimits = { devices: 10_000 } as const;

const PlanLine = z.object({
  line: z.string().check(z.describe("empty: devices without a line")),
  gateway: z.nullable(z.object({ id: Id, name: z.string() })),
  state: z.enum(lineStates),
  reason: z.nullable(z.enum(planReasons)),
  device_count: z.int().check(z.describe("devices of the plan on this line")),
  left_count: z.int().check(z.describe("devices still to be polled in this round")),
  waiting_count: z.int().check(z.describe("of these, devices whose request waits for the line already")),
  off_count: z.int().check(z.describe("devices that are not polled: they, their group or gateway are off")),
  silent_count: z.int().check(z.describe("devices that did not answer last time; polling them takes longer")),
  ahead_count: z.int().check(z.describe("requests to other devices of the line that are served first")),
  running: z.nullable(z.object({ device_id: Id, device_name: z.string(), started_at: Seconds })),
  starts_at: z.nullable(Seconds).check(z.describe("when the first of the remaining devices is polled")),
  ends_at: z
    .nullable(Seconds)
    .check(z.describe("when the last of them will have been polled; null: not known")),
  exchange_sec: z.nullable(z.number()).check(z.describe("usual time of an exchange, as measured")),
  load: z
    .nullable(z.number())
    .check(
      z.describe(
        "share of time that the line is busy when each device is polled at its interval; above 1 polls come late",
      ),
    ),
});
export type PlanLine = z.infer<typeof PlanLine>;

const Plan = z.object({
  at: Seconds,
  ends_at: z.nullable(Seconds).check(z.describe("end of the last line whose end is known")),
  device_count: z.int(),
  left_count: z.int(),
  unknown_count: z.int().check(z.describe("of the devices left, those on lines whose end is not known")),
  stopped_count: z.int().check(z.describe("devices that would be polled, but whose line cannot be used")),
  off_count: z.int(),
  states: z.record(z.enum(lineStates), z.int()).check(z.describe("number of lines by state")),
  lines: paged(PlanLine),
});
export type PollPlan = z.infer<typeof Plan>;

export const pollPlan = {
  get: call({
    id: "poll.plan",
    isOwn: true,
    method: "POST",
    path: "device/opros/plan",
    right: "4:read",
    reach: "branch",
    summary:
      "Plan of polling by line: what runs, what waits and why, and when it is done, from measured times. Of all devices, a group or some devices; as a campaign it says when all of them would be asked if they were now",
    body: z.object({
      poll_group_id: z.optional(Id),
      device_ids: z.optional(DeviceIds),
      is_campaign: z.optional(z.boolean()),
      page: z.optional(z.int().check(z.gte(1), z.lte(1_000_000))),
      per_page: z.optional(z.int().check(z.gte(1), z.lte(1_000))),
    }),
    reply: z.object({ plan: Plan }),
    problems: ["not_found"],
  }),
};
