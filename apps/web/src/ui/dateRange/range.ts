import { day, toLocal } from "#lib/format";
import { addDays, endOfDay, startOfDay, startOfMonth, startOfWeek, startOfYear } from "./zone.ts";

/** A period: first and last second, both inclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface RangeLimits {
  /** Longest distance from start to end, seconds; null is unlimited. */
  readonly maxSpan: number | null;
  readonly zone: string;
  readonly now: number;
}

/** 99 days: power profiles and the journal of a device. */
export const profileSpan = 8_553_600;

/** Longest span of a view. An archive type gives the days per request; one of them is kept in reserve. */
export function maxSpanOf(tab: string, maxPeriodDays: number | null): number | null {
  if (tab === "power_profiles" || tab === "journal_device") return profileSpan;
  return maxPeriodDays === null ? null : (maxPeriodDays - 1) * day;
}

/** Start of 1970 to the end of next year, in the zone. */
export function allowedRange({ zone, now }: Pick<RangeLimits, "zone" | "now">): Range {
  return { start: startOfYear(43_200, zone), end: startOfYear(now, zone, 2) - 1 };
}

/** Monday of last week to the end of today. */
export function defaultRange(limits: RangeLimits): Range {
  const start = addDays(startOfWeek(limits.now, limits.zone), -7, limits.zone);
  return fitRange(
    { start, end: endOfDay(limits.now, limits.zone) },
    "end",
    { start, end: start + day - 1 },
    limits,
  );
}

export interface Fitted extends Range {
  /** The end that was adjusted automatically. */
  readonly moved: "start" | "end" | null;
}

/**
 * Effect of changing one end on the other. Too long: the other end is set to exactly the longest span.
 * Negative: the previous length is kept, at least one day. Both stay within the allowed period.
 */
export function fitRange(next: Range, changed: "start" | "end", before: Range, limits: RangeLimits): Fitted {
  const allowed = allowedRange(limits);
  const clamp = (at: number) => Math.min(Math.max(at, allowed.start), allowed.end);
  const [start, end] = [clamp(next.start), clamp(next.end)];
  const longest = limits.maxSpan ?? Number.POSITIVE_INFINITY;
  const span = end - start;
  if (span >= 0 && span <= longest) return { start, end, moved: null };
  const length = span < 0 ? Math.min(Math.max(before.end - before.start, day - 1), longest) : longest;
  return changed === "start"
    ? { start, end: clamp(start + length), moved: "end" }
    : { start: clamp(end - length), end, moved: "start" };
}

export const presets = [
  "today",
  "yesterday",
  "thisWeek",
  "lastWeek",
  "last7",
  "thisMonth",
  "lastMonth",
  "last30",
  "thisYear",
  "lastYear",
] as const;
export type Preset = (typeof presets)[number];

export function presetRange(preset: Preset, zone: string, now: number): Range {
  const today = startOfDay(now, zone);
  const end = endOfDay(now, zone);
  const week = startOfWeek(now, zone);
  const lastDays = (days: number) => ({ start: addDays(today, 1 - days, zone), end });
  switch (preset) {
    case "today":
      return { start: today, end };
    case "yesterday":
      return { start: addDays(today, -1, zone), end: today - 1 };
    case "thisWeek":
      return { start: week, end: addDays(week, 7, zone) - 1 };
    case "lastWeek":
      return { start: addDays(week, -7, zone), end: week - 1 };
    case "last7":
      return lastDays(7);
    case "last30":
      return lastDays(30);
    case "thisMonth":
      return { start: startOfMonth(now, zone), end: startOfMonth(now, zone, 1) - 1 };
    case "lastMonth":
      return { start: startOfMonth(now, zone, -1), end: startOfMonth(now, zone) - 1 };
    case "thisYear":
      return { start: startOfYear(now, zone), end: startOfYear(now, zone, 1) - 1 };
    case "lastYear":
      return { start: startOfYear(now, zone, -1), end: startOfYear(now, zone) - 1 };
  }
}

/** Presets that fit into the longest span. */
export function presetsWithin(limits: RangeLimits): readonly Preset[] {
  return presets.filter((preset) => {
    const { start, end } = presetRange(preset, limits.zone, limits.now);
    return limits.maxSpan === null || end - start <= limits.maxSpan;
  });
}

/** The last whole days up to yesterday, in days of the calendar: 23, 24 or 25 hours. */
export function wholeDays(count: number, zone: string, now: number): Range {
  const today = startOfDay(now, zone);
  return { start: addDays(today, -count, zone), end: today - 1 };
}

/** The preset equal to this period, if any. */
export function presetOf(range: Range, zone: string, now: number): Preset | undefined {
  return presets.find((preset) => {
    const { start, end } = presetRange(preset, zone, now);
    return start === range.start && end === range.end;
  });
}

const months = (at: number, zone: string) => {
  const local = new Date(toLocal(at, zone) * 1000);
  return local.getUTCFullYear() * 12 + local.getUTCMonth();
};

/**
 * The previous or next period of the same length. Whole months step by months and whole days by calendar
 * days, so a clock change inside does not shift the ends off midnight.
 */
export function stepRange(range: Range, direction: -1 | 1, limits: RangeLimits): Range {
  const { zone } = limits;
  const next = range.end + 1;
  const moved = ((): Range => {
    if (startOfMonth(range.start, zone) === range.start && startOfMonth(next, zone) === next) {
      const count = (months(next, zone) - months(range.start, zone)) * direction;
      return { start: startOfMonth(range.start, zone, count), end: startOfMonth(next, zone, count) - 1 };
    }
    if (startOfDay(range.start, zone) === range.start && startOfDay(next, zone) === next) {
      const count = Math.round((toLocal(next, zone) - toLocal(range.start, zone)) / day) * direction;
      return { start: addDays(range.start, count, zone), end: addDays(next, count, zone) - 1 };
    }
    const span = (next - range.start) * direction;
    return { start: range.start + span, end: range.end + span };
  })();
  const allowed = allowedRange(limits);
  return moved.start < allowed.start || moved.end > allowed.end ? range : moved;
}

/** Calendar days that overlap the period. */
export function daysOf(range: Range, zone: string): number {
  const first = Math.floor(toLocal(range.start, zone) / day);
  return Math.floor(toLocal(range.end, zone) / day) - first + 1;
}
