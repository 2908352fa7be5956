import { afterAll, beforeAll, expect, it } from "vitest";
import { meterModels } from "@metrum/catalogue";
import { ingest, recountSample } from "#metering/messages";
import { aReading, openTestStore, type TestStore } from "#testing/readings";
import { recountPointSample } from "./sample.ts";
import { computeTotals } from "./totalsJob.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

it("TRUST-011 a sample of days is counted again, and a changed number is found and not repaired", async () => {
  const model = meterModels.find(({ profileFrom }) => profileFrom === "tariff0");
  const device = await store.addDevice({ modelId: model?.id ?? 0, zone: "UTC" });
  const now = Math.floor(Date.now() / 1000);
  const start = now - (now % 86_400) - 8 * 86_400;
  await store.query(
    `insert into accounting_point (company_id, name, resource_type_id, timezone)
      select company_id, 'Point', 1, 'UTC' from device where id = $1`,
    [device],
  );
  await store.query(
    `insert into point_device (point_id, company_id, device_id, field, from_ts)
      select id, company_id, $1, 'tariff0', $2 from accounting_point`,
    [device, start],
  );
  const hours = Array.from({ length: 7 * 24 }, (_, n) => n);
  await ingest(
    store.services,
    hours.map((n) =>
      aReading({ deviceId: device, ts: start + n * 3600, values: { tariff0: n / 3, voltage1: 220 + n / 7 } }),
    ),
  );
  await store.query("update point_due set again_at = 0");
  await store.query("update reading_due set due_at = 0");
  while ((await computeTotals(store.services)) > 0);
  await store.query("delete from reading_due");

  const [devices, points] = [await recountSample(store.services), await recountPointSample(store.services)];
  expect(devices.checked).toBeGreaterThan(4);
  expect(points.checked).toBeGreaterThan(4);
  expect([devices.differing, points.differing]).toEqual([[], []]);

  await store.query("update point_day set amount = amount + 0.000001");
  await store.query("update reading_day set n = n + 1 where device_id = $1", [device]);
  const [wrongDevices, wrongPoints] = [
    await recountSample(store.services),
    await recountPointSample(store.services),
  ];
  expect(wrongDevices.differing).toHaveLength(wrongDevices.checked);
  expect(wrongDevices.differing[0]).toMatch(/^device \d+, type 1, 20/);
  expect(wrongPoints.differing[0]).toMatch(/^point \d+, main, 20/);
  // Nothing was repaired.
  expect((await recountPointSample(store.services)).differing.length).toBeGreaterThan(0);

  await store.query("update point_month set days = '0:1'");
  const { differing } = await recountPointSample(store.services);
  expect(differing.some((each) => /^point \d+, month of 20\d\d-\d\d-01$/.test(each))).toBe(true);
});
