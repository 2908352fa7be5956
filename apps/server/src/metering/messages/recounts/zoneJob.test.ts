import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { meterModels } from "@metrum/catalogue";
import type { DeviceId } from "@metrum/vocabulary";
import { deriveDue } from "../derive/deriveJob.ts";
import { ingest } from "../ingest/ingest.ts";
import { recountZones } from "./zoneJob.ts";
import { aReading, at, openTestStore, type TestStore } from "#testing/readings";

let store: TestStore;
const day = 86_400;
const start = at("2026-03-01T00:00:00Z");
const model = meterModels.find(({ profileFrom }) => profileFrom === "tariff0");

beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());
beforeEach(() => store.query("delete from zone_due"));

const aMeter = (companyZone: string) => store.addDevice({ modelId: model?.id ?? 0, companyZone });
const setCompanyZone = (deviceId: DeviceId, zone: string) =>
  store.query("update company set timezone = $2 where id = (select company_id from device where id = $1)", [
    deviceId,
    zone,
  ]);
/** The caches of every process have expired: the marks are due. */
const letPass = () => store.query("update zone_due set due_at = 0");
const hourly = (deviceId: DeviceId, hours: number, from = start) =>
  Array.from({ length: hours }, (_, n) =>
    aReading({
      deviceId,
      ts: from + n * 3600,
      receivedAt: from + hours * 3600,
      source: "imported",
      values: { tariff0: n, voltage1: 200 + (n % 7) },
    }),
  );
const days = (deviceId: DeviceId) =>
  store.query(
    "select msg_type, day::text, hours, n, first_ts, last_ts, first, last, sum from reading_day where device_id = $1 order by 1, 2",
    [deviceId],
  );
const midnights = (deviceId: DeviceId) =>
  store.query("select ts, v from message where device_id = $1 and msg_type = 101 order by ts", [deviceId]);
/** By a process without cached metadata, as every process is by the time a mark is due. */
async function derive(): Promise<void> {
  const peer = store.peer();
  while ((await deriveDue(peer)) > 0);
}
/** A device that always was in the zone, with the same readings. */
async function twin(zone: string, readings: (deviceId: DeviceId) => Parameters<typeof ingest>[1]) {
  const deviceId = await aMeter(zone);
  await ingest(store.services, readings(deviceId));
  await derive();
  return deviceId;
}

test.each([
  ["Europe/Berlin", "Asia/Almaty"],
  ["Asia/Almaty", "America/New_York"],
  ["Pacific/Kiritimati", "Pacific/Pago_Pago"],
  ["Asia/Kathmandu", "Europe/Berlin"],
])(
  "TRUST-007 a company that moves from %s to %s has the days of the new zone, derived midnights too",
  async (from, to) => {
    const readings = (deviceId: DeviceId) => [
      ...hourly(deviceId, 20 * 24),
      ...hourly(deviceId, 5, start + 400 * day),
    ];
    const deviceId = await twin(from, readings);
    const other = await twin(to, readings);
    expect(await days(deviceId)).not.toEqual(await days(other));

    await setCompanyZone(deviceId, to);
    await letPass();
    while ((await recountZones(store.services)) > 0);
    await derive();

    expect(await days(deviceId)).toEqual(await days(other));
    expect(await midnights(deviceId)).toEqual(await midnights(other));
    expect(await store.query("select * from zone_due where device_id = $1", [deviceId])).toEqual([]);
  },
);

test("TRUST-007 a device with its own zone is not affected by that of the company, and can be changed by itself", async () => {
  const deviceId = await store.addDevice({ zone: "Asia/Almaty", companyZone: "Europe/Berlin" });
  await ingest(store.services, hourly(deviceId, 48));
  const marks = () => store.query("select device_id from zone_due");

  await setCompanyZone(deviceId, "America/New_York");
  expect(await marks()).toEqual([]);
  await store.query("update device set timezone = null where id = $1", [deviceId]);
  expect(await marks()).toEqual([{ device_id: deviceId }]);
  await store.query("delete from zone_due");
  await store.query("update device set timezone = 'America/New_York', name = 'x' where id = $1", [deviceId]);

  expect(await marks()).toEqual([]);
});

test("TRUST-007 rows stored by a process with the old zone cached are recounted by the new one", async () => {
  const readings = (deviceId: DeviceId) => hourly(deviceId, 48);
  const other = await twin("Asia/Almaty", readings);
  const deviceId = await aMeter("Europe/Berlin");
  const peer = store.peer();
  const [first, ...rest] = readings(deviceId);
  await ingest(peer, first ? [first] : []);

  await setCompanyZone(deviceId, "Asia/Almaty");
  // Nothing is recomputed while a process may still have the old zone cached.
  expect(await recountZones(store.services)).toBe(0);
  const [mark] = await store.query<{ wait: number }>(
    "select due_at - extract(epoch from now())::int8 as wait from zone_due",
  );
  expect(mark?.wait).toBeGreaterThanOrEqual(59);
  await ingest(peer, rest);
  await letPass();
  while ((await recountZones(store.services)) > 0);
  await derive();

  expect(await days(deviceId)).toEqual(await days(other));
});

test("TRUST-007 a kill between two parts repeats and loses nothing; a second change starts over", async () => {
  const readings = (deviceId: DeviceId) => hourly(deviceId, 40 * 24);
  const other = await twin("America/New_York", readings);
  const deviceId = await twin("Europe/Berlin", readings);
  await setCompanyZone(deviceId, "Asia/Almaty");
  await letPass();
  let parts = 0;
  await recountZones(store.services, () => parts++ < 2);
  const [mark] = await store.query<{ next_day: string | null }>("select next_day::text from zone_due");
  expect(mark?.next_day).not.toBeNull();

  await setCompanyZone(deviceId, "America/New_York");
  await letPass();
  while ((await recountZones(store.services)) > 0);
  await derive();

  expect(await days(deviceId)).toEqual(await days(other));
});

test("a device that cannot be recounted is skipped after three attempts, others continue", async () => {
  const [bad, good] = [await aMeter("Europe/Berlin"), await aMeter("Europe/Berlin")];
  await ingest(store.services, [...hourly(bad, 30), ...hourly(good, 30)]);
  await store.query("update message set v = '{Infinity,1}' where device_id = $1", [bad]);
  for (const id of [bad, good]) await setCompanyZone(id, "Asia/Almaty");

  for (let n = 0; n < 4; n++) {
    await letPass();
    await recountZones(store.services);
  }

  expect(await store.query("select device_id, attempts, error from zone_due")).toEqual([
    { device_id: bad, attempts: 3, error: expect.stringContaining("JSON") as string },
  ]);
});
