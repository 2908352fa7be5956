import { demoPlan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { prepareJobs } from "#headend/dialogue";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";
import { planDue } from "./planner.ts";

const demo = demoPlan(5);
const gateways = demo.gateways.filter(({ port }) => port !== undefined).slice(0, 2);
const meter = demo.devices.find(({ gateway }) => gateways.some(({ key }) => key === gateway));
const behindEach = 3;
const intervalSec = 60;

let api: TestApi;
let ids: readonly number[];
let now = 1_800_000_000;

beforeAll(async () => {
  api = await openTestApi({ clock: { now: () => now, nowMs: () => now * 1000 } });
  await prepareJobs(api.services);
  if (!meter) throw new Error("the demonstration has no converter with a meter");
  ids = await registerPark(api.services.database, api.companies.first, {
    gateways,
    baseStations: [],
    devices: gateways.flatMap(({ key }, at) =>
      Array.from({ length: behindEach }, (_, n) => ({
        ...meter,
        gateway: key,
        deviceID: `${String(at)}-${String(n)}`,
      })),
    ),
  });
  await sql`insert into base_station (company_id, name) values (${api.companies.first}, 'Roof')`.execute(
    db(),
  );
  await sql`update gateway set host = '127.0.0.1', port = 20000 + id`.execute(db());
});
afterAll(() => api.close());
beforeEach(async () => {
  now += 7200;
  await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`.execute(db());
  await sql`update device set report_period_update = ${intervalSec}`.execute(db());
  await sql`update device_state set next_poll_at = ${now}, poll_failures = 0`.execute(db());
  await sql`update gateway set poll_pause = 0, base_station_id = null`.execute(db());
  await sql`update base_station set poll_pause = 0`.execute(db());
});

const db = () => api.services.database.system;

/** Seconds until each of these devices is polled, in their order. */
async function delays(of: readonly number[] = ids): Promise<number[]> {
  const { rows } = await sql<{ id: number; delay: number }>`
    select substring(key from 6)::int as id, round(extract(epoch from run_at - created_at))::int as delay
    from graphile_worker.jobs`.execute(db());
  return of.map((id) => rows.find((row) => row.id === id)?.delay ?? Number.NaN);
}
const slotOf = async (id: number) =>
  (
    await sql<{ at: number }>`select next_poll_at as at from device_state where device_id = ${id}`.execute(
      db(),
    )
  ).rows[0]?.at ?? 0;
const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
const [first, second] = [() => ids.slice(0, behindEach), () => ids.slice(behindEach)];
const pauseFirst = (sec: number) =>
  sql`update gateway set poll_pause = ${sec} where id = (select gateway_id from device where id = ${ids[0]})`.execute(
    db(),
  );

test("POLL-012: without a pause all due devices are polled at once", async () => {
  await planDue(api.services);

  expect(await delays()).toEqual(ids.map(() => 0));
});

test("POLL-012: behind a gateway with a pause polls begin that far apart, others do not wait", async () => {
  await pauseFirst(20);
  await planDue(api.services);

  expect(sorted(await delays(first()))).toEqual([0, 20, 40]);
  expect(await delays(second())).toEqual([0, 0, 0]);
});

test("POLL-012: devices that answer come before silent ones", async () => {
  await pauseFirst(20);
  const [silent = 0] = ids;
  await sql`update device_state set poll_failures = 3 where device_id = ${silent}`.execute(db());
  await planDue(api.services);

  expect(await delays([silent])).toEqual([40]);
});

test("POLL-012: planners that work at the same time reserve one after another", async () => {
  await pauseFirst(20);
  await Promise.all([planDue(api.services), planDue(api.services)]);
  now += 1;
  await sql`update device_state set next_poll_at = ${now} where device_id = ${ids[0]}`.execute(db());
  await planDue(api.services);

  // The fourth reservation begins 60 s after the first, a second of which has passed; the job is created a moment later.
  expect(Math.abs(((await delays(ids.slice(0, 1)))[0] ?? 0) - 59)).toBeLessThanOrEqual(1);
});

test("POLL-012: a device that waits is planned again only after its poll, so that a pause too long starves nobody", async () => {
  await pauseFirst(300);
  await planDue(api.services);
  const planned = await delays(first());

  for (const [at, id] of first().entries())
    expect(await slotOf(id)).toBeGreaterThan(now + (planned[at] ?? 0));
  now += intervalSec;
  await planDue(api.services);

  // Only the one that was polled at once is due again, after all others.
  expect(sorted(await delays(first()))).toEqual([300, 600, 900 - intervalSec]);
});

test("POLL-012: the gateways of a base station with a pause take turns", async () => {
  await sql`update gateway set base_station_id = (select id from base_station)`.execute(db());
  await sql`update base_station set poll_pause = 10`.execute(db());
  await planDue(api.services);

  expect(sorted(await delays())).toEqual([0, 10, 20, 30, 40, 50]);
});
