import { isClockTime, isDayOfYear, mostTariffTimes, tariffTimeFaults } from "@metrum/vocabulary";
import { z } from "zod/mini";
import { call } from "./call.ts";
import { Id, Nothing, Seconds } from "./values.ts";

const Times = z
  .array(z.string().check(z.refine(isClockTime, "format")))
  .check(z.minLength(1), z.maxLength(mostTariffTimes));

/** Times HH:mm, each the end of an interval of its tariff. */
export const TariffSchedule = z
  .strictObject({
    tariff0: Times,
    tariff1: z.optional(Times),
    tariff2: z.optional(Times),
    tariff3: z.optional(Times),
  })
  .check(({ value, issues }) => {
    for (const { key, at, fault } of tariffTimeFaults(value))
      issues.push({ code: "custom", path: [key, at], input: value[key]?.[at], message: fault });
  });
export type TariffSchedule = z.infer<typeof TariffSchedule>;

const sorted = (days: string[]): string[] => [...new Set(days)].sort();

/** Days of every year with a schedule of their own; a repeated day counts once. */
export const SpecialDays = z.strictObject({
  day_list: z
    .array(z.string().check(z.refine(isDayOfYear, "format")))
    .check(z.maxLength(1000), z.overwrite(sorted)),
  shedule: TariffSchedule,
});
export type SpecialDays = z.infer<typeof SpecialDays>;

const Whole = z.int().check(z.gte(0), z.lte(2_147_483_647));
/** A task of the scheduler of a device; the model narrows its numbers. */
export const SchedulerTask = z.strictObject({
  task_id: Whole,
  delay: Whole,
  ...{ param1: Whole, param2: Whole, param3: Whole, param4: Whole },
  ...{ param5: Whole, param6: Whole, param7: Whole, param8: Whole },
  profile: Whole,
  refresh: Whole,
});
export type SchedulerTask = z.infer<typeof SchedulerTask>;

const isOnce = (tasks: readonly SchedulerTask[]): boolean =>
  new Set(tasks.map(({ task_id }) => task_id)).size === tasks.length;

/** What a device is to have; a part that is absent is left to the device. */
export const ScheduleRules = z.strictObject({
  tariff: z.optional(TariffSchedule),
  special_days: z.optional(SpecialDays),
  tasks: z.optional(z.array(SchedulerTask).check(z.maxLength(256), z.refine(isOnce, "task_twice"))),
});
export type ScheduleRules = z.infer<typeof ScheduleRules>;

/** The stored schedule of a device, one each; its id is that of the device. */
export const DeviceSchedule = z.object({
  id: Id,
  device_id: Id,
  rules: ScheduleRules,
  saved_at: z.nullable(Seconds).check(z.describe("null: nothing is stored for the device")),
});
export type DeviceSchedule = z.infer<typeof DeviceSchedule>;

const refusals = ["not_found", "device_put_away", "demo_refused"] as const;

/** Schedules that users store for a device. Storing sends nothing: a command writes them into the device. */
export const schedules = {
  get: call({
    id: "schedule.get",
    method: "POST",
    path: "device/get_schedule",
    right: "4:read",
    reach: "branch",
    summary: "The stored schedule of a device: tariffs, special days, tasks of its scheduler",
    body: z.object({ device_id: Id }),
    reply: z.object({ schedule: DeviceSchedule }),
    problems: ["not_found"],
  }),
  save: call({
    id: "schedule.save",
    method: "POST",
    path: "device/save_schedule",
    right: "4:update|4:access_all",
    reach: "branch",
    summary: "Stores the schedule of a device in place of the present one",
    body: z.object({ device_id: Id, schedule: z.object({ rules: ScheduleRules }) }),
    reply: Nothing,
    problems: refusals,
  }),
  saveElectro: call({
    id: "schedule.saveElectro",
    method: "POST",
    path: "device/save_schedule_electro",
    right: "4:update|4:access_all",
    reach: "branch",
    summary: "Stores the tariff schedule of a device; special days and tasks stay",
    body: z.object({ device_id: Id, schedule_electro: TariffSchedule }),
    reply: Nothing,
    problems: refusals,
  }),
  saveSpecialDays: call({
    id: "schedule.saveSpecialDays",
    isOwn: true,
    method: "POST",
    path: "device/save_special_days",
    right: "4:update|4:access_all",
    reach: "branch",
    summary: "Stores the special days of a device; tariff schedule and tasks stay",
    body: z.object({ device_id: Id, special_days: SpecialDays }),
    reply: Nothing,
    problems: refusals,
  }),
  delete: call({
    id: "schedule.delete",
    method: "POST",
    path: "device/delete_schedule",
    right: "4:update|4:access_all",
    reach: "branch",
    summary: "Removes the stored schedule of a device; the device keeps its own",
    body: z.object({
      device_id: Id,
      schedule_id: z.optional(Id).check(z.describe("of the schedule of this device")),
    }),
    reply: Nothing,
    problems: refusals,
  }),
};
