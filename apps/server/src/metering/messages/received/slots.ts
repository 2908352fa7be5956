import { dayOf, startOfDay, type Day } from "#core";

/**
 * How often a row of a message type is due: half-hours, a number of hours of the calendar day, a calendar day
 * (with `days`: a row covers that many days), a calendar month.
 */
export type Grid =
  | { readonly kind: "half-hours" }
  | { readonly kind: "hours"; readonly hours: number }
  | { readonly kind: "days"; readonly days: number }
  | { readonly kind: "months" };

/** A slot in which a row is due; `since` is the earliest time of its row. Epoch seconds, ends exclusive. */
export interface Slot {
  readonly from: number;
  readonly to: number;
  readonly since: number;
}

/** From..to, both in epoch seconds, the end exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Overlapping and adjacent spans as one, oldest first. */
export function united(spans: readonly Span[]): Span[] {
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

/** Maximum number of days examined: ten years. */
const mostDays = 3_660;
const hourSec = 3600;
const halfHourSec = 1800;
/** Divisors of a day, so that the slots of each day begin at its midnight. */
const partsOfDay = [1, 2, 3, 4, 6, 8, 12];

const fixed: Readonly<Record<number, Grid>> = {
  5: { kind: "half-hours" },
  100: { kind: "hours", hours: 1 },
  101: { kind: "days", days: 1 },
  103: { kind: "months" },
};
/** Alarms, service messages and journals are sent on events: none is ever due. */
const unasked = new Set([3, 6, 7]);

/**
 * The grid by which a message type of a device is judged; null: rows of the type are never due. Profiles and
 * archives have their own, readings that of the device's period: a device that reports every minute is judged
 * by hours, one that reports every five hours by the next divisor of a day (six), one that reports weekly has
 * a week's grace on each day.
 */
export function gridOf(
  msgType: number,
  given: { readonly reportPeriodSec: number; readonly profile?: 30 | 60 | undefined },
): Grid | null {
  if (unasked.has(msgType)) return null;
  if (msgType === 5 && given.profile === 60) return { kind: "hours", hours: 1 };
  const own = fixed[msgType];
  if (own) return own;
  const hours = Math.max(1, Math.ceil(given.reportPeriodSec / hourSec));
  const part = partsOfDay.find((each) => each >= hours);
  return part === undefined ? { kind: "days", days: Math.ceil(hours / 24) } : { kind: "hours", hours: part };
}

/**
 * The slots entirely within a range, oldest first; of more than ten years only the end. Days are those of the
 * zone.
 */
export function slotsOf(grid: Grid, zone: string, span: Span): Slot[] {
  const last = dayOf(zone, span.to - 1);
  const first = Math.max(dayOf(zone, span.from), last - mostDays);
  const slots: Slot[] = [];
  let start = startOfDay(zone, first);
  for (let day = first; day <= last; day++) {
    const end = startOfDay(zone, day + 1);
    slots.push(...slotsOfDay(grid, zone, { day, start, end }));
    start = end;
  }
  return slots.filter(({ from, to }) => from >= span.from && to <= span.to);
}

interface DaySpan {
  readonly day: Day;
  readonly start: number;
  readonly end: number;
}

function slotsOfDay(grid: Grid, zone: string, { day, start, end }: DaySpan): Slot[] {
  switch (grid.kind) {
    case "half-hours":
      return parts(start, end, halfHourSec);
    case "hours":
      return parts(start, end, grid.hours * hourSec);
    case "days":
      return [{ from: start, to: end, since: startOfDay(zone, day - grid.days + 1) }];
    case "months":
      return isFirstOfMonth(day) ? [monthFrom(zone, day, start)] : [];
  }
}

function parts(start: number, end: number, step: number): Slot[] {
  const slots: Slot[] = [];
  for (let from = start; from < end; from += step)
    slots.push({ from, to: Math.min(end, from + step), since: from });
  return slots;
}

const dateOf = (day: Day): Date => new Date(day * 86_400_000);
const isFirstOfMonth = (day: Day): boolean => dateOf(day).getUTCDate() === 1;

function monthFrom(zone: string, day: Day, start: number): Slot {
  const date = dateOf(day);
  const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 86_400_000;
  return { from: start, to: startOfDay(zone, next), since: start };
}
