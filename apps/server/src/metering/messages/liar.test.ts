import { meterModels } from "@metrum/catalogue";
import { afterAll, beforeAll, expect, test } from "vitest";
import { capacity, liesOf, Oracle, randomOf, type Lie } from "#testing/lyingMeter";
import { expectedState, storedState } from "#testing/lyingVerdict";
import { at, openTestStore, type TestStore } from "#testing/readings";
import { ingest } from "./ingest.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const start = at("2026-05-09T20:00:00Z");
const batches = 120;

test("TRUST-002 TRUST-003 TRUST-004 TRUST-008 for meters with every kind of fault, stored and shown values equal those of an oracle", async () => {
  const meters = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const deviceId = await store.addDevice({ modelId: pulseModel(), zone: "UTC" });
      await store.query("update device set impulse_weight = $2 where id = $1", [
        deviceId,
        capacity / 2 ** 32,
      ]);
      return { deviceId, oracle: new Oracle(), lies: liesOf(deviceId, start, randomOf(n + 1)) };
    }),
  );

  for (let n = 0; n < batches; n++) {
    const batch: Lie[] = [];
    for (const { oracle, lies } of meters) {
      const { value } = lies.next();
      oracle.take(value);
      batch.push(value.lie);
    }
    await ingest(store.services, batch);
  }
  await store.services.parts.readingStore.settle();

  const known = { growth: 0, quarantined: 0 };
  for (const { deviceId, oracle } of meters) {
    const expected = expectedState(oracle);
    expect(await storedState(store.services, deviceId)).toEqual(expected);
    known.growth += expected.growth.length;
    known.quarantined += expected.quarantined.length;
  }
  expect(known.growth).toBeGreaterThan(1_000);
  expect(known.quarantined).toBeGreaterThan(20);
});

const pulseModel = (): number => meterModels.find(({ pulses }) => pulses)?.id ?? 0;
