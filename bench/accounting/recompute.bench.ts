import { setTimeout as sleep } from "node:timers/promises";
import { meterModels } from "@metrum/catalogue";
import type { AccountingPointId, DeviceId } from "@metrum/vocabulary";
import {
  accountingPoints,
  dayRowsOfPoints,
  packedDaysOfPoints,
  totalsOfPoints,
} from "../../apps/server/src/accounting/accounting-points/index.ts";
import type { Services, Stop } from "../../apps/server/src/core/index.ts";
import {
  dependOn,
  dueKinds,
  ingest,
  messages,
  type Incoming,
} from "../../apps/server/src/metering/messages/index.ts";
import { addDevices, startCluster } from "../cluster.ts";
import { atMost, median, percentile, reported, type Bench, type Figure } from "../report.ts";

/**
 * `npm run bench -- recompute 10000 120`: points, seconds of measuring. Every point has its own meter; each sends a
 * reading an hour, thirty times as fast as in reality.
 */
const [, , , pointsGiven, secondsGiven] = process.argv;
const points = Number(pointsGiven ?? 10_000);
const seconds = Number(secondsGiven ?? 120);
/** Points with a month of days, for the query of totals; each two of their meters are summed by a virtual device. */
const withMonth = Math.min(1_000, points);
const monthDays = 31;
const shortDays = 3;
const readingsPerSec = Math.ceil((points / 3600) * 30);
const daySec = 86_400;
/** The first day of the month. */
const start = Date.UTC(2026, 4, 1) / 1000;
const end = start + monthDays * daySec;
const mostLatencyMs = 5_000;
const mostQueryMs = 40;
const mostRatio = 4;
const patienceMs = 60_000;

/** Milliseconds, alternating, so that other load affects both alike. */
interface Queried {
  readonly totals: number[];
  readonly bare: number[];
  readonly ratios: number[];
}

interface Point {
  readonly id: AccountingPointId;
  readonly deviceId: DeviceId;
  /** The point of the virtual device that sums this meter and the next one. */
  readonly sumId?: AccountingPointId;
}

/** Milliseconds from a corrected value to right numbers. */
interface Latencies {
  readonly totals: number[];
  readonly sums: number[];
}

export const bench: Bench = {
  title: `one corrected value with ${points.toLocaleString("en")} points and ${String(readingsPerSec)} readings/s; totals of ${withMonth.toLocaleString("en")} points over a month`,
  async run() {
    const cluster = await startCluster();
    try {
      const { services } = cluster;
      const all = await seed(services);
      const stops = [await messages.worker?.(services), await accountingPoints.worker?.(services)];
      try {
        const buildSec = await untilBuilt(services);
        const query = await queryMonths(services, all.slice(0, withMonth));
        const summed = await sumPairs(services, all.slice(0, withMonth));
        await untilIdle(services);
        const latencies = await correct(services, { all, summed });
        return figuresOf({ buildSec, query, latencies });
      } finally {
        await stopAll(stops);
      }
    } finally {
      await cluster.services.parts.readingStore.settle();
      await cluster.stop();
    }
  },
};

async function stopAll(stops: readonly (Stop | undefined)[]): Promise<void> {
  for (const stop of stops) await stop?.();
}

function figuresOf(measured: {
  readonly buildSec: number;
  readonly query: Queried;
  readonly latencies: Latencies;
}): Figure[] {
  const { buildSec, query, latencies } = measured;
  const days = withMonth * monthDays + (points - withMonth) * shortDays;
  return [
    reported("days of points built from readings", days / buildSec, "days/s"),
    atMost(
      `totals of ${String(withMonth)} points over a month, median`,
      median(query.totals),
      "ms",
      mostQueryMs,
    ),
    reported("  p95", percentile(query.totals, 0.95), "ms"),
    reported("  a bare sum of the same rows, median", median(query.bare), "ms"),
    atMost("  of it, as it depends on the load of the machine", median(query.ratios), "x", mostRatio),
    ...rightAfter("totals and balance", latencies.totals),
    ...rightAfter("virtual device and its totals", latencies.sums),
  ];
}

const rightAfter = (what: string, times: readonly number[]): Figure[] => [
  reported(`${what}, corrected values`, times.length, "values"),
  reported("  until they are right, median", median(times), "ms"),
  atMost("  p95", percentile(times, 0.95), "ms", mostLatencyMs),
  reported("  the longest", Math.max(...times), "ms"),
];

/** Register of a meter at a time: a unit an hour, exact in six decimals. */
const valueAt = (deviceId: number, ts: number): number => (deviceId % 1000) + (ts - start) / 3600;

const reading = (deviceId: DeviceId, ts: number): Incoming => ({
  deviceId,
  msgType: 1,
  ts,
  receivedAt: ts + 5,
  source: "polled",
  values: { tariff0: valueAt(deviceId, ts), tariff1: valueAt(deviceId, ts) / 2, voltage1: 230 },
});

/** Points with daily readings at midnight: a month of some, the last days of the others. */
async function seed(services: Services): Promise<Point[]> {
  const modelId = meterModels.find(({ profileFrom }) => profileFrom === "tariff0")?.id ?? 0;
  const ids = await addDevices(services, { count: points, modelId });
  const devices = ids.map((id) => id as DeviceId);
  for (let at = 0; at < devices.length; at += 500) {
    const batch = devices.slice(at, at + 500).flatMap((deviceId, n) => {
      const days = at + n < withMonth ? monthDays : shortDays;
      return Array.from({ length: days + 1 }, (_, day) => reading(deviceId, end - day * daySec));
    });
    await ingest(services, batch);
  }
  const { pool } = services.database;
  const { rows } = await pool.query<Point>(
    `with p as (
        insert into accounting_point (company_id, name, resource_type_id, timezone)
          select company_id, id::text, 1, 'UTC' from device order by id returning id, company_id, name
      ), t as (
        insert into point_device (point_id, company_id, device_id, field, from_ts)
          select id, company_id, name::int, 'tariff0', $1 from p returning point_id, device_id
      ) select point_id as id, device_id as "deviceId" from t order by device_id`,
    [start],
  );
  await pool.query("analyze");
  return rows;
}

/** A virtual device with a point for each two of the meters; returns the first of each two. */
async function sumPairs(
  { database }: Services,
  given: readonly Point[],
): Promise<(Point & { readonly sumId: AccountingPointId })[]> {
  const firsts = given.filter((_, at) => at % 2 === 0 && at + 1 < given.length);
  const seconds = given.filter((_, at) => at % 2 === 1);
  const { rows } = await database.pool.query<{ id: AccountingPointId; first: DeviceId }>(
    `with pair as (select * from unnest($1::int[], $2::int[]) as k(first, second)), made as (
        insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, place,
            "deviceID", properties)
          select d.company_id, d.model_id, 'Sum', 4, 3, 23, first::text, '', 'sum ' || first,
            jsonb_build_object('virtual_fields_map_multiple', jsonb_build_object('tariff0', jsonb_build_array(
              jsonb_build_object('device_id', first, 'field', 'tariff0', 'coefficient', 1),
              jsonb_build_object('device_id', second, 'field', 'tariff0', 'coefficient', 1))))
          from pair join device d on d.id = first returning id, company_id, name::int as first
      ), source as (
        insert into virtual_source (virtual_id, source_id, company_id)
          select m.id, k.id, m.company_id from made m join pair using (first)
          cross join lateral (values (first), (second)) as k(id)
      ), point as (
        insert into accounting_point (company_id, name, resource_type_id, timezone)
          select company_id, 'Sum ' || id, 1, 'UTC' from made returning id, company_id, substr(name, 5)::int as device_id
      ), tie as (
        insert into point_device (point_id, company_id, device_id, field, from_ts)
          select id, company_id, device_id, 'tariff0', $3 from point
      ) select point.id, made.first from point join made on made.id = device_id`,
    [firsts.map(({ deviceId }) => deviceId), seconds.map(({ deviceId }) => deviceId), start],
  );
  const sources = given.map(({ deviceId }) => ({ deviceId, from: 0, to: undefined }));
  await database.system.transaction().execute((db) => dependOn(db, dueKinds.virtualDevices, sources));
  const sumOf = new Map(rows.map(({ id, first }) => [first, id]));
  return firsts.flatMap((point) => {
    const sumId = sumOf.get(point.deviceId);
    return sumId === undefined ? [] : [{ ...point, sumId }];
  });
}

/** Nothing waits to be computed of readings or points. */
async function untilIdle({ database }: Services): Promise<void> {
  for (;;) {
    const { rows } = await database.pool.query<{ due: number }>(
      "select (select count(*) from point_due)::int + (select count(*) from reading_due)::int as due",
    );
    if (rows[0]?.due === 0) return;
    await sleep(500);
  }
}

/** Seconds until nothing waits; the second computation of new ties is waited for too. */
async function untilBuilt({ database }: Services): Promise<number> {
  const startMs = performance.now();
  let builtSec: number | undefined;
  for (;;) {
    const { rows } = await database.pool.query<{ first: number; all: number }>(
      `select count(*) filter (where due_at = 0)::int as first, count(*)::int as all from point_due`,
    );
    const { first, all } = rows[0] ?? { first: 0, all: 0 };
    if (first === 0) builtSec ??= (performance.now() - startMs) / 1000;
    if (all === 0 && builtSec !== undefined) return builtSec;
    await sleep(500);
  }
}

async function queryMonths({ database }: Services, given: readonly Point[]): Promise<Queried> {
  const pointIds = given.map(({ id }) => id);
  const found: Queried = { totals: [], bare: [], ratios: [] };
  for (let n = 0; n < 45; n++) {
    const bareMs = await timed(() =>
      database.pool.query(
        `select point_id, sum(amount) from point_day
          where point_id = any($1::int4[]) and field = 'main' and day >= '2026-05-01' and day <= '2026-05-31'
          group by point_id`,
        [pointIds],
      ),
    );
    const totalsMs = await timed(async () => {
      const totals = await totalsOfPoints(database.system, {
        pointIds,
        fromDay: "2026-05-01",
        toDay: "2026-05-31",
      });
      const wrong = totals.find(
        ({ amount, coveredSec }) => amount !== "744" || coveredSec !== monthDays * daySec,
      );
      if (totals.length !== given.length || wrong) throw new Error(`wrong total: ${JSON.stringify(wrong)}`);
    });
    // The first ones warm up.
    if (n < 5) continue;
    found.totals.push(totalsMs);
    found.bare.push(bareMs);
    found.ratios.push(totalsMs / bareMs);
  }
  return found;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await run();
  return performance.now() - startMs;
}

/** Corrects one value after another while readings arrive, every second one of a meter that a virtual device sums. */
async function correct(
  services: Services,
  { all, summed }: { readonly all: readonly Point[]; readonly summed: readonly Point[] },
): Promise<Latencies> {
  const untilMs = performance.now() + seconds * 1000;
  const isOver = (): boolean => performance.now() > untilMs;
  const arriving = arrive(services, all, isOver);
  const found: Latencies = { totals: [], sums: [] };
  const others = all.slice(withMonth);
  for (let n = 0; !isOver(); n++) {
    const given = n % 2 === 0 || others.length === 0 ? summed : others;
    const point = given[(n * 7919) % given.length];
    if (point) await correctOne(services, point, { n, found });
    await sleep(400);
  }
  await arriving;
  return found;
}

/** New readings of all meters in turn, hour after hour. */
async function arrive(services: Services, all: readonly Point[], isOver: () => boolean): Promise<void> {
  for (let second = 0; !isOver(); second++) {
    const startMs = performance.now();
    const batch = Array.from({ length: readingsPerSec }, (_, n) => second * readingsPerSec + n).flatMap(
      (n) => {
        const point = all[n % all.length];
        const hour = Math.floor(n / all.length) + 1;
        return point ? [reading(point.deviceId, end + hour * 3600)] : [];
      },
    );
    await ingest(services, batch);
    await sleep(Math.max(0, 1000 - (performance.now() - startMs)));
  }
}

/** The midnight two days before the end is corrected by n thousandths: the days before and after it change. */
async function correctOne(
  services: Services,
  { id, deviceId, sumId }: Point,
  { n, found }: { readonly n: number; readonly found: Latencies },
): Promise<void> {
  const ts = end - 2 * daySec;
  const by = ((n % 900) + 1) / 1000;
  const changed = { tariff0: valueAt(deviceId, ts) + by };
  const startMs = performance.now();
  await ingest(services, [{ ...reading(deviceId, ts), values: changed, status: "corrected" }]);
  const [totalsMs, sumsMs] = await Promise.all([
    untilRight(services, id, { day: 24, by, startMs }),
    sumId === undefined ? undefined : untilRight(services, sumId, { day: 48, by, startMs }),
  ]);
  found.totals.push(totalsMs);
  if (sumsMs !== undefined) found.sums.push(sumsMs);
}

/** Milliseconds until the days before and after the corrected midnight are right, and what a balance reads with them. */
async function untilRight(
  { database }: Services,
  id: AccountingPointId,
  { day, by, startMs }: { readonly day: number; readonly by: number; readonly startMs: number },
): Promise<number> {
  const wanted = [day + by, day - by].map((amount) => Number(amount.toFixed(6)));
  const [fromDay, toDay] = ["2026-05-29", "2026-05-30"] as const;
  const range = { first: (end - 3 * daySec) / daySec, last: (end - 2 * daySec) / daySec };
  for (;;) {
    const rows = await dayRowsOfPoints(database.system, { pointIds: [id], fromDay, toDay });
    const tookMs = performance.now() - startMs;
    if (rows.length === 2 && rows.every(({ amount }, at) => Number(amount) === wanted[at])) {
      const read = (await packedDaysOfPoints(database.system, [id], range)).get(id)?.whole ?? [];
      if (read.every((micro, at) => micro === Math.round((wanted[at] ?? 0) * 1e6))) return tookMs;
      throw new Error(`the balance of point ${String(id)} reads ${JSON.stringify(read)}`);
    }
    if (tookMs > patienceMs)
      throw new Error(`the days of point ${String(id)} are not right: ${JSON.stringify(rows)}`);
    await sleep(20);
  }
}
