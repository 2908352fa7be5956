import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { meterModels } from "@metrum/catalogue";
import type { DeviceId } from "@metrum/vocabulary";
import { deriveDue } from "./deriveJob.ts";
import { ingest } from "../ingest/ingest.ts";
import { aReading, at, openTestStore, type TestStore } from "#testing/readings";

let store: TestStore;
const midnight = at("2026-05-10T00:00:00Z");
const day = 86_400;
const model = meterModels.find(({ profileFrom }) => profileFrom === "tariff0");

beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());
/** Removes the wrapper that `around` has put over the pool's own method. */
afterEach(() => void Reflect.deleteProperty(store.services.database.pool, "query"));

const aMeter = () => store.addDevice({ modelId: model?.id ?? 0, zone: "UTC" });
const read = (deviceId: DeviceId, ts: number, tariff0: number) =>
  aReading({ deviceId, ts, receivedAt: midnight + day, source: "imported", values: { tariff0 } });
const dayRows = (deviceId: DeviceId) =>
  store.query<{ ts: number }>("select ts from message where device_id = $1 and msg_type = 101 order by ts", [
    deviceId,
  ]);
const due = (deviceId: DeviceId) =>
  store.query<{ from_ts: number }>("select from_ts from reading_due where kind = 0 and device_id = $1", [
    deviceId,
  ]);
const mark = (deviceId: DeviceId, from: number, to: number) =>
  store.query(
    "insert into reading_due (kind, device_id, from_ts, to_ts) values (0, $1, $2::int8, $3::int8)",
    [deviceId, from, to],
  );

type Query = (...given: unknown[]) => Promise<unknown>;

/** Runs before and after every statement of this name. */
function around(name: string, how: { before?: () => unknown; behind?: () => unknown }): void {
  const { pool } = store.services.database;
  const query: Query = pool.query.bind(pool);
  const watched: Query = async (...given) => {
    if ((given[0] as { name?: string }).name !== name) return query(...given);
    await how.before?.();
    const answer = await query(...given);
    await how.behind?.();
    return answer;
  };
  Object.assign(pool, { query: watched });
}

test("a span of 26 years is processed only where rows exist", async () => {
  const deviceId = await aMeter();
  await ingest(store.services, [read(deviceId, at("2000-01-01T00:00:00Z"), 1)]);
  await ingest(store.services, [read(deviceId, midnight, 5), read(deviceId, midnight + 1800, 6)]);
  const [span] = await store.query<{ years: number }>(
    "select ((to_ts - from_ts) / 31556952)::int as years from reading_due where kind = 0 and device_id = $1",
    [deviceId],
  );
  expect(span?.years).toBe(26);
  let parts = 0;
  around("messages-period-all-types", { before: () => (parts += 1) });

  await deriveDue(store.services);

  expect(parts).toBe(2);
  expect(await dayRows(deviceId)).toEqual([{ ts: at("2000-01-01T00:00:00Z") }, { ts: midnight }]);
  expect(await due(deviceId)).toEqual([]);
});

test("calculated rows whose readings are gone are found however far they are from any others", async () => {
  const deviceId = await aMeter();
  await ingest(store.services, [
    aReading({
      deviceId,
      msgType: 101,
      ts: midnight - 900 * day,
      source: "calculated",
      values: { tariff0: 1 },
    }),
    read(deviceId, midnight, 5),
  ]);
  await store.query("delete from reading_due where device_id = $1", [deviceId]);
  await mark(deviceId, midnight - 2000 * day, midnight);

  await deriveDue(store.services);

  expect(await dayRows(deviceId)).toEqual([{ ts: midnight }]);
});

test("a large range delays no other device: each has a turn, and the rest follows in the next one", async () => {
  const [huge, small] = [await aMeter(), await aMeter()];
  const days = Array.from({ length: 30 }, (_, n) => midnight - (30 - n) * 20 * day);
  await ingest(
    store.services,
    days.map((ts, n) => read(huge, ts, n)),
  );
  await ingest(store.services, [read(small, midnight, 1)]);
  const before = await due(huge);

  await deriveDue(store.services);

  expect([await due(small), (await dayRows(small)).length]).toEqual([[], 1]);
  const [rest] = await due(huge);
  expect(rest?.from_ts).toBeGreaterThan(before[0]?.from_ts ?? 0);
  expect((await dayRows(huge)).length).toBeLessThan(days.length);
  for (let runs = 0; (await deriveDue(store.services)) > 0; runs++) expect(runs).toBeLessThan(10);
  expect((await dayRows(huge)).map(({ ts }) => ts)).toEqual(days);
});

test("a device that is marked during its turn starts over: no part is lost", async () => {
  const deviceId = await aMeter();
  const days = Array.from({ length: 12 }, (_, n) => midnight - (12 - n) * 20 * day);
  await ingest(
    store.services,
    days.map((ts, n) => read(deviceId, ts, n)),
  );
  let isMarked = false;
  around("messages-period-all-types", {
    behind: async () => {
      if (isMarked) return;
      isMarked = true;
      await ingest(store.services, [read(deviceId, midnight - 300 * day, 0)]);
    },
  });

  for (let runs = 0; (await deriveDue(store.services)) > 0; runs++) expect(runs).toBeLessThan(10);

  expect(await dayRows(deviceId)).toHaveLength(13);
});

test("devices are processed concurrently, four at a time", async () => {
  const meters = await Promise.all(Array.from({ length: 9 }, aMeter));
  await ingest(
    store.services,
    meters.map((deviceId) => read(deviceId, midnight, 1)),
  );
  const seen = { now: 0, most: 0 };
  let letAllGo: () => void = () => undefined;
  const areFour = new Promise<void>((resolve) => (letAllGo = resolve));
  around("messages-first", {
    before: async () => {
      seen.most = Math.max(seen.most, ++seen.now);
      if (seen.now === 4) letAllGo();
      await areFour;
    },
    behind: () => (seen.now -= 1),
  });

  expect(await deriveDue(store.services)).toBe(9);

  expect(seen.most).toBe(4);
});

test("a stopping worker returns its leases", async () => {
  const meters = await Promise.all(Array.from({ length: 6 }, aMeter));
  await ingest(
    store.services,
    meters.map((deviceId) => read(deviceId, midnight, 1)),
  );
  let turns = 0;

  await deriveDue(store.services, () => turns++ < 4);

  const waiting = await store.query("select leased_until from reading_due");
  expect(waiting).toEqual([{ leased_until: 0 }, { leased_until: 0 }]);
  expect(await deriveDue(store.services)).toBe(2);
});
