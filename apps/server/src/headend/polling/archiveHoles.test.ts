import { ProtocolError, type KeptArchive, type LineDriver, type Reading } from "@metrum/protocols/core";
import { sql } from "kysely";
import type { DeviceId } from "@metrum/vocabulary";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { askedDevice, lineModel } from "#headend/exchanges";
import { ingest } from "#metering/messages";
import { openTestApi, type TestApi } from "#testing/api";
import { addMeter } from "#testing/meter";
import { at } from "#testing/readings";
import { readArchives } from "./archives.ts";

const [half, hour, day] = [1800, 3600, 86_400];
const mercury = 120;

let now = at("2026-06-10T10:10:00Z");
let api: TestApi;
let id: DeviceId;
let profile: KeptArchive;
let driver: LineDriver;
/** Slots that the meter has; the others it leaves out. */
let has: (slot: number) => boolean = () => true;
let fails = false;
let requested: { readonly from: number; readonly to: number }[] = [];

beforeAll(async () => {
  api = await openTestApi({
    clock: { now: () => now, nowMs: () => now * 1000, monotonicMs: () => performance.now() },
  });
  const line = lineModel(mercury)?.driver;
  const found = line?.archives.find(({ msgType }) => msgType === 5);
  if (!line || !found) throw new Error("no such meter");
  [profile, driver] = [found, { ...line, archives: [found] }];
});
afterAll(() => api.close());
beforeEach(async () => {
  now += 30 * day;
  id = await addMeter(api);
  await sql`update device set model_id = ${mercury} where id = ${id}`.execute(db());
  [has, fails] = [() => true, false];
});

const db = () => api.services.database.system;

/** A poll after a number of seconds; returns the times of the first slots requested. */
async function poll(seconds: number): Promise<number[]> {
  now += seconds;
  requested = [];
  const device = await askedDevice(db(), id);
  if (!device) throw new Error("no device");
  await readArchives(api.services, {
    device,
    driver,
    group: { selected: {}, autoloadSec: undefined },
    keep: async (readings) => {
      await ingest(
        api.services,
        readings.map((reading) => ({
          deviceId: id,
          msgType: reading.msgType,
          ts: reading.at ?? now,
          receivedAt: now,
          source: "polled" as const,
          values: reading.values,
        })),
      );
    },
    ask: (request) => {
      if (request.kind !== "archive") throw new Error("not requested here");
      requested.push(request);
      if (fails) return Promise.reject(new ProtocolError("refused", "status 2"));
      const slots: Reading[] = [];
      for (let slot = Math.ceil(request.from / half) * half; slot < request.to; slot += half)
        if (has(slot)) slots.push({ msgType: 5, at: slot, values: { power_a_plus: 1 } });
      return Promise.resolve(slots);
    },
  });
  return requested.map(({ from }) => from);
}

const stored = async (): Promise<number[]> =>
  (
    await sql<{
      ts: number;
    }>`select ts from message where device_id = ${id} and msg_type = 5 and source = 1 order by ts`.execute(
      db(),
    )
  ).rows.map(({ ts }) => ts);
const holes = async (): Promise<number> =>
  (
    await sql<{ n: number }>`select count(*)::int as n from archive_hole where device_id = ${id}`.execute(
      db(),
    )
  ).rows[0]?.n ?? 0;

test("TRUST-012 a slot omitted by the meter is requested again after increasing pauses, and filled once available", async () => {
  const lost = now - 20 * hour - ((now - 20 * hour) % half);
  has = (slot) => slot !== lost;
  await poll(0);
  const missing = await stored();
  expect(missing).not.toContain(lost);
  expect(await holes()).toBe(1);

  expect(await poll(hour)).not.toContain(lost);
  expect(await poll(6 * hour)).toContain(lost);
  expect(await poll(6 * hour)).not.toContain(lost);
  has = () => true;
  expect(await poll(day)).toContain(lost);

  expect(await stored()).toContain(lost);
  expect(await holes()).toBe(0);
});

test("TRUST-012 a slot that the meter never returns is given up after four more requests", async () => {
  const lost = now - 20 * hour - ((now - 20 * hour) % half);
  has = (slot) => slot !== lost;
  let requests = 0;
  for (let nth = 0; nth < 30; nth++) requests += (await poll(day)).includes(lost) ? 1 : 0;

  expect(requests).toBeLessThanOrEqual(4);
  expect(requests).toBeGreaterThanOrEqual(3);
  expect(await holes()).toBe(0);
});

test("TRUST-012 old holes come after new slots and never delay them, also while the meter refuses the old ones", async () => {
  const lost = now - 20 * hour - ((now - 20 * hour) % half);
  has = (slot) => slot !== lost;
  await poll(0);
  has = () => true;

  const first = await poll(8 * hour);
  expect(first.at(-1)).toBe(lost);
  expect(first[0]).toBeGreaterThan(lost);

  has = (slot) => slot !== lost + half;
  await sql`delete from message where device_id = ${id} and ts = ${lost + half}`.execute(db());
  await sql`insert into archive_hole (device_id, msg_type, tries, from_at, to_at, retry_at)
    values (${id}, 5, 0, ${lost}, ${lost + day}, ${now})`.execute(db());
  const newest = (await stored()).at(-1) ?? 0;
  let refused = 0;
  const real = driver;
  driver = { ...real };
  fails = true;
  refused += (await poll(60)).length;
  fails = false;
  const next = await poll(hour);
  driver = real;

  expect(refused).toBe(1);
  expect(next[0]).toBe(newest + half);
});

test("TRUST-012 a meter with an empty archive is polled a limited number of times, and erased slots are never requested", async () => {
  has = () => false;
  let pages = 0;
  for (let nth = 0; nth < 40; nth++) pages += (await poll(12 * hour)).length;
  expect(pages).toBeLessThan(6 * 40);
  expect(await holes()).toBeLessThanOrEqual(4);

  await sql`update archive_hole set from_at = 0, to_at = ${now - profile.depthSec}, retry_at = 0 where device_id = ${id}`.execute(
    db(),
  );
  has = () => true;
  const erased = await poll(60);
  expect(erased.every((from) => from >= now - profile.depthSec)).toBe(true);
  expect(await holes()).toBe(0);
});
