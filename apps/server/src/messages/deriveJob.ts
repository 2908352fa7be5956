import { modelById } from "@metrum/catalogue";
import { fields, type DeviceId, type FieldName } from "@metrum/vocabulary";
import type { Services, Stop } from "#core";
import { derive, nearSec, type Counter } from "./derive.ts";
import { doorOf } from "./ingest.ts";
import { readCalculated, removeStale, staleOf } from "./stale.ts";
import { parseValues } from "./values.ts";
import { isTrusted, type DeviceFacts } from "./types.ts";

const readingsType = 1;
/** A span is worked off in parts of this length, so that ninety days of minutes do not come into memory at once. */
const partSec = 7 * 86_400;
const leaseSec = 60;
const atOnce = 50;
/** After so many failures a device is left alone until it is marked again. */
const mostAttempts = 3;
const pauseMs = 5_000;
/** Readings come in bursts: one run serves them. */
const gatherMs = 200;

interface Due {
  readonly device_id: DeviceId;
  readonly from_ts: number;
  readonly to_ts: number;
  readonly marks: number;
}

/**
 * Recomputes derived rows of the spans that ingest has marked, and goes on until the worker stops. A span is taken for a
 * minute and forgotten only when its rows are stored and it was not marked again: a kill at any moment repeats work and
 * loses none.
 */
export function startDeriving(services: Services): Stop {
  let isStopped = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Infinity;
  let hasNews = false;
  const plan = (afterMs: number): void => {
    const at = services.clock.monotonicMs() + afterMs;
    // A run that is near is not put off by what comes meanwhile; one under way plans the next itself.
    if (isStopped || running || at >= dueAt) return;
    clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(run, afterMs);
  };
  const run = (): void => {
    dueAt = Infinity;
    let done = 0;
    running = deriveDue(services, () => !isStopped)
      .then(
        (count) => void (done = count),
        (error: unknown) =>
          services.log.warn({ err: error }, "derived rows could not be computed, trying again"),
      )
      .finally(() => {
        running = undefined;
        plan(done === atOnce ? 0 : hasNews ? gatherMs : pauseMs);
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

/** One run over what is due; returns how many devices it took. What it no longer may do is given back. */
export async function deriveDue(services: Services, mayGoOn: () => boolean = () => true): Promise<number> {
  const { pool } = services.database;
  const now = services.clock.now();
  const { rows } = await pool.query<Due>({
    name: "messages-derive-lease",
    text: `update derive_due d set leased_until = $1::int8 + ${String(leaseSec)}
      from (select device_id from derive_due where leased_until <= $1::int8 and attempts < ${String(mostAttempts)} order by device_id limit ${String(atOnce)} for update skip locked) k
      where d.device_id = k.device_id
      returning d.device_id, d.from_ts, d.to_ts, d.marks`,
    values: [now],
  });
  const facts = await doorOf(services).facts.of(rows.map((row) => row.device_id));
  for (const [at, due] of rows.entries()) {
    if (!mayGoOn()) {
      const left = rows.slice(at).map((row) => row.device_id);
      await pool.query("update derive_due set leased_until = 0 where device_id = any($1::int4[])", [left]);
      return at;
    }
    const device = facts.get(due.device_id);
    try {
      if (device) await deriveSpan(services, device, due);
      await pool.query("delete from derive_due where device_id = $1 and marks = $2", [
        due.device_id,
        due.marks,
      ]);
    } catch (error) {
      // The lease ends by itself; one device never stops the others.
      await noteFailure(services, due, error);
    }
  }
  return rows.length;
}

/** Counts a failure, unless the device was marked again meanwhile: then it starts anew. */
async function noteFailure(services: Services, due: Due, error: unknown): Promise<void> {
  const { rows } = await services.database.pool.query<{ attempts: number }>(
    `update derive_due set attempts = attempts + 1, error = $3::text where device_id = $1::int4 and marks = $2::int4
      returning attempts`,
    [due.device_id, due.marks, error instanceof Error ? error.message : String(error)],
  );
  const isParked = (rows[0]?.attempts ?? 0) >= mostAttempts;
  services.log.warn(
    { err: error, device_id: due.device_id },
    isParked
      ? "derived rows of a device were not computed, parked until it is read again"
      : "derived rows of a device were not computed",
  );
}

async function deriveSpan(services: Services, device: DeviceFacts, due: Due): Promise<void> {
  const model = modelById(device.modelId);
  const profileFrom = model?.kind === "meter" ? model.profileFrom : undefined;
  const reach = nearSec.day;
  for (let from = due.from_ts - reach; from <= due.to_ts + reach; from += partSec) {
    const to = Math.min(from + partSec - 1, due.to_ts + reach);
    // Before the readings: what another process derives of later ones is none of this run's to take away.
    const standing = await readCalculated(services, device.id, { from, to });
    // A half-hour that begins in the part ends at most half an hour behind it.
    const counters = await readCounters(services, device.id, { from: from - reach, to: to + reach });
    const rows = derive({ counters, zone: device.zone, from, to, profileFrom });
    await removeStale(services, { device, stale: staleOf(standing, rows), marks: due.marks });
    await doorOf(services).ingest(
      rows.map((row) => ({
        ...row,
        deviceId: device.id,
        receivedAt: services.clock.now(),
        source: "calculated" as const,
      })),
    );
  }
}

/**
 * Trusted readings of the counters of a device. Rows: 720 for the twelve hours around a reading where it comes every
 * minute. Index: primary key of message, one or two partitions.
 */
async function readCounters(
  services: Services,
  deviceId: DeviceId,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Map<FieldName, Counter>> {
  const { rows } = await services.database.pool.query<{
    ts: number;
    status: number;
    field_set_id: number;
    v: string;
  }>({
    name: "messages-derive-read",
    text: `select ts, status, field_set_id, v::text as v from message
      where device_id = $1::int4 and msg_type = ${String(readingsType)}::int2 and ts >= $2::int8 and ts <= $3::int8 order by ts`,
    values: [deviceId, from, to],
  });
  const { sets } = doorOf(services);
  await sets.load(rows.map((row) => row.field_set_id));
  const counters = new Map<FieldName, { ts: number[]; value: number[] }>();
  for (const row of rows) {
    if (!isTrusted(row.status)) continue;
    const v = parseValues(row.v);
    sets.byId(row.field_set_id)?.fields.forEach((name, at) => {
      const value = v[at];
      if (typeof value !== "number" || fields[name].kind !== "counter") return;
      let counter = counters.get(name);
      if (!counter) counters.set(name, (counter = { ts: [], value: [] }));
      counter.ts.push(row.ts);
      counter.value.push(value);
    });
  }
  return counters;
}
