import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { meterModels } from "@metrum/catalogue";
import type { FieldName } from "@metrum/vocabulary";
import { counterAt, derive, nearSec, type Counter } from "./derive.ts";
import { deriveDue } from "./deriveJob.ts";
import { withLoad } from "#testing/load";
import { withoutRollover } from "../growth/counter.ts";
import { ingest } from "../ingest/ingest.ts";
import { aReading, at, openTestStore, type TestStore } from "#testing/readings";

const noon = at("2026-05-10T12:00:00Z");
const span = { from: noon, to: noon + 6 * 3600 };

const counter = (
  readings: readonly (readonly [minute: number, value: number])[],
  range = withoutRollover,
): Counter => ({
  ts: readings.map(([minute]) => noon + minute * 60),
  value: readings.map(([, value]) => value),
  range,
});
const million = withLoad({ capacity: 1_000_000, start: 0 }, 50);
const powerOf = (tariff0: Counter, given: { zone?: string } = {}) =>
  derive({
    counters: new Map<FieldName, Counter>([["tariff0", tariff0]]),
    zone: given.zone ?? "UTC",
    profileFrom: "tariff0",
    ...span,
  })
    .filter(({ msgType }) => msgType === 5)
    .map(({ ts, values }) => [(ts - noon) / 60, values.power_a_plus]);

describe("derive", () => {
  test("average power is the growth of a half-hour, stamped with its start", () => {
    expect(
      powerOf(
        counter([
          [0, 10],
          [30, 11],
          [60, 11],
          [90, 13],
        ]),
      ),
    ).toEqual([
      [0, 2],
      [30, 0],
      [60, 4],
    ]);
  });

  test("the counter at the boundary is interpolated between near readings", () => {
    expect(
      powerOf(
        counter([
          [-5, 10],
          [5, 12],
          [25, 12],
          [35, 14],
        ]),
      ),
    ).toEqual([[0, 4]]);
  });

  test("DATA-053 where readings are missing there is a gap, never a filled interval", () => {
    expect(
      powerOf(
        counter([
          [0, 10],
          [30, 11],
          [130, 15],
          [150, 16],
          [180, 17],
        ]),
      ),
    ).toEqual([
      [0, 2],
      [150, 2],
    ]);
    expect(
      powerOf(
        counter([
          [0, 10],
          [29, 11],
          [31, 3],
          [60, 4],
        ]),
      ),
    ).toEqual([]);
  });

  test("TRUST-002 the average over a rollover is correct, read at the boundary or interpolated across it", () => {
    expect(
      powerOf(
        counter(
          [
            [0, 999_990],
            [30, 10],
            [60, 11],
          ],
          million,
        ),
      ),
    ).toEqual([
      [0, 40],
      [30, 2],
    ]);
    const across = counter(
      [
        [-5, 999_998],
        [5, 2],
        [25, 4],
        [35, 6],
      ],
      million,
    );
    expect(powerOf(across)).toEqual([[0, 10]]);
    expect(counterAt(across, noon, nearSec.halfHour)).toBe(0);
    expect(counterAt(across, noon - 60, nearSec.halfHour)).toBe(999_999.6);
  });

  test("TRUST-001 a reset within a half-hour makes it unknown, however high the counter is at its end", () => {
    expect(
      powerOf(
        counter([
          [0, 10],
          [10, 15],
          [20, 3],
          [30, 12],
          [60, 13],
        ]),
      ),
    ).toEqual([[30, 2]]);
  });

  test("hours and days are those of the zone", () => {
    const counters = new Map<FieldName, Counter>([
      [
        "in1",
        counter([
          [0, 1],
          [15, 2],
          [75, 3],
        ]),
      ],
    ]);
    const rows = derive({ counters, zone: "Asia/Kathmandu", profileFrom: undefined, ...span });

    expect(rows.map(({ msgType, ts }) => [msgType, (ts - noon) / 60])).toEqual([
      [100, 15],
      [100, 75],
    ]);
  });

  const aCounter = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 3000 })), {
      minLength: 2,
      maxLength: 60,
    })
    .map((steps) => {
      let [minute, value] = [-20, 100];
      return counter(steps.map(([minutes, growth]) => [(minute += minutes), (value += growth / 1000)]));
    });

  test("intervals add up to the difference of the counter readings, and exist between near readings only", () => {
    fc.assert(
      fc.property(aCounter, (readings) => {
        const rows = derive({
          counters: new Map<FieldName, Counter>([["tariff0", readings]]),
          zone: "UTC",
          profileFrom: "tariff0",
          ...span,
        });
        const hourly = new Map(
          rows.filter((row) => row.msgType === 100).map((row) => [row.ts, row.values.tariff0]),
        );
        const power = new Map(
          rows.filter((row) => row.msgType === 5).map((row) => [row.ts, row.values.power_a_plus]),
        );
        for (const [ts, start] of hourly) {
          const [end, first, second] = [hourly.get(ts + 3600), power.get(ts), power.get(ts + 1800)];
          if (start === undefined || end === undefined || first === undefined || second === undefined)
            continue;
          expect((first + second) / 2).toBeCloseTo(end - start, 5);
        }
        for (const ts of power.keys())
          for (const edge of [ts, ts + 1800]) {
            const before = Math.max(...readings.ts.filter((each) => each <= edge));
            const after = Math.min(...readings.ts.filter((each) => each >= edge));
            expect(after - before).toBeLessThanOrEqual(nearSec.halfHour);
          }
      }),
    );
  });
});

describe("derived rows in the store", () => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore();
  });
  afterAll(() => store.close());
  const model = meterModels.find(({ profileFrom }) => profileFrom === "tariff0");

  const stored = (deviceId: number, msgType: number) =>
    store.query<{ minute: number; v: number[]; source: number }>(
      "select ((ts - $3) / 60)::int as minute, v, source from message where device_id = $1 and msg_type = $2 order by ts",
      [deviceId, msgType, noon],
    );
  const mark = (deviceId: number) =>
    store.query(
      "insert into reading_due (kind, device_id, from_ts, to_ts) values (0, $1, $2::int8, $2::int8 + 5400)",
      [deviceId, noon],
    );
  const read = (deviceId: Parameters<typeof aReading>[0]["deviceId"], minute: number, tariff0: number) =>
    aReading({
      deviceId,
      ts: noon + minute * 60,
      receivedAt: noon + 7200,
      source: "imported",
      values: { tariff0 },
    });

  test("are computed automatically from new and late readings, and stored once", async () => {
    const deviceId = await store.addDevice({ modelId: model?.id ?? 0, zone: "UTC" });
    await ingest(store.services, [read(deviceId, 0, 10), read(deviceId, 30, 11), read(deviceId, 90, 15)]);
    await deriveDue(store.services);
    expect(await stored(deviceId, 5)).toEqual([{ minute: 0, v: [2], source: 5 }]);

    await ingest(store.services, [read(deviceId, 60, 14)]);
    await deriveDue(store.services);

    expect((await stored(deviceId, 5)).map(({ minute, v }) => [minute, v[0]])).toEqual([
      [0, 2],
      [30, 6],
      [60, 2],
    ]);
    expect((await stored(deviceId, 100)).map(({ minute, v }) => [minute, v[0]])).toEqual([
      [0, 10],
      [60, 14],
    ]);
    expect(
      await store.query("select * from reading_due where kind = 0 and device_id = $1", [deviceId]),
    ).toEqual([]);
    expect(await store.query("select * from message_revision where device_id = $1", [deviceId])).toEqual([]);
  });

  test("never replace a measured row, nor add to its values", async () => {
    const deviceId = await store.addDevice({ modelId: model?.id ?? 0, zone: "UTC" });
    await ingest(store.services, [
      { ...read(deviceId, 0, 0), msgType: 5, values: { power_a_plus: 2.5 } },
      read(deviceId, 0, 10),
      read(deviceId, 30, 11),
      aReading({ deviceId, ts: noon, values: { tariff_reactive0: 3 }, msgType: 100 }),
    ]);

    await deriveDue(store.services);

    expect(await stored(deviceId, 5)).toEqual([{ minute: 0, v: [2.5], source: 3 }]);
    expect(await stored(deviceId, 100)).toEqual([{ minute: 0, v: [3], source: 1 }]);
  });

  test("DATA-053 are deleted when a reading they depend on is rejected; rows of other sources stay", async () => {
    const deviceId = await store.addDevice({ modelId: model?.id ?? 0, zone: "UTC" });
    await ingest(store.services, [
      ...[0, 30, 60, 90].map((minute) => read(deviceId, minute, 10 + minute / 30)),
      aReading({ deviceId, ts: noon - 3600, values: { tariff0: 8 }, msgType: 100 }),
      aReading({ deviceId, ts: noon + 150 * 60, values: { power_a_plus: 3 }, msgType: 5 }),
    ]);
    await deriveDue(store.services);
    expect((await stored(deviceId, 5)).map(({ minute }) => minute)).toEqual([0, 30, 60, 150]);
    expect((await stored(deviceId, 100)).map(({ minute }) => minute)).toEqual([-60, 0, 60]);

    await store.query("update message set status = 4 where device_id = $1 and msg_type = 1 and ts >= $2", [
      deviceId,
      noon + 3600,
    ]);
    await mark(deviceId);
    await deriveDue(store.services);

    expect(await stored(deviceId, 5)).toEqual([
      { minute: 0, v: [2], source: 5 },
      { minute: 150, v: [3], source: 1 },
    ]);
    expect(await stored(deviceId, 100)).toEqual([
      { minute: -60, v: [8], source: 1 },
      { minute: 0, v: [10], source: 5 },
    ]);
    const days = await store.query(
      "select msg_type, n, last, sum from reading_day where device_id = $1 and msg_type > 1 order by msg_type",
      [deviceId],
    );
    expect(days).toEqual([
      { msg_type: 5, n: 2, last: [3], sum: [5] },
      { msg_type: 100, n: 2, last: [10], sum: [] },
    ]);
    const latest = await store.query(
      "select msg_type, ((ts - $2) / 60)::int as minute, v, source from device_latest where device_id = $1 and msg_type > 1 order by msg_type",
      [deviceId, noon],
    );
    expect(latest).toEqual([
      { msg_type: 5, minute: 150, v: [3], source: 1 },
      { msg_type: 100, minute: 0, v: [10], source: 5 },
    ]);
    const history = await store.query(
      "select msg_type, ((ts - $2) / 60)::int as minute, v, source, reason from message_revision where device_id = $1 order by msg_type, ts",
      [deviceId, noon],
    );
    const reason = "no longer follows from the readings";
    expect(history).toEqual([
      { msg_type: 5, minute: 30, v: [2], source: 5, reason },
      { msg_type: 5, minute: 60, v: [2], source: 5, reason },
      { msg_type: 100, minute: 60, v: [12], source: 5, reason },
    ]);
  });

  test("are deleted when no row of their type is left, and return with the reading", async () => {
    const deviceId = await store.addDevice({ modelId: model?.id ?? 0, zone: "UTC" });
    const setStatus = (status: number) =>
      store.query("update message set status = $2 where device_id = $1 and msg_type = 1", [deviceId, status]);
    const models = () =>
      store.query(
        `select msg_type from device_latest where device_id = $1 and msg_type > 1
          union all select msg_type from reading_day where device_id = $1 and msg_type > 1 order by 1`,
        [deviceId],
      );
    await ingest(store.services, [read(deviceId, 0, 10), read(deviceId, 30, 11)]);
    await deriveDue(store.services);
    const before = await models();

    await setStatus(4);
    await mark(deviceId);
    await deriveDue(store.services);
    expect([...(await stored(deviceId, 5)), ...(await stored(deviceId, 100)), ...(await models())]).toEqual(
      [],
    );

    await setStatus(1);
    await mark(deviceId);
    await deriveDue(store.services);
    expect((await stored(deviceId, 5)).map(({ minute, v }) => [minute, v])).toEqual([[0, [2]]]);
    expect(await models()).toEqual(before);
  });

  test("lose only the field that a correction has made unknown", async () => {
    const deviceId = await store.addDevice({ modelId: model?.id ?? 0, zone: "UTC" });
    const both = (minute: number, tariff0: number, tariff_reactive0: number) => ({
      ...read(deviceId, minute, tariff0),
      values: { tariff0, tariff_reactive0 },
    });
    await ingest(store.services, [both(0, 10, 5), both(30, 11, 6)]);
    await deriveDue(store.services);
    expect((await stored(deviceId, 5)).map(({ v }) => v)).toEqual([[2, 2]]);

    await ingest(store.services, [{ ...both(30, 12, 4), status: "corrected" }]);
    await deriveDue(store.services);

    expect((await stored(deviceId, 5)).map(({ v }) => v)).toEqual([[4]]);
  });

  test("survive a kill during the work: leased ranges are leased again", async () => {
    const deviceId = await store.addDevice({ modelId: model?.id ?? 0, zone: "UTC" });
    await ingest(store.services, [read(deviceId, 0, 10), read(deviceId, 30, 11)]);
    await store.query("update reading_due set leased_until = extract(epoch from now())::int8 + 60");
    expect(await deriveDue(store.services)).toBe(0);

    const later = {
      ...store.services,
      clock: { ...store.services.clock, now: () => store.services.clock.now() + 61 },
    };
    await deriveDue(later);
    await ingest(store.services, [read(deviceId, 0, 10), read(deviceId, 30, 11)]);
    await deriveDue(store.services);

    expect(await stored(deviceId, 5)).toEqual([{ minute: 0, v: [2], source: 5 }]);
  });

  test("a device that fails three times is parked with its error until its next reading, others continue", async () => {
    const [bad, good] = [
      await store.addDevice({ modelId: model?.id ?? 0, zone: "UTC" }),
      await store.addDevice({ modelId: model?.id ?? 0, zone: "UTC" }),
    ];
    let minutes = 0;
    const run = () => {
      const now = store.services.clock.now() + 61 * minutes++;
      return deriveDue({ ...store.services, clock: { ...store.services.clock, now: () => now } });
    };
    const due = () =>
      store.query("select attempts, error from reading_due where kind = 0 and device_id = $1", [bad]);
    await ingest(store.services, [read(bad, 0, 10), read(bad, 30, 11)]);
    await ingest(store.services, [read(good, 0, 10), read(good, 30, 11)]);
    // A row that cannot be read: JSON has no infinity.
    await store.query("update message set v = '{Infinity}' where device_id = $1 and ts = $2", [bad, noon]);

    expect([await run(), await run(), await run(), await run()]).toEqual([2, 1, 1, 0]);
    expect((await stored(good, 5)).map(({ v }) => v)).toEqual([[2]]);
    expect(await due()).toEqual([{ attempts: 3, error: expect.stringContaining("JSON") as string }]);

    await store.query("update message set v = '{10}' where device_id = $1 and ts = $2", [bad, noon]);
    await ingest(store.services, [read(bad, 60, 12)]);
    expect(await due()).toEqual([{ attempts: 0, error: null }]);
    expect(await run()).toBe(1);
    expect((await stored(bad, 5)).map(({ v }) => v)).toEqual([[2], [2]]);
    expect(await due()).toEqual([]);
  });

  test("readings within one half-hour need no recomputation", async () => {
    const deviceId = await store.addDevice({ modelId: model?.id ?? 0, zone: "UTC" });
    await ingest(store.services, [read(deviceId, 1, 10)]);
    await deriveDue(store.services);

    await ingest(store.services, [read(deviceId, 2, 11)]);
    await ingest(store.services, [read(deviceId, 3, 12)]);

    expect(
      await store.query("select * from reading_due where kind = 0 and device_id = $1", [deviceId]),
    ).toEqual([]);
  });

  test("TRUST-025 a late load decides about a fall within a later day that ends higher than it begins", async () => {
    const rolls = meterModels.find(
      ({ profileFrom, counterCapacity }) => profileFrom === "tariff0" && counterCapacity === 1_000_000,
    );
    const deviceId = await store.addDevice({ modelId: rolls?.id ?? 0, zone: "UTC" });
    const trusted = (minute: number, value: number, status: "measured" | "corrected" = "measured") => ({
      ...read(deviceId, minute, value),
      status,
    });
    const twoDays = 2 * 1440;
    await ingest(store.services, [trusted(0, 999_990), trusted(30, 5), trusted(60, 999_991, "corrected")]);
    await deriveDue(store.services);
    const unknown = await stored(deviceId, 5);

    await ingest(store.services, [trusted(-twoDays - 30, 999_500), trusted(-twoDays, 999_510)]);
    await deriveDue(store.services);

    expect(unknown).toEqual([]);
    expect((await stored(deviceId, 5)).map(({ minute, v }) => [minute, v[0]])).toEqual([
      [-twoDays - 30, 20],
      [0, 30],
    ]);
  });

  test("TRUST-002 the profile over a rollover is correct; only suspect values are excluded", async () => {
    const rolls = meterModels.find(
      ({ profileFrom, counterCapacity }) => profileFrom === "tariff0" && counterCapacity === 1_000_000,
    );
    const top = rolls?.counterCapacity ?? 0;
    const deviceId = await store.addDevice({ modelId: rolls?.id ?? 0, zone: "UTC" });
    await ingest(store.services, [
      read(deviceId, -60, top - 30),
      read(deviceId, -30, top - 20),
      read(deviceId, 0, top - 10),
      read(deviceId, 20, top - 15),
      read(deviceId, 30, 10),
      read(deviceId, 60, 11),
    ]);
    await store.query(
      `update message set status = 1, by_field = '{"tariff0": {"status": 3, "source": 3, "received_at": 1}}'
        where device_id = $1 and ts = $2`,
      [deviceId, noon + 1200],
    );

    await deriveDue(store.services);

    expect((await stored(deviceId, 5)).map(({ minute, v }) => [minute, v[0]])).toEqual([
      [-60, 20],
      [-30, 20],
      [0, 40],
      [30, 2],
    ]);
  });
});
