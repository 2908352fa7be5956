import { units, type Command, type Language, type TariffSchedule } from "@metrum/vocabulary";
import { formatNumber } from "#lib/format";
import { daysIn, scheduleIn } from "../present.ts";

/** The arguments of a command in words: choices, numbers, tariffs and days. */
export function detailsOf(command: Command, given: unknown, language: Language): string {
  if ("value" in command.arguments || typeof given !== "object" || given === null) return "";
  const days = daysIn(given);
  if (days) return [days.day_list.join(", "), timesOf(days.shedule)].filter(Boolean).join("; ");
  const schedule = scheduleIn(given);
  if (schedule) return timesOf(schedule);
  return command.arguments
    .flatMap((field) => {
      const value: unknown = Reflect.get(given, field.key);
      if (field.kind === "choice")
        return field.choices.find((each) => each.value === value)?.title[language] ?? [];
      if (field.kind === "number" && typeof value === "number")
        return `${formatNumber(value, language)} ${units[field.unit][language]}`.trim();
      return typeof value === "string" ? value : [];
    })
    .join(", ");
}

/** T1 23:00, T2 07:00: the ends of the intervals. */
const timesOf = (schedule: TariffSchedule): string =>
  Object.values(schedule)
    .flatMap((times, at) => (times && times.length > 0 ? [`T${String(at + 1)} ${times.join(" ")}`] : []))
    .join(", ");
