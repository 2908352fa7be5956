import { formatDate } from "#lib/format";

const daySec = 86_400;
const daysOfWeek = 7;
/** Weeks that the longest month touches: the calendar keeps its height. */
const weeksShown = 6;

/** Days are text, "2026-12-31"; their arithmetic is that of UTC, which has no clock changes. */
const secondsOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000;
const textOf = (at: number) => formatDate(at, "UTC").split(".").reverse().join("-");

export const addDays = (day: string, days: number): string => textOf(secondsOf(day) + days * daySec);

/** Days since Monday, the first day of a week (UI-048). */
export const weekdayOf = (day: string): number =>
  (new Date(secondsOf(day) * 1000).getUTCDay() + daysOfWeek - 1) % daysOfWeek;

/** The same day of another month, or the last one of a shorter month. */
export function addMonths(day: string, months: number): string {
  const first = new Date(secondsOf(`${day.slice(0, 7)}-01`) * 1000);
  const at = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + months, 1) / 1000;
  const next = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + months + 1, 1) / 1000;
  const wanted = at + (Number(day.slice(8)) - 1) * daySec;
  return textOf(Math.min(wanted, next - daySec));
}

/** Weeks from Monday that contain the month of a day, six in all. */
export function weeksOf(day: string): readonly (readonly string[])[] {
  const first = `${day.slice(0, 7)}-01`;
  const monday = addDays(first, -weekdayOf(first));
  return Array.from({ length: weeksShown }, (_, week) =>
    Array.from({ length: daysOfWeek }, (__, at) => addDays(monday, week * daysOfWeek + at)),
  );
}
