import type { KeptArchive } from "@metrum/protocols";

type Period = KeptArchive["period"];

const daySec = 86_400;
const hourSec = 3600;
/** Journals have no slots; asked about once an hour. */
const eventsSec = hourSec;

export const periodSecOf = (period: Period): number =>
  period === "month" ? 30 * daySec : period === "events" ? eventsSec : period;

/**
 * How far from its slot a row may stand and still be that of the slot: meters begin their days and months at an hour and on a day that
 * somebody has set. Shorter periods stand on their grid, whatever the clock.
 */
export const toleranceSecOf = (period: Period): number =>
  period === "month" ? 15 * daySec - 1 : period !== "events" && period >= daySec ? period / 2 - 1 : 0;

/** Message types whose slot is the beginning of an interval; that of the others is the moment at which the values held. */
const isInterval = ({ msgType }: KeptArchive): boolean => msgType === 5 || msgType === 10;

export interface SlotSpan {
  /** First slot that may be given, inclusive, and the moment by which the last one must have closed. Epoch seconds UTC. */
  readonly from: number;
  readonly closedBy: number;
  /** Standard time of the place: days and months begin by it. */
  readonly offsetSec: number;
}

/** The slots that an archive has in a span, oldest first; `most` at most. */
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

/** The slots that have no row; both lists oldest first. */
export function withoutRow(slots: readonly number[], stored: readonly number[], period: Period): number[] {
  const tolerance = toleranceSecOf(period);
  let at = 0;
  return slots.filter((slot) => {
    while ((stored[at] ?? Infinity) < slot - tolerance) at += 1;
    return (stored[at] ?? Infinity) > slot + tolerance;
  });
}
