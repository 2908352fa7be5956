import { modelById } from "@metrum/catalogue";
import { history } from "@metrum/simulator";
import type { Services } from "#core";
import { dayOf, offsetSec, startOfDay } from "#core";
import { ingest, type Incoming } from "#messages";
import type { SeededDevice } from "./catalogue.ts";

const hourSec = 3600;
const halfHourSec = 1800;
const historyDays = 90;
/** Half-hour power and the readings as they were polled reach less far back: archives carry the rest. */
const profileDays = 30;
const readingsDays = 14;
const batchSize = 5_000;

const readingsType = 1;
const profileType = 5;
const hourlyType = 100;
const dailyType = 101;

/**
 * What the devices said before the installation existed: 90 days of hourly and daily archives, 30 days of half-hour power,
 * with the gaps that lives have. Goes through the same door as everything else, as imported. Live readings continue it
 * without a step. Returns the number of readings.
 */
export async function seedHistory(
  services: Services,
  devices: readonly SeededDevice[],
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
    // The next batch is made while this one is written.
    if (pending.size > 1) await Promise.race(pending);
  };
  for (const device of devices)
    for (const reading of readingsOf(device, now, zone)) {
      batch.push(reading);
      if (batch.length >= batchSize) await flush();
    }
  await flush();
  await Promise.all(pending);
  return total;
}

function* readingsOf({ id, planned }: SeededDevice, now: number, zone: string): Generator<Incoming> {
  const daysAgo = (days: number): number => startOfDay(zone, dayOf(zone, now) - days);
  const from = daysAgo(historyDays);
  const model = modelById(planned.modelId);
  const profileFrom = model?.kind === "meter" ? model.profileFrom : undefined;
  const midnights = new Set(Array.from({ length: historyDays + 1 }, (_, days) => daysAgo(days)));
  // The park lives by the same clock, so that its counters go on where these end.
  const utcOffsetSec = offsetSec(zone, now);
  const stepSec = profileFrom ? halfHourSec : hourSec;
  const [profileSince, readingsSince] = [daysAgo(profileDays), daysAgo(readingsDays)];
  let before: Counted | undefined;

  const common = { deviceId: id, receivedAt: now, source: "imported", status: "measured" } as const;
  for (const { at, msgType, values } of history(planned, { from, to: now, stepSec, utcOffsetSec })) {
    if (at === null) continue;
    const isHour = at % hourSec === 0;
    if (isHour && at >= readingsSince) yield { ...common, msgType, ts: at, values };
    if (msgType !== readingsType) continue;
    if (isHour) yield { ...common, msgType: hourlyType, ts: at, values };
    if (midnights.has(at)) yield { ...common, msgType: dailyType, ts: at, values };
    const counted = countedAt(at, profileFrom && values[profileFrom]);
    const power = counted && powerUntil(before, counted);
    if (power && power.ts >= profileSince) yield { ...common, msgType: profileType, ...power };
    before = counted;
  }
}

interface Counted {
  readonly at: number;
  readonly value: number;
}

const countedAt = (at: number, value: number | null | undefined): Counted | undefined =>
  typeof value === "number" ? { at, value } : undefined;

/** Average power of the half-hour that ends now; it stands at its start, and only where both ends were read. */
function powerUntil(before: Counted | undefined, now: Counted) {
  if (before?.at !== now.at - halfHourSec) return undefined;
  return { ts: before.at, values: { power_a_plus: Number(((now.value - before.value) * 2).toFixed(6)) } };
}
