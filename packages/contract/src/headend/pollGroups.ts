import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { notYet } from "../core/notYet.ts";
import { BoundedObject, Id, IdText, listInput, Nothing, paged, Seconds, ShortText } from "../core/values.ts";

/** Intervals of a poll group, in seconds. */
export const pollIntervals = [
  60, 300, 900, 1800, 3600, 7200, 10_800, 14_400, 21_600, 43_200, 86_400, 172_800, 259_200, 604_800,
  1_209_600, 2_592_000,
] as const;

/** By how many minutes the polls of a group can be shifted against the full interval. */
export const timeShifts = [30, 60] as const;

/** Poll groups of a company, and devices of one group. */
export const pollGroupLimits = { groups: 1000, devices: 10_000 } as const;

/** Interval of the power profile that is read; no other is supported yet. */
const profileMinutes = 30;

const oneOf = (values: readonly number[], message: string) =>
  z.int().check(z.refine((value) => values.includes(value), message));

const Name = ShortText.check(z.minLength(1, "required"));

const PollParams = z.object({
  time_shift: z
    .optional(oneOf([0, ...timeShifts], "range"))
    .check(z.describe("minutes by which a poll is shifted after the full interval")),
});

const AutoloadParams = z.object({
  is_active: z.optional(z.boolean()).check(z.describe("missing intervals of the archives are read")),
  depth_days: z
    .optional(z.int().check(z.gte(1), z.lte(36_500)))
    .check(z.describe("how far back; absent: as far as the archive of the meter reaches")),
});

const SelectedData = z.object({
  now_value: z.optional(z.boolean()).check(z.describe("false: no current values")),
  archives: z
    .optional(z.array(z.int().check(z.gte(1), z.lte(32_767))).check(z.maxLength(50)))
    .check(z.describe("message types of the archives that are read; absent: all")),
});
export type SelectedData = z.infer<typeof SelectedData>;

const PollGroup = z.object({
  id: Id,
  name: z.string(),
  model_id: Id,
  model_title: z.string(),
  connection_type: z.string(),
  device_interface_id: Id,
  poll_params: PollParams,
  autoload_params: AutoloadParams,
  selected_data: SelectedData,
  is_active: z.boolean(),
  poll_one: z.boolean(),
  report_period_update: z.int(),
  warning_report_period: z.int(),
  device_ids: z.array(Id),
  device_count: z.int(),
  last_run_at: z.nullable(Seconds),
  next_run_at: z.nullable(Seconds),
  answered_count: z.int().check(z.describe("devices whose last poll succeeded")),
  success_rate: z.nullable(z.number()).check(z.describe("their share, 0 to 1; null before the first poll")),
});
export type PollGroup = z.infer<typeof PollGroup>;

const DeviceIds = z.array(Id).check(z.maxLength(pollGroupLimits.devices));

/** Fields that may be changed; the model and the connection of a group may not. */
const changeable = {
  name: z.optional(Name),
  poll_params: z.optional(PollParams),
  autoload_params: z.optional(AutoloadParams),
  selected_data: z.optional(SelectedData),
  is_active: z.optional(z.boolean()),
  poll_one: z.optional(z.boolean()).check(z.describe("true: each device is polled once, not repeatedly")),
  report_period_update: z.optional(oneOf(pollIntervals, "range")),
  warning_report_period: z.optional(z.int().check(z.gte(60), z.lte(366 * 86_400))),
  device_ids: z.optional(DeviceIds),
  service_params: notYet(BoundedObject, {
    refused: { depth: 1 },
    asksNothing: (given) => Object.keys(given).length === 0,
  }),
  averaging_pp: notYet(z.nullable(z.int()), {
    refused: 60,
    asksNothing: (given) => given === null || given === profileMinutes,
  }),
};

const Reply = z.object({ poll_group: PollGroup });

export const pollGroups = {
  list: call({
    id: "pollGroup.list",
    rows: "data",
    method: "POST",
    path: "device/opros/group/list",
    right: "4:read",
    reach: "branch",
    summary: "Poll groups by name, with the outcome of the last poll of their devices",
    body: z.object({
      page: listInput.page,
      per_page: listInput.per_page,
      perPage: listInput.per_page,
      search_string: listInput.search_string,
      is_active: z.optional(z.boolean()),
      model_id: z.optional(z.array(Id).check(z.maxLength(100))),
    }),
    reply: z.extend(paged(PollGroup), {
      counts: z
        .object({ all: z.int(), active: z.int() })
        .check(z.describe("of all groups that the session sees, whatever the filter")),
    }),
  }),
  get: call({
    id: "pollGroup.get",
    method: "GET",
    path: "device/opros/group/:id",
    right: "4:read",
    reach: "branch",
    summary: "A poll group with its devices",
    params: z.object({ id: IdText }),
    reply: Reply,
    problems: ["not_found"],
  }),
  create: call({
    id: "pollGroup.create",
    method: "POST",
    path: "device/opros/group/create",
    right: "4:create|4:access_all",
    reach: "branch",
    summary: "Makes a poll group of devices of one model; a device leaves its former group",
    body: z.object({
      ...changeable,
      name: Name,
      model_id: Id,
      connection_type: z.optional(z.enum(["polled"])),
      device_interface_id: Id,
      report_period_update: oneOf(pollIntervals, "range"),
    }),
    reply: Reply,
    isOnce: true,
    problems: ["not_found", "poll_group_limit", "demo_refused"],
  }),
  update: call({
    id: "pollGroup.update",
    method: "PUT",
    path: "device/opros/group/update",
    right: "4:update|4:access_all",
    reach: "branch",
    summary: "Changes a poll group; with device_ids these are its devices from now on",
    body: z.object({ id: Id, ...changeable }),
    reply: Reply,
    problems: ["not_found", "demo_refused"],
  }),
  switch: call({
    id: "pollGroup.switch",
    method: "PUT",
    path: "device/opros/group/switch",
    right: "4:update|4:access_all",
    reach: "branch",
    summary: "Switches the polling of a group on or off",
    body: z.object({ id: Id, is_active: z.boolean() }),
    reply: Nothing,
    problems: ["not_found", "demo_refused"],
  }),
  replace: call({
    id: "pollGroup.replace",
    method: "POST",
    path: "device/opros/group/replace",
    right: "4:update|4:access_all",
    reach: "branch",
    summary: "Moves devices to a poll group",
    body: z.object({ device_ids: DeviceIds.check(z.minLength(1)), poll_group_id: Id }),
    reply: Nothing,
    problems: ["not_found", "device_in_trash", "demo_refused"],
  }),
  delete: call({
    id: "pollGroup.delete",
    method: "DELETE",
    path: "device/opros/group/delete/:id",
    right: "4:delete|4:access_all",
    reach: "branch",
    summary: "Deletes a poll group; its devices keep their periods and are polled by themselves",
    params: z.object({ id: IdText }),
    reply: Nothing,
    problems: ["not_found", "demo_refused"],
  }),
};
