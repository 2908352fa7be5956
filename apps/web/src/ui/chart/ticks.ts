import { formatTime, toLocal } from "#lib/format";
import { addDays, startOfDay, startOfMonth, startOfWeek, startOfYear } from "#ui/dateRange";

const hour = 3600;
const steps = [60, 300, 900, 1800, hour, 3 * hour, 6 * hour, 12 * hour] as const;

/** Unit of a tick of the time axis, which determines its label. */
export type TickUnit = "minute" | "hour" | "day" | "week" | "month" | "year";

export interface Ticks {
  readonly unit: TickUnit;
  readonly at: readonly number[];
}

function walk(first: number, to: number, next: (at: number) => number): number[] {
  const found: number[] = [];
  for (let at = first; at <= to && found.length < 400; at = next(at)) found.push(at);
  return found;
}

function unitFor(span: number, room: number): { unit: TickUnit; count: number } {
  const day = 86_400;
  const within = (step: number) => span / step <= room;
  const short = steps.find(within);
  if (short !== undefined) return { unit: short < hour ? "minute" : "hour", count: short };
  if (within(day)) return { unit: "day", count: 1 };
  if (within(2 * day)) return { unit: "day", count: 2 };
  if (within(7 * day)) return { unit: "week", count: 1 };
  if (within(14 * day)) return { unit: "week", count: 2 };
  const months = [1, 2, 3, 6].find((each) => within(each * 30 * day));
  return months === undefined ? { unit: "year", count: 1 } : { unit: "month", count: months };
}

/** Ticks of the time axis on the calendar of the zone, at most about `room` of them. */
export function timeTicks(from: number, to: number, zone: string, room: number): Ticks {
  const { unit, count } = unitFor(to - from, Math.max(2, room));
  const inside = (all: readonly number[]) => ({ unit, at: all.filter((at) => at >= from && at <= to) });
  switch (unit) {
    case "minute":
    case "hour": {
      const midnight = startOfDay(from, zone);
      // Counted from each midnight, so that a day of 23 or 25 hours does not shift the ticks of the next.
      const marks = walk(midnight, to, (at) => {
        const next = at + count;
        const tomorrow = addDays(startOfDay(at, zone), 1, zone);
        return next > tomorrow ? tomorrow : next;
      });
      return inside(marks);
    }
    case "day":
      return inside(walk(startOfDay(from, zone), to, (at) => addDays(at, count, zone)));
    case "week":
      return inside(walk(startOfWeek(from, zone), to, (at) => addDays(at, count * 7, zone)));
    case "month":
      return inside(walk(startOfMonth(from, zone), to, (at) => startOfMonth(at, zone, count)));
    case "year":
      return inside(walk(startOfYear(from, zone), to, (at) => startOfYear(at, zone, 1)));
  }
}

const two = (value: number) => String(value).padStart(2, "0");

/**
 * "14.11" with a weekday, "12:00", "11.2026": as the unit requires. `weekday` names a day of the week, Monday
 * is 0.
 */
export function tickText(at: number, unit: TickUnit, zone: string, weekday: (day: number) => string): string {
  const local = new Date(toLocal(at, zone) * 1000);
  const date = `${two(local.getUTCDate())}.${two(local.getUTCMonth() + 1)}`;
  switch (unit) {
    case "minute":
    case "hour":
      return local.getUTCHours() === 0 && local.getUTCMinutes() === 0 ? date : formatTime(at, zone);
    case "day":
      return `${weekday((local.getUTCDay() + 6) % 7)} ${date}`;
    case "week":
      return date;
    case "month":
      return `${two(local.getUTCMonth() + 1)}.${String(local.getUTCFullYear())}`;
    case "year":
      return String(local.getUTCFullYear());
  }
}

/** Round ticks of the value axis. */
export function valueTicks(min: number, max: number, room: number): readonly number[] {
  const span = max - min;
  if (!(span > 0)) return [min];
  const rough = span / Math.max(1, room);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((each) => each * power >= rough) ?? 10) * power;
  const first = Math.ceil(min / step - 1e-9);
  const last = Math.floor(max / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

/** Decimals of the finest tick: all labels of an axis have as many. */
export function decimalsOf(ticks: readonly number[]): number {
  return Math.max(0, ...ticks.map((each) => String(each).split(".")[1]?.length ?? 0));
}

/** Range of the value axis: from zero if the data permit, with a margin above. */
export function valueRange(min: number, max: number, fromZero: boolean): readonly [number, number] {
  if (!Number.isFinite(min) || !Number.isFinite(max)) return [0, 1];
  const low = fromZero ? Math.min(0, min) : min;
  const high = fromZero ? Math.max(0, max) : max;
  if (low === high)
    return [low - Math.max(1, Math.abs(low) * 0.05), high + Math.max(1, Math.abs(high) * 0.05)];
  const air = (high - low) * 0.08;
  return [low < 0 || !fromZero ? low - air : low, high > 0 || !fromZero ? high + air : high];
}
