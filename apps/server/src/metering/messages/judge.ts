import { statuses, type FieldName } from "@metrum/vocabulary";
import { counterRange, growth, type CounterFacts } from "./growth.ts";
import { tsOfLatest, type Latest } from "./latest.ts";
import type { DeviceMetadata, FieldSet, Incoming } from "./types.ts";

const hour = 3600;
const day = 86_400;

/**
 * How long after its slot a message of this type is on time, in addition to the report period: by then its
 * period is over.
 */
const ownPeriodSec: Readonly<Record<number, number>> = { 5: day, 10: day, 100: day, 101: day, 103: 31 * day };

/**
 * Late: received more than two report periods and a quarter of an hour after the slot, plus the inherent
 * delay of archives and profiles (a day; a month for monthly ones). Only readings from the device itself can
 * be late.
 */
export function isLate(reading: Incoming, device: DeviceMetadata): boolean {
  if (reading.source !== "polled" && reading.source !== "pushed") return false;
  const grace = 2 * device.reportPeriodSec + hour / 4 + (ownPeriodSec[reading.msgType] ?? 0);
  return reading.receivedAt - reading.ts > grace;
}

/**
 * Counters with a decrease that is not a rollover. Each is compared with its own latest value, whatever its
 * status, so a meter that was reset is suspect once and not forever; a value older than the latest is not
 * compared.
 */
export function fallen(
  before: Latest | undefined,
  now: { readonly ts: number; readonly set: FieldSet; readonly v: readonly (number | null)[] },
  device: CounterFacts,
): readonly FieldName[] {
  if (!before) return [];
  let names: FieldName[] | undefined;
  for (const at of now.set.counters) {
    const [earlier, value, name] = [before.v[at] ?? null, now.v[at] ?? null, now.set.fields[at]];
    if (earlier === null || value === null || name === undefined || value >= earlier) continue;
    if (tsOfLatest(before, name) >= now.ts || !hasFallen({ name, earlier, value }, device)) continue;
    (names ??= []).push(name);
  }
  return names ?? nothing;
}

const nothing: readonly FieldName[] = [];

/** Whether the decrease between these two values can only be a reset, a replacement or a misreading. */
export function hasFallen(
  of: { readonly name: FieldName; readonly earlier: number; readonly value: number },
  device: CounterFacts,
): boolean {
  return growth(of.earlier, of.value, counterRange(device, of.name)) === null;
}

/** Status of a reading without an explicit one, apart from decreased counters. */
export function statusOf(reading: Incoming, device: DeviceMetadata): number {
  if (reading.source === "manual") return statuses.manual.id;
  return isLate(reading, device) ? statuses.late.id : statuses.measured.id;
}
