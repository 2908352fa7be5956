import { modelById } from "@metrum/catalogue";
import { history } from "@metrum/simulator";
import type { MessageTypeId } from "@metrum/vocabulary";
import { dayOf, offsetSec, startOfDay, type Services } from "#core";
import { ingest, type Incoming } from "#metering/messages";
import { noteSerials } from "#metering/device-state";
import type { SeededDevice } from "./catalogue.ts";
import { foreignSerialOf, plantedAt, type Planting } from "./planted.ts";

const hourSec = 3600;
const halfHourSec = 1800;
export const historyDays = 90;
/** Half-hour power and polled readings cover a shorter time: archives cover the rest. */
const profileDays = 30;
const readingsDays = 14;
const batchSize = 5_000;

const readingsType = 1;
const instantType = 2;
const profileType = 5;
const hourlyType = 100;
const dailyType = 101;

/** When a device measured, of the time of the history: `since` inclusive, `until` exclusive. */
interface Span {
  readonly since?: number;
  readonly until?: number;
}

/** `without`: what of its time comes later. */
export interface Measured extends Span {
  readonly without?: Span;
}

const isWithin = (ts: number, { since = -Infinity, until = Infinity }: Span): boolean =>
  ts >= since && ts < until;

/**
 * History of the devices before the installation existed: 90 days of hourly and daily archives, 30 days of
 * half-hour power, with realistic gaps. Stored by ingest as imported data. Live readings continue it without
 * a step. Returns the number of readings.
 */
export async function seedHistory(
  services: Services,
  devices: readonly (SeededDevice & Measured)[],
  zone: string,
): Promise<number> {
  const now = services.clock.now();
  let batch: Incoming[] = [];
  let total = 0;
  const pending = new Set<Promise<unknown>>();
  const flush = async (): Promise<void> => {
    total += batch.length;
    const work = ingest(services, batch);
    batch = [];
    pending.add(work.finally(() => pending.delete(work)));
    // The next batch is created while this one is written.
    if (pending.size > 1) await Promise.race(pending);
  };
  for (const device of devices)
    for (const reading of readingsOf(device, { now, zone })) {
      const { ts } = reading;
      if (!isWithin(ts, { until: now, ...device }) || (device.without && isWithin(ts, device.without)))
        continue;
      batch.push(reading);
      if (batch.length >= batchSize) await flush();
    }
  await flush();
  await Promise.all(pending);
  for (const { id: deviceId, planned } of devices) {
    const { serial, at = [] } = foreignSerialOf(planned, { now, zone }) ?? {};
    for (const each of at)
      if (serial !== undefined) await noteSerials(services.database.system, [{ deviceId, serial, at: each }]);
  }
  return total;
}

interface Moment {
  readonly now: number;
  readonly zone: string;
}

const asItIs: Planting["counted"] = (_, values) => values;

/** What a device has measured, with the faults that are planted in it. */
function* readingsOf(device: SeededDevice, moment: Moment): Generator<Incoming> {
  const planting = plantedAt(device.planned, moment);
  for (const reading of measuredBy(device, moment, planting?.counted ?? asItIs)) {
    const received = planting ? planting.received(reading) : reading;
    if (received) yield received;
  }
}

/** Three passes, each over the days and at the step that it needs. */
function* measuredBy(
  { id, planned }: SeededDevice,
  { now, zone }: Moment,
  counted: Planting["counted"],
): Generator<Incoming> {
  const today = dayOf(zone, now);
  const daysAgo = (days: number): number => startOfDay(zone, today - days);
  // The park uses the same clock, so that its counters continue these.
  const walk = (days: number, stepSec: number, msgType: MessageTypeId) =>
    history(planned, {
      from: daysAgo(days),
      to: now,
      stepSec,
      utcOffsetSec: offsetSec(zone, now),
      msgTypes: [msgType],
    });
  const midnights = new Set(Array.from({ length: historyDays + 1 }, (_, days) => daysAgo(days)));
  const readingsFrom = daysAgo(readingsDays);
  const common = { deviceId: id, receivedAt: now, source: "imported", status: "measured" } as const;

  for (const { at, values: counters } of walk(historyDays, hourSec, readingsType)) {
    if (at === null) continue;
    const values = counted(at, counters);
    yield { ...common, msgType: hourlyType, ts: at, values };
    if (midnights.has(at)) yield { ...common, msgType: dailyType, ts: at, values };
    if (at >= readingsFrom) yield { ...common, msgType: readingsType, ts: at, values };
  }
  for (const { at, values } of walk(readingsDays, hourSec, instantType))
    if (at !== null) yield { ...common, msgType: instantType, ts: at, values };

  const model = modelById(planned.modelId);
  const profileFrom = model?.kind === "meter" ? model.profileFrom : undefined;
  if (!profileFrom) return;
  let before: Counted | undefined;
  for (const { at, values } of walk(profileDays, halfHourSec, readingsType)) {
    const told = at === null ? undefined : countedAt(at, counted(at, values)[profileFrom]);
    const power = told && powerUntil(before, told);
    if (power) yield { ...common, msgType: profileType, ...power };
    before = told;
  }
}

interface Counted {
  readonly at: number;
  readonly value: number;
}

const countedAt = (at: number, value: number | null | undefined): Counted | undefined =>
  typeof value === "number" ? { at, value } : undefined;

/** Average power of the half-hour that ends now; stamped with its start, and only if both ends were read. */
function powerUntil(before: Counted | undefined, now: Counted) {
  if (before?.at !== now.at - halfHourSec) return undefined;
  return { ts: before.at, values: { power_a_plus: Number(((now.value - before.value) * 2).toFixed(6)) } };
}
