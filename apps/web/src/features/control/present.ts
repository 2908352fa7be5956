import { tariffKeys, type TariffKey, type TariffSchedule } from "@metrum/vocabulary";
import type { SpecialDaysValue } from "./schedules/SpecialDaysCard.tsx";

/** What a device has told of itself: `status` of a device. */
export type Status = Readonly<Record<string, unknown>>;

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");
const isObject = (value: unknown): value is Status => typeof value === "object" && value !== null;

/** The tariffs in a value, if it has some. */
export function scheduleIn(value: unknown): TariffSchedule | undefined {
  if (!isObject(value)) return undefined;
  const found: Partial<Record<TariffKey, readonly string[]>> = {};
  for (const key of tariffKeys) {
    const times = value[key];
    if (isTexts(times)) found[key] = times;
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

/** The tariff schedule of a device, if it was read. */
export const presentTariffs = (status: Status): TariffSchedule | undefined =>
  scheduleIn(status["last_shedule_tariff"]);

/** The special days of a device, if they were read. */
export function presentDays(status: Status): SpecialDaysValue | undefined {
  const { last_special_shedule_day: days, last_special_shedule_tariff: tariffs } = status;
  return isTexts(days) ? { day_list: days, shedule: scheduleIn(tariffs) ?? {} } : undefined;
}

/** The special days in the arguments of a command. */
export function daysIn(value: unknown): SpecialDaysValue | undefined {
  if (!isObject(value) || !isTexts(value["day_list"])) return undefined;
  return { day_list: value["day_list"], shedule: scheduleIn(value["shedule"]) ?? {} };
}
