import { statuses, type FieldName } from "@metrum/vocabulary";
import type { CounterRange, Point, StoredPoint } from "./counter.ts";
import { growth } from "./growth.ts";
import { tsOfLatest, type Latest } from "../latest/index.ts";
import {
  isTrusted,
  statusOfValue,
  type DeviceMetadata,
  type FieldSet,
  type Incoming,
} from "../rows/index.ts";

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
 * Counters with a decrease that is not a rollover, or a growth that nobody can have used. Each is compared with its own
 * latest value, whatever its status, so a meter that was reset is suspect once and not forever; a value older than the
 * latest is not compared. Whether a rollover or a growth fits the usual load is known by the range.
 */
export function contradicted(
  before: Latest | undefined,
  now: { readonly ts: number; readonly set: FieldSet; readonly v: readonly (number | null)[] },
  rangeOf: (name: FieldName) => CounterRange,
): readonly FieldName[] {
  if (!before) return [];
  let names: FieldName[] | undefined;
  for (const at of now.set.counters) {
    const [earlier, value, name] = [before.v[at] ?? null, now.v[at] ?? null, now.set.fields[at]];
    if (earlier === null || value === null || name === undefined) continue;
    const ts = tsOfLatest(before, name);
    if (ts >= now.ts) continue;
    const latest = { ts, value: earlier, status: statusOfValue(before, name) };
    if (follows(latest, { ts: now.ts, value }, rangeOf(name))) continue;
    (names ??= []).push(name);
  }
  return names ?? nothing;
}

/**
 * Whether a value can follow the latest one. After a doubted one a new load may have begun, so only a growth that no
 * meter can count is doubted; and what follows the last trusted value is right, for the doubted one was the odd one.
 */
export function follows(latest: StoredPoint, now: Point, range: CounterRange): boolean {
  if (isTrusted(latest.status)) return growth(latest, now, range) !== null;
  const isLower = now.value < latest.value;
  if (growth(latest, now, isLower ? range : { ...range, samplesAt: undefined }) !== null) return true;
  const trusted = range.samplesAt?.(latest.ts).at(-1);
  return trusted !== undefined && growth(trusted, now, range) !== null;
}

const nothing: readonly FieldName[] = [];

/** Status of a reading without an explicit one, apart from contradicted counters. */
export function statusOf(reading: Incoming, device: DeviceMetadata): number {
  if (reading.source === "manual") return statuses.manual.id;
  return isLate(reading, device) ? statuses.late.id : statuses.measured.id;
}
