import { meterModels } from "@metrum/catalogue";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  capacity,
  faultyReadingsOf,
  holdsHours,
  Oracle,
  randomOf,
  type FaultyReading,
} from "#testing/series/faultyMeter";
import { expectedState, storedState } from "#testing/series/faultyMeterState";
import {
  countedReadingsOf,
  troubles,
  wrongOf,
  type Counted,
  type Trouble,
} from "#testing/series/countingMeter";
import { at, openTestStore, type TestStore } from "#testing/readings";
import { ingest } from "./ingest/ingest.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const start = at("2026-05-09T20:00:00Z");
const batches = 130;
/** Those from 24 on were judged by a value that was not the last trusted one. */
const seeds = [1, 2, 3, 4, 5, 6, 7, 24, 40, 311, 375, 544];

test("TRUST-002 TRUST-003 TRUST-004 TRUST-008 for meters with every kind of fault, stored and shown values equal those of an oracle", async () => {
  const meters = await Promise.all(
    seeds.map(async (seed) => {
      const deviceId = await store.addDevice({ modelId: smallModel(), zone: "UTC" });
      return { deviceId, oracle: new Oracle(), readings: faultyReadingsOf(deviceId, start, randomOf(seed)) };
    }),
  );

  for (let n = 0; n < batches; n++) {
    const batch: FaultyReading[] = [];
    for (const { oracle, readings } of meters) {
      const { value } = readings.next();
      oracle.take(value);
      batch.push(value.reading);
    }
    await ingest(store.services, batch);
  }
  await store.services.parts.readingStore.settle();

  const totals = { growth: 0, quarantined: 0 };
  for (const { deviceId, oracle } of meters) {
    const expected = expectedState(oracle);
    expect(await storedState(store.services, deviceId)).toEqual(expected);
    totals.growth += expected.growth.length;
    totals.quarantined += expected.quarantined.length;
  }
  expect(totals.growth).toBeGreaterThan(1_000);
  expect(totals.quarantined).toBeGreaterThan(20);
});

test("TRUST-025 TRUST-030 an exchange at any fill bills nothing, rollovers and large counters are exact, a wobble adds nothing", async () => {
  const meters = await Promise.all(
    Array.from({ length: 30 }, async (_, n) => {
      const trouble = Object.keys(troubles)[n % 3] as Trouble;
      const deviceId = await store.addDevice({ modelId: pulseModel(), zone: "UTC" });
      await store.query("update device set impulse_weight = $2 where id = $1", [
        deviceId,
        troubles[trouble].capacity / 2 ** 32,
      ]);
      const readings = countedReadingsOf(deviceId, { start, trouble, random: randomOf(n + 1) });
      return { trouble, readings, counted: new Array<Counted>() };
    }),
  );

  for (let n = 0; n < 150; n++) {
    for (const { readings, counted } of meters) counted.push(readings.next().value);
    await ingest(
      store.services,
      meters.flatMap(({ counted }) => counted.at(-1)?.reading ?? []),
    );
  }

  for (const { trouble, counted } of meters)
    expect([trouble, await wrongOf(store.services, trouble, counted)]).toEqual([trouble, []]);
  const exchanges = meters.flatMap(({ counted }) => counted.filter(({ isExchanged }) => isExchanged));
  expect(exchanges.length).toBeGreaterThan(10);
});

/** Of few digits, so that it rolls over. */
const smallModel = (): number =>
  meterModels.find((each) => each.counterCapacity === capacity && each.holdsHours === holdsHours)?.id ?? 0;
const pulseModel = (): number => meterModels.find(({ pulses }) => pulses)?.id ?? 0;
