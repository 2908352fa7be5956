import { statuses, type DeviceId } from "@metrum/vocabulary";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aReading, at, openTestStore, type TestStore } from "#testing/readings";
import { ingest } from "./ingest.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const [hour, day] = [3600, 86_400];
const month = at("2026-05-01T00:00:00Z");

const reading = (deviceId: DeviceId, ts: number, offSec: number, tariff1: number) =>
  aReading({ deviceId, ts, receivedAt: ts + 1, meterAt: ts + 1 + offSec, values: { tariff1 } });
const archive = (deviceId: DeviceId, ts: number, tariff1: number, msgType = 103) =>
  aReading({ deviceId, ts, msgType, receivedAt: ts + 12 * day, values: { tariff1 } });
const statusesOf = async (deviceId: DeviceId) => {
  const rows = await store.query<{ ts: number; status: number }>(
    "select ts, status from message where device_id = $1 and msg_type <> 1 order by ts",
    [deviceId],
  );
  return rows.map(({ status }) => status === statuses.suspect.id);
};

test("TRUST-027 an archive of a meter whose clock is known to be off is suspect, whatever reading is near", async () => {
  const [off, right, summer] = [await store.addDevice(), await store.addDevice(), await store.addDevice()];
  for (const [device, offSec] of [
    [off, -9 * day],
    [right, 40],
    [summer, hour],
  ] as const) {
    await ingest(store.services, [reading(device, month - 20 * day, offSec, 100)]);
    await ingest(store.services, [archive(device, month, 140)]);
  }

  expect([await statusesOf(off), await statusesOf(right), await statusesOf(summer)]).toEqual([
    [true],
    [false],
    [false],
  ]);
});

test("TRUST-027 the reading nearest to an archive tells, of the same poll too", async () => {
  const [mended, broken] = [await store.addDevice(), await store.addDevice()];
  await ingest(store.services, [reading(mended, month - 30 * day, -9 * day, 90)]);
  await ingest(store.services, [reading(mended, month - 2 * day, 5, 130), archive(mended, month, 140)]);
  await ingest(store.services, [
    reading(broken, month + 5 * day, 3 * day, 150),
    archive(broken, month, 140),
    archive(broken, month - day, 139, 101),
  ]);

  expect([await statusesOf(mended), await statusesOf(broken)]).toEqual([[false], [true, true]]);
});

test("TRUST-027 without a clock that is known, and of a file or a person, an archive counts as before", async () => {
  const device = await store.addDevice();
  await ingest(store.services, [archive(device, month - 31 * day, 100)]);
  await ingest(store.services, [reading(device, month - 5 * day, -9 * day, 130)]);
  await ingest(store.services, [{ ...archive(device, month, 140), source: "imported" }]);

  expect(await statusesOf(device)).toEqual([false, false]);
});
