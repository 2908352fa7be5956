import { problem } from "@metrum/contract/core";
import type { Days } from "./liveStore.ts";

/** `2026-11`. */
export type Month = string;

const indexOf = (month: Month): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;
const monthAt = (index: number): Month =>
  `${String(Math.floor(index / 12))}-${String((index % 12) + 1).padStart(2, "0")}`;

export const monthOfDay = (day: string): Month => day.slice(0, 7);

/** First and last day of a month. */
export function daysOfMonth(month: Month): Days {
  const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).getUTCDate();
  return { from_day: `${month}-01`, to_day: `${month}-${String(last)}` };
}

/** The month of an instant where it begins last: nowhere has it ended. */
export const monthOf = (at: number): Month => new Date(at * 1000).toISOString().slice(0, 7);

/** Months from the newest to the oldest, at least two and at most so many. */
export function monthsBack(newest: Month, oldest: Month, most: number): Month[] {
  const [from, to] = [indexOf(newest), indexOf(oldest)];
  return Array.from({ length: Math.max(2, Math.min(from - to + 1, most)) }, (_, at) => monthAt(from - at));
}

const mostAheadSec = 14 * 3600;
const mostBehindSec = 12 * 3600;

/** Epoch seconds between which a period lies in whatever zone. */
export const widestSpan = ({ from_day, to_day }: Days): { from: number; to: number } => ({
  from: Date.parse(`${from_day}T00:00:00Z`) / 1000 - mostAheadSec,
  to: Date.parse(`${to_day}T00:00:00Z`) / 1000 + 86_400 + mostBehindSec,
});

/** Whether the last day is over in the zone of every point that belongs to the period. */
export const isOver = (days: Days, ends: number | null, now: number): boolean =>
  now >= (ends ?? widestSpan(days).to);

/** A month whose first day no clock has reached. Problem: period_running. */
export function refuseFuture(days: Days, now: number): void {
  if (now < widestSpan(days).from) throw problem("period_running");
}
