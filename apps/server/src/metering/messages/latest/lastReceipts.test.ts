import { afterAll, beforeAll, expect, test } from "vitest";
import { aReading, at, openTestStore, type TestStore } from "#testing/readings";
import { recountReceipts } from "#metering/device-state";
import { ingest } from "../ingest/ingest.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const slot = at("2026-05-10T12:00:00Z");
const day = 86_400;

test("state lost by a kill is restored at the start: receipts of devices, slots of imports", async () => {
  const [sent, imported, mixed, entered] = [
    await store.addDevice(),
    await store.addDevice(),
    await store.addDevice(),
    await store.addDevice(),
  ];
  const later = { receivedAt: slot + 30 * day };
  await ingest(store.services, [
    aReading({ deviceId: sent, ts: slot, values: { tariff0: 1 }, ...later }),
    aReading({ deviceId: imported, ts: slot, values: { tariff0: 1 }, source: "imported", ...later }),
    aReading({ deviceId: mixed, ts: slot, values: { tariff0: 1 } }),
    aReading({ deviceId: mixed, ts: slot + 60, values: { battery: 3 }, source: "imported", ...later }),
    aReading({ deviceId: entered, ts: slot, values: { tariff0: 1 }, source: "manual", ...later }),
  ]);
  await store.services.parts.readingStore.settle();
  const lastContact = async () =>
    (
      await store.query<{ at: number | null }>(
        "select last_data_at as at from device_state where device_id = any($1) order by device_id",
        [[sent, imported, mixed, entered]],
      )
    ).map((row) => row.at);
  const before = await lastContact();
  await store.query("update device_state set last_data_at = null, silent_at = null");

  await recountReceipts(store.services.database.pool);

  expect(before).toEqual([slot + 30 * day, slot, slot + 60, null]);
  expect(await lastContact()).toEqual(before);
});
