import type { KeptArchive } from "@metrum/protocols/core";

type Period = KeptArchive["period"];

const daySec = 86_400;
const hourSec = 3600;
/** Journals have no slots; they are requested once an hour. */
const eventsSec = hourSec;

export const periodSecOf = (period: Period): number =>
  period === "month" ? 30 * daySec : period === "events" ? eventsSec : period;

/**
 * How far the time of a row may differ from its slot: the billing hour and day at which meters close days and
 * months are configurable. Shorter periods are on their grid, whatever the clock.
 */
export const toleranceSecOf = (period: Period): number =>
  period === "month" ? 15 * daySec - 1 : period !== "events" && period >= daySec ? period / 2 - 1 : 0;

/** Message types whose slot is the beginning of an interval; for others it is the time of the values. */
const isInterval = ({ msgType }: KeptArchive): boolean => msgType === 5 || msgType === 10;

export interface SlotSpan {
  /**
   * First slot requested, inclusive, and the time by which the last one must have closed. Epoch seconds UTC.
   */
  readonly from: number;
  readonly closedBy: number;
  /** Standard time of the location, by which days and months begin. */
  readonly offsetSec: number;
}

/** The slots of an archive in a range, oldest first; `most` at most. */
export function slotsOf(
  archive: KeptArchive,
  { from, closedBy, offsetSec }: SlotSpan,
  most: number,
): number[] {
  const { period } = archive;
  const last = closedBy - (isInterval(archive) ? periodSecOf(period) : 0);
  const slots: number[] = [];
  let local = firstSlot(period, from + offsetSec);
  while (local - offsetSec <= last && slots.length < most) {
    slots.push(local - offsetSec);
    local = period === "month" ? monthStart(local, 1) : local + periodSecOf(period);
  }
  return slots;
}

function firstSlot(period: Period, local: number): number {
  if (period !== "month") return Math.ceil(local / periodSecOf(period)) * periodSecOf(period);
  const start = monthStart(local, 0);
  return start === local ? start : monthStart(local, 1);
}

function monthStart(local: number, monthsOn: number): number {
  const date = new Date(local * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsOn, 1) / 1000;
}

/** The slots without a row; both lists oldest first. */
export function withoutRow(slots: readonly number[], stored: readonly number[], period: Period): number[] {
  const tolerance = toleranceSecOf(period);
  let at = 0;
  return slots.filter((slot) => {
    while ((stored[at] ?? Infinity) < slot - tolerance) at += 1;
    return (stored[at] ?? Infinity) > slot + tolerance;
  });
}
