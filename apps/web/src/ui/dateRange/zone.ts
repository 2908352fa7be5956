import { day, offsetAt, toLocal } from "#lib/format";

/**
 * The instant of a local time. An ambiguous one is the first; a skipped one is shifted by the clock change.
 */
export function fromLocal(local: number, zone: string): number {
  const before = offsetAt(local - day, zone);
  const after = offsetAt(local + day, zone);
  const fits = [before, after]
    .map((offset) => local - offset)
    .filter((at) => toLocal(at, zone) === local)
    .sort((a, b) => a - b);
  return fits[0] ?? local - before;
}

export function startOfDay(at: number, zone: string): number {
  return fromLocal(Math.floor(toLocal(at, zone) / day) * day, zone);
}

/** The last second of the day. */
export function endOfDay(at: number, zone: string): number {
  return addDays(startOfDay(at, zone), 1, zone) - 1;
}

/** The same local time some days later; of the first second of a day, that of the other day. */
export function addDays(at: number, days: number, zone: string): number {
  const local = toLocal(at, zone);
  const midnight = Math.floor(local / day) * day;
  // A day whose midnight the clocks leave out begins at one o'clock, and the next one does not.
  const face = fromLocal(midnight, zone) === at ? midnight : local;
  return fromLocal(face + days * day, zone);
}

/** Weeks start on Monday (UI-048). */
export function startOfWeek(at: number, zone: string): number {
  const weekday = (new Date(toLocal(at, zone) * 1000).getUTCDay() + 6) % 7;
  return addDays(startOfDay(at, zone), -weekday, zone);
}

/** First second of the month, `months` away. */
export function startOfMonth(at: number, zone: string, months = 0): number {
  const local = new Date(toLocal(at, zone) * 1000);
  return fromLocal(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + months, 1) / 1000, zone);
}

export function startOfYear(at: number, zone: string, years = 0): number {
  const local = new Date(toLocal(at, zone) * 1000);
  return fromLocal(Date.UTC(local.getUTCFullYear() + years, 0, 1) / 1000, zone);
}

interface Typed {
  readonly parts: readonly number[];
  readonly hasTime: boolean;
  readonly hasSeconds: boolean;
}

const clock = String.raw`(?:[ ,T]+(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?)?`;
const dayFirst = new RegExp(String.raw`^(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})${clock}$`);
const yearFirst = new RegExp(String.raw`^(\d{4})[./-](\d{1,2})[./-](\d{1,2})${clock}$`);

/** Year, month, day, hour, minute, second as written in the text. */
function readParts(text: string): Typed | undefined {
  const clean = text.replaceAll(/[\u00A0\u202F\u2009\s]+/g, " ").trim();
  const isDayFirst = dayFirst.test(clean);
  const [, first, month, third, ...time] = (isDayFirst ? dayFirst : yearFirst).exec(clean) ?? [];
  if (first === undefined) return undefined;
  const year = Number(isDayFirst ? third : first);
  const date = Number(isDayFirst ? first : third);
  return {
    parts: [
      year < 100 ? 2000 + year : year,
      Number(month),
      date,
      ...[0, 1, 2].map((at) => Number(time[at] ?? 0)),
    ],
    hasTime: time[0] !== undefined,
    hasSeconds: time[2] !== undefined,
  };
}

/** The same parts as a local time, unless there is no such day or hour. */
function faceOf([year = 0, month = 0, date = 0, hour = 0, minute = 0, second = 0]: readonly number[]):
  | number
  | undefined {
  const local = Date.UTC(year, month - 1, date, hour, minute, second);
  const back = new Date(local);
  const isReal =
    back.getUTCMonth() === month - 1 && back.getUTCDate() === date && back.getUTCHours() === hour;
  return isReal && minute < 60 && second < 60 ? local / 1000 : undefined;
}

/**
 * Parses a typed or pasted date: 14.11.2026 08:30, 14.11.2026, 14/11/26, 2026-11-14 08:30, with or without
 * seconds. A date without a time is the first second of the day, or the last when it is the end of a period.
 */
export function parseDateTime(
  text: string,
  zone: string,
  edge: "start" | "end" = "start",
): number | undefined {
  const typed = readParts(text);
  const face = typed && faceOf(typed.parts);
  if (!typed || face === undefined) return undefined;
  const at = fromLocal(face, zone);
  if (edge === "start") return at;
  if (!typed.hasTime) return endOfDay(at, zone);
  // The end is shown without seconds, so a typed 23:59 means that whole minute.
  return typed.hasSeconds ? at : at + 59;
}
