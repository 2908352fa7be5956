import { statuses } from "@metrum/vocabulary";
import type { DeviceFacts, FieldSet, Incoming } from "./types.ts";

const hour = 3600;
const day = 86_400;

/** How long after its slot a message of this type is still on time, besides the report period: by then its period is over. */
const ownPeriodSec: Readonly<Record<number, number>> = { 5: day, 10: day, 100: day, 101: day, 103: 31 * day };
const earliest = Date.UTC(2000, 0, 1) / 1000;

/** Before 2000 or more than 24 h ahead of its receipt: kept aside. */
export function isOutOfTime(reading: Incoming): boolean {
  const { ts, receivedAt } = reading;
  return !Number.isSafeInteger(ts) || ts < earliest || ts > receivedAt + day;
}

/**
 * Late: received more than two report periods and a quarter of an hour after the slot, beyond the span that archives and
 * profiles are by nature behind (a day; a month for monthly ones). Only what the device itself brought can be late.
 */
export function isLate(reading: Incoming, device: DeviceFacts): boolean {
  if (reading.source !== "polled" && reading.source !== "pushed") return false;
  const grace = 2 * device.reportPeriodSec + hour / 4 + (ownPeriodSec[reading.msgType] ?? 0);
  return reading.receivedAt - reading.ts > grace;
}

/** The newest known values of a device and message type: what the next row is held against. */
export interface Level {
  readonly ts: number;
  readonly set: FieldSet;
  readonly v: readonly (number | null)[];
}

/**
 * A counter that stands lower than before, unless its capacity explains it: it stood in the last tenth and now stands in
 * the first. Compared with the newest row whatever its status, so a meter that was reset is suspect once, not for ever.
 */
export function fellBack(
  before: Level,
  now: Omit<Level, "ts">,
  { counterCapacity, counterStart }: Pick<DeviceFacts, "counterCapacity" | "counterStart">,
): boolean {
  for (const at of now.set.counters) {
    const value = now.v[at] ?? null;
    const name = now.set.fields[at];
    const old = before.set === now.set ? at : name === undefined ? -1 : before.set.fields.indexOf(name);
    const earlier = before.v[old] ?? null;
    if (value === null || earlier === null) continue;
    // Floats of the same reading may differ in the last digits after a conversion of units.
    if (value >= earlier - Math.abs(earlier) * 1e-9) continue;
    const start = counterStart && counterStart.field === name ? counterStart.value : 0;
    if (isRollover(earlier - start, value - start, counterCapacity)) continue;
    return true;
  }
  return false;
}

/** Below zero no counter comes by rolling over; stored values are rounded to six decimals. */
function isRollover(earlier: number, value: number, capacity: number | undefined): boolean {
  return capacity !== undefined && earlier > capacity * 0.9 && value > -1e-6 && value < capacity * 0.1;
}

/** Status of a reading for which nobody has decided one. */
export function statusOf(reading: Incoming, device: DeviceFacts, hasFallen: boolean): number {
  if (reading.source === "manual") return statuses.manual.id;
  if (hasFallen) return statuses.suspect.id;
  return isLate(reading, device) ? statuses.late.id : statuses.measured.id;
}
