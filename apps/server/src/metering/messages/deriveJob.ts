import { modelById } from "@metrum/catalogue";
import { fields, type FieldName } from "@metrum/vocabulary";
import type { Services, Stop } from "#core";
import { derive, nearSec, type Counter } from "./derive.ts";
import { countFailure, forgetDue, giveBack, leaseDue, type Due } from "./deriveDueStore.ts";
import { firstDerivable, readingRows } from "./deriveStore.ts";
import { counterRange } from "./growth.ts";
import { readCalculated, removeStale, staleOf } from "./stale.ts";
import { trustedValues } from "./trust.ts";
import type { DeviceMetadata } from "./types.ts";
import { parseValues } from "./values.ts";

const readingsType = 1;
/**
 * A range is processed in parts of this length, so that ninety days of minutes are not loaded into memory at
 * once.
 */
const partSec = 7 * 86_400;
/** After this many parts or this time a device releases its range and waits for the others. */
const turn = { parts: 8, ms: 2_000 };
/** Much longer than a turn of all devices taken together. */
const leaseSec = 60;
const atOnce = 24;
/** Concurrent devices, each with one connection at a time: a quarter of the pool of a worker. */
const sideBySide = 4;
/** After this many failures a device is skipped until it is marked again. */
const mostAttempts = 3;
const pauseMs = 5_000;
/** Readings arrive in bursts: one run serves them. */
const gatherMs = 200;

/** Result of one run. */
interface Run {
  /** Devices that were taken. */
  readonly taken: number;
  /** Devices up to this id had a turn: the next run begins after it. */
  readonly after: number;
  /** More is due now. */
  readonly hasMore: boolean;
}

/**
 * Recomputes derived rows of the ranges that ingest has marked, and continues until the worker stops. A range
 * is leased for a minute and deleted only when its rows are stored and it was not marked again: a kill at any
 * time repeats work and loses none. Devices take turns in the order of their ids, so that neither a large
 * range nor frequent marks of some delay the others.
 */
export function startDeriving(services: Services): Stop {
  let isStopped = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Infinity;
  let hasNews = false;
  let after = 0;
  const plan = (afterMs: number): void => {
    const at = services.clock.monotonicMs() + afterMs;
    // New marks do not postpone a scheduled run; a run in progress schedules the next itself.
    if (isStopped || running || at >= dueAt) return;
    clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(run, afterMs);
  };
  const run = (): void => {
    dueAt = Infinity;
    let hasMore = false;
    running = runDue(services, { mayGoOn: () => !isStopped, after })
      .then(
        (done) => void ({ after, hasMore } = done),
        (error: unknown) =>
          services.log.warn({ err: error }, "derived rows could not be computed, trying again"),
      )
      .finally(() => {
        running = undefined;
        plan(hasMore ? 0 : hasNews ? gatherMs : pauseMs);
        hasNews = false;
      });
  };
  const stopListening = services.bus.on("readingsStored", (spans) => {
    if (!spans.some(({ msgType }) => msgType === readingsType)) return;
    hasNews = true;
    plan(gatherMs);
  });
  plan(0);
  return async () => {
    isStopped = true;
    stopListening();
    clearTimeout(timer);
    await running;
  };
}

/** One run over the due ranges; returns how many devices it took. Leases that have expired are released. */
export async function deriveDue(services: Services, mayGoOn: () => boolean = () => true): Promise<number> {
  return (await runDue(services, { mayGoOn, after: 0 })).taken;
}

async function runDue(
  services: Services,
  { mayGoOn, after }: { readonly mayGoOn: () => boolean; readonly after: number },
): Promise<Run> {
  const { pool } = services.database;
  const taken = await leaseDue(pool, { now: services.clock.now(), leaseSec, mostAttempts, atOnce, after });
  const metadata = await services.parts.readingStore.metadata.of(taken.map((row) => row.device_id));
  const waiting = [...taken];
  const work = async (): Promise<boolean> => {
    let hasRest = false;
    for (let due = waiting.shift(); due; due = waiting.shift()) {
      if (!mayGoOn()) await giveBack(pool, due);
      else if (!(await takeTurn(services, metadata.get(due.device_id), due))) hasRest = true;
    }
    return hasRest;
  };
  const rests = await Promise.all(Array.from({ length: sideBySide }, work));
  const isFull = taken.length === atOnce;
  const last = taken.reduce((largest, { device_id }) => Math.max(largest, device_id), 0);
  return {
    taken: taken.length,
    after: isFull ? last : 0,
    // A round that did not begin at the first device is followed by one that does.
    hasMore: rests.includes(true) || isFull || after > 0,
  };
}

/**
 * Processes as much of a range as one turn allows. False: a rest remains. The range of a deleted device is
 * deleted.
 */
async function takeTurn(services: Services, device: DeviceMetadata | undefined, due: Due): Promise<boolean> {
  const { pool } = services.database;
  try {
    const rest = device && (await deriveSpan(services, device, due));
    if (rest !== undefined) {
      await giveBack(pool, due, rest);
      return false;
    }
    await forgetDue(pool, due);
  } catch (error) {
    // The lease expires by itself; one device never stops the others.
    await noteFailure(services, due, error);
  }
  return true;
}

/** Counts a failure, unless the device was marked again meanwhile: then counting restarts. */
async function noteFailure(services: Services, due: Due, error: unknown): Promise<void> {
  const attempts = await countFailure(services.database.pool, due, error);
  const isParked = attempts >= mostAttempts;
  services.log.warn(
    { err: error, device_id: due.device_id },
    isParked
      ? "derived rows of a device were not computed, parked until it is read again"
      : "derived rows of a device were not computed",
  );
}

/** Returns the start of the remaining range when the turn is over; undefined when nothing remains. */
async function deriveSpan(services: Services, device: DeviceMetadata, due: Due): Promise<number | undefined> {
  const reach = nearSec.day;
  const until = services.clock.monotonicMs() + turn.ms;
  const end = due.to_ts + reach;
  let from = due.from_ts - reach;
  for (let parts = 0; from <= end; parts++) {
    if (parts === turn.parts || (parts > 0 && services.clock.monotonicMs() > until)) return from + reach;
    const row = await firstDerivable(services.database.pool, device.id, {
      from: from - reach,
      to: end + reach,
    });
    if (row === undefined) return undefined;
    from = Math.max(from, row - reach);
    if (from > end) return undefined;
    const to = Math.min(from + partSec - 1, end);
    await derivePart(services, device, { from, to, marks: due.marks });
    from = to + 1;
  }
  return undefined;
}

/** Recomputes the derived rows within a part, both ends inclusive. */
async function derivePart(
  services: Services,
  device: DeviceMetadata,
  { from, to, marks }: { readonly from: number; readonly to: number; readonly marks: number },
): Promise<void> {
  const model = modelById(device.modelId);
  const profileFrom = model?.kind === "meter" ? model.profileFrom : undefined;
  const reach = nearSec.day;
  // Read before the readings: rows that another process derives of later readings must not be removed by this
  // run.
  const standing = await readCalculated(services, device.id, { from, to });
  // A half-hour that begins in the part ends at most half an hour after it.
  const counters = await readCounters(services, device, { from: from - reach, to: to + reach });
  const rows = derive({ counters, zone: device.zone, from, to, profileFrom });
  await removeStale(services, { device, stale: staleOf(standing, rows), marks });
  const receivedAt = services.clock.now();
  await services.parts.readingStore.ingest(
    rows.map((row) => ({ ...row, deviceId: device.id, receivedAt, source: "calculated" as const })),
  );
}

/** Trusted readings of the counters of a device. */
async function readCounters(
  services: Services,
  device: DeviceMetadata,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Map<FieldName, Counter>> {
  const rows = await readingRows(services.database.pool, device.id, { from, to });
  const { sets } = services.parts.readingStore;
  await sets.load(rows.map((row) => row.field_set_id));
  const counters = new Map<FieldName, Counter & { ts: number[]; value: number[] }>();
  for (const { ts, status, by_field, field_set_id, v } of rows) {
    const set = sets.byId(field_set_id);
    if (!set) continue;
    const trusted = trustedValues({ status, by_field, set, v: parseValues(v) });
    set.fields.forEach((name, at) => {
      const value = trusted[at];
      if (typeof value !== "number" || fields[name].kind !== "counter") return;
      let counter = counters.get(name);
      if (!counter) counters.set(name, (counter = { ts: [], value: [], range: counterRange(device, name) }));
      counter.ts.push(ts);
      counter.value.push(value);
    });
  }
  return counters;
}
