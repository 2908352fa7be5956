import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { meterModels } from "@metrum/catalogue";
import { readings } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { startOfDay } from "#core";
import { openTestApi, type TestApi } from "#testing/api";
import { ingest } from "../ingest/ingest.ts";
import { addMeter } from "#testing/meter";
import { aReading, at } from "#testing/readings";

let api: TestApi;
let token: string;
let deviceId: DeviceId;
const start = at("2026-05-10T00:00:00Z");
const minute = 60;

beforeAll(async () => {
  api = await openTestApi();
  token = await api.signIn("engineer@metrum.example");
});
afterAll(() => api.close());

const query = (text: string, values: readonly unknown[]) =>
  api.services.database.pool.query(text, [...values]);
const setZone = (zone: string) => query("update device set timezone = $2 where id = $1", [deviceId, zone]);
const setModel = (id: number | undefined) =>
  query("update device set model_id = $2 where id = $1", [deviceId, id]);
const originsOf = (ts: number, byField: object) =>
  query("update message set by_field = $3 where device_id = $1 and ts = $2", [deviceId, ts, byField]);
const store = (...given: Parameters<typeof ingest>[1]) => ingest(api.services, given);
const read = (minutes: number, values: Parameters<typeof aReading>[0]["values"]) =>
  aReading({ deviceId, ts: start + minutes * minute, values });

async function columns(given: Partial<{ from: number; to: number; msgType: number; profile_type: 60 }> = {}) {
  const { from = start, to = start + 86_399, msgType = 1, ...rest } = given;
  const body = {
    device_id: deviceId,
    msgType,
    startDate: from,
    stopDate: to,
    shape: "columns",
    ...rest,
  } as const;
  const { data, text } = await api.ask(readings.list, {
    token,
    input: { body: { ...body, extra_fields: ["start_", "end_"], "r/a": true } },
  });
  if (!("columns" in data)) throw new Error(text);
  return data.columns;
}

describe("growth in the table", () => {
  test("TRUST-001 a suspect value has no growth and that of the next one is counted from the previous trusted one", async () => {
    deviceId = await addMeter(api);
    await store(read(0, { tariff1: 123_456 }), read(1, { tariff1: 0 }), read(2, { tariff1: 123_457 }));

    const cells = await columns();

    expect(cells["tariff1"]).toEqual([123_456, 0, 123_457]);
    expect(cells["status"]).toEqual(["measured", "suspect", "measured"]);
    expect(cells["delta_tariff1"]).toEqual([null, null, 1]);
    expect(cells["start_tariff1"]).toEqual([null, null, 123_456]);
    expect(cells["end_tariff1"]).toEqual([123_456, null, 123_457]);
  });

  test("TRUST-001 TRUST-002 growth of archives over a reset of the counter is unknown, in rows and totals", async () => {
    deviceId = await addMeter(api);
    const day = 1440;
    const archive = (days: number, tariff1: number) => ({ ...read(days * day, { tariff1 }), msgType: 101 });
    await store(
      ...[archive(-1, 4), archive(0, 10), archive(1, 12), archive(2, 15), archive(3, 16)],
      // On the second day the meter was replaced by one that began at 0, and has exceeded the first one.
      read(day + 60, { tariff1: 14 }),
      read(day + 120, { tariff1: 0 }),
      read(day + 180, { tariff1: 1 }),
      read(2 * day + 60, { tariff1: 15.5 }),
    );

    const from = start - 60;
    const to = start + 3 * 86_400;
    const cells = await columns({ from, to, msgType: 101 });
    const { data } = await api.ask(readings.summary, {
      token,
      input: { body: { device_id: deviceId, msgType: 101, startDate: from, stopDate: to } },
    });
    const calm = await columns({ from: start + 2 * 86_400, to, msgType: 101 });

    expect(cells["delta_tariff1"]).toEqual([6, 2, null, 1]);
    expect(data.totals.find(({ kind }) => kind === "growth")?.value).toBeNull();
    expect(calm["delta_tariff1"]).toEqual([null, 1]);
  });

  test("TRUST-025 growth of archives over a leap of the readings is unknown, however believable it looks", async () => {
    deviceId = await addMeter(api);
    await setModel(meterModels.find(({ counterCapacity }) => counterCapacity === 1_000_000)?.id);
    const archive = (days: number, tariff0: number) => ({ ...read(days * 1440, { tariff0 }), msgType: 101 });
    await store(...[archive(0, 100), archive(1, 510), archive(2, 530)]);
    await store(read(600, { tariff0: 101 }), read(601, { tariff0: 500 }), read(602, { tariff0: 501 }));

    const cells = await columns({ from: start - 60, to: start + 2 * 86_400, msgType: 101 });

    expect(cells["delta_tariff0"]).toEqual([null, null, 20]);
  });

  test("TRUST-001 trust is per value: a suspect value is marked and does not affect its neighbours", async () => {
    deviceId = await addMeter(api);
    await store(
      read(0, { tariff1: 10, tariff2: 5 }),
      read(1, { tariff1: 11, tariff2: 6 }),
      read(2, { tariff1: 13, tariff2: 9 }),
    );
    await originsOf(start + minute, { tariff2: { status: 3, source: 1, received_at: start + 61 } });

    const cells = await columns();

    expect(cells["delta_tariff1"]).toEqual([null, 1, 2]);
    expect(cells["delta_tariff2"]).toEqual([null, null, 4]);
    expect(cells["status"]).toEqual(["measured", "suspect", "measured"]);
    expect(cells["tariff2_status"]).toEqual([null, "suspect", null]);
    expect(cells["tariff1_status"]).toBeUndefined();
  });

  test("TRUST-001 missing values are skipped, never zero", async () => {
    deviceId = await addMeter(api);
    await store(
      read(0, { in1: 5 }),
      read(1, { in1: null }),
      read(2, { temperature: 1 }),
      read(3, { in1: 7 }),
    );

    expect((await columns())["delta_in1"]).toEqual([null, null, null, 2]);
  });

  test("TRUST-001 the first row is counted from the last trusted value of each field, however many rows are between", async () => {
    deviceId = await addMeter(api);
    await store(
      read(-500, { tariff2: 1 }),
      read(-400, { tariff1: 100, tariff2: 3 }),
      read(-300, { tariff1: 50 }),
      ...Array.from({ length: 120 }, (_, n) => read(n - 200, { temperature: n })),
      read(0, { tariff1: 104, tariff2: 10 }),
    );

    const cells = await columns();

    expect([cells["start_tariff1"], cells["delta_tariff1"]]).toEqual([[100], [4]]);
    expect([cells["start_tariff2"], cells["delta_tariff2"]]).toEqual([[3], [7]]);
  });

  test("TRUST-002 growth over a rollover is the true difference, and unknown for a counter that decreased", async () => {
    deviceId = await addMeter(api);
    await setModel(meterModels.find(({ counterCapacity }) => counterCapacity === 1_000_000)?.id);
    await store(
      read(0, { tariff0: 999_970 }),
      read(60, { tariff0: 999_990 }),
      read(120, { tariff0: 10 }),
      read(180, { tariff0: 300 }),
      read(240, { tariff0: 250 }),
      read(300, { tariff0: 251 }),
    );

    const cells = await columns();

    expect(cells["status"]).toEqual(["measured", "measured", "measured", "measured", "suspect", "measured"]);
    expect(cells["delta_tariff0"]).toEqual([null, 20, 20, 290, null, null]);
  });

  test("TRUST-025 a meter exchanged within the last tenth of its counter bills nothing, and its reading is suspect", async () => {
    deviceId = await addMeter(api);
    await setModel(meterModels.find(({ counterCapacity }) => counterCapacity === 10_000_000)?.id);
    // The first batch has the load, the second one only the fall.
    await store(read(0, { tariff0: 9_200_357 }), read(60, { tariff0: 9_200_359 }));
    await store(read(120, { tariff0: 3 }));
    await store(read(180, { tariff0: 5 }));

    const cells = await columns();
    const { data } = await api.ask(readings.summary, {
      token,
      input: { body: { device_id: deviceId, msgType: 1, startDate: start, stopDate: start + 86_399 } },
    });

    expect(cells["status"]).toEqual(["measured", "measured", "suspect", "measured"]);
    expect(cells["delta_tariff0"]).toEqual([null, 2, null, null]);
    expect(data.totals.find(({ kind }) => kind === "growth")?.value).toBeNull();
  });

  test("TRUST-025 a meter exchanged for one of a higher fill bills nothing, and its reading is suspect once", async () => {
    deviceId = await addMeter(api);
    await setModel(meterModels.find(({ counterCapacity }) => counterCapacity === 10_000_000)?.id);
    // Nothing is known of its load: what so many digits count at full load decides.
    await store(read(0, { tariff0: 3 }));
    await store(read(60, { tariff0: 9_200_359 }));
    await store(read(120, { tariff0: 9_200_361 }));
    await store(read(180, { tariff0: 9_200_364 }));

    const cells = await columns();
    const { data } = await api.ask(readings.summary, {
      token,
      input: { body: { device_id: deviceId, msgType: 1, startDate: start, stopDate: start + 86_399 } },
    });

    expect(cells["status"]).toEqual(["measured", "suspect", "measured", "measured"]);
    expect(cells["delta_tariff0"]).toEqual([null, null, null, 3]);
    expect(data.totals.find(({ kind }) => kind === "growth")?.value).toBeNull();
  });

  test("TRUST-025 one odd value, low or high, is suspect alone: what goes on from the value before it is right", async () => {
    deviceId = await addMeter(api);
    await setModel(meterModels.find(({ counterCapacity }) => counterCapacity === 10_000_000)?.id);
    for (const [n, tariff0] of [500_000, 9_000_000, 500_001, 0, 500_002, 500_003].entries())
      await store(read(n * 60, { tariff0 }));

    const cells = await columns();

    expect(cells["status"]).toEqual(["measured", "suspect", "measured", "suspect", "measured", "measured"]);
    expect(cells["delta_tariff0"]).toEqual([null, null, 1, null, 1, 1]);
  });

  test("TRUST-025 a leap counts as soon as a person vouches for it", async () => {
    deviceId = await addMeter(api);
    await setModel(meterModels.find(({ counterCapacity }) => counterCapacity === 10_000_000)?.id);
    await store(read(0, { tariff0: 100 }), read(60, { tariff0: 50_100 }), read(120, { tariff0: 50_101 }));
    const before = await columns();

    await store({ ...read(60, { tariff0: 50_100 }), status: "corrected" });
    const after = await columns();

    expect(before["delta_tariff0"]).toEqual([null, null, null]);
    expect(after["delta_tariff0"]).toEqual([null, 50_000, 1]);
  });

  test("TRUST-025 a late value or a repeat that leaps is suspect, and takes the place of nothing", async () => {
    deviceId = await addMeter(api);
    await setModel(meterModels.find(({ counterCapacity }) => counterCapacity === 10_000_000)?.id);
    await store(read(0, { tariff0: 100 }), read(60, { tariff0: 101 }), read(120, { tariff0: 102 }));

    await store(read(60, { tariff0: 9_000_000 }));
    const repeated = await columns();

    expect(repeated["tariff0"]).toEqual([100, 101, 102]);
    expect(repeated["delta_tariff0"]).toEqual([null, 1, 1]);
  });

  test("TRUST-025 what was late decides with: a rollover is believed as soon as the load before it is known", async () => {
    deviceId = await addMeter(api);
    await setModel(meterModels.find(({ counterCapacity }) => counterCapacity === 10_000_000)?.id);
    await store(read(120, { tariff0: 9_999_998 }));
    await store(read(180, { tariff0: 1 }), read(240, { tariff0: 4 }));
    const unknown = await columns();

    await store(read(0, { tariff0: 9_999_992 }), read(60, { tariff0: 9_999_995 }));
    const known = await columns();

    expect([unknown["status"], unknown["delta_tariff0"]]).toEqual([
      ["measured", "suspect", "measured"],
      [null, null, null],
    ]);
    // The reading that was suspect at its receipt stays so; the next one counts for both.
    expect(known["delta_tariff0"]).toEqual([null, 3, 3, null, 6]);
  });

  test("TRUST-030 a counter that wobbles by the last digit of a float consumes nothing", async () => {
    deviceId = await addMeter(api);
    const values = [0, 1, 0, 1, 0, 0, 1, 0].map((n) => 123_456.5 + n / 1e6);
    await store(...values.map((tariff0, n) => read(n, { tariff0 })));

    const cells = await columns();

    expect(new Set(cells["status"])).toEqual(new Set(["measured"]));
    expect(cells["delta_tariff0"]).toEqual([null, 0.000001, 0, 0, 0, 0, 0, 0]);
  });
});

describe("hours of a profile", () => {
  const half = (ts: number, values: Parameters<typeof aReading>[0]["values"]) =>
    aReading({ deviceId, msgType: 5, ts, receivedAt: ts + 3 * 3600, values });
  const hours = (from: number, to: number) => columns({ msgType: 5, profile_type: 60, from, to });

  test("PROFILE-015 half-hours with different field sets are averaged value by value", async () => {
    deviceId = await addMeter(api);
    await store(
      half(start, { power_a_plus: 4, power_r_plus: 1 }),
      half(start + 1800, { power_a_plus: 6, power_a_minus: 2 }),
    );

    const cells = await hours(start, start + 3599);

    expect(cells["datetime"]).toEqual([start]);
    expect([cells["power_a_plus"], cells["power_r_plus"], cells["power_a_minus"]]).toEqual([
      [5],
      [null],
      [null],
    ]);
  });

  test("TRUST-001 an hour with a suspect half-hour has no value of that field and is marked", async () => {
    deviceId = await addMeter(api);
    await store(
      ...[0, 1, 2, 3].map((n) => half(start + n * 1800, { power_a_plus: 4 + n, power_r_plus: 2 })),
      { ...half(start + 4 * 1800, { power_a_plus: 1 }), status: "rejected" },
      half(start + 5 * 1800, { power_a_plus: 1 }),
    );
    await originsOf(start + 1800, { power_a_plus: { status: 3, source: 1, received_at: start + 1900 } });

    const cells = await hours(start, start + 3 * 3600);

    expect(cells["power_a_plus"]).toEqual([null, 6.5, null]);
    expect(cells["power_r_plus"]).toEqual([2, 2, null]);
    expect(cells["r/a+"]).toEqual([null, 30.769231, null]);
    expect(cells["power_a_plus_status"]).toEqual(["suspect", null, null]);
    expect(cells["status"]).toEqual(["suspect", "measured", "rejected"]);
  });

  test.each([
    ["Europe/Berlin", "2026-03-29", 23, 23],
    ["Europe/Berlin", "2026-10-25", 25, 25],
    // Clocks move by half an hour: the remaining half-hour of the day is no hour.
    ["Australia/Lord_Howe", "2026-04-05", 25, 24],
    ["Australia/Lord_Howe", "2026-10-04", 24, 23],
    ["America/Caracas", "2016-05-01", 24, 23],
  ])(
    "RANGE-018 the hours of %s on %s are those of its clock, also after it is moved",
    async (zone, day, count, whole) => {
      deviceId = await addMeter(api);
      await setZone(zone);
      const number = Date.parse(day) / 86_400_000;
      const [from, to] = [startOfDay(zone, number), startOfDay(zone, number + 1)];
      await store(
        ...Array.from({ length: (to - from) / 1800 }, (_, n) => half(from + n * 1800, { power_a_plus: 2 })),
      );

      const cells = await hours(from, to - 1);

      expect(cells["datetime"]).toHaveLength(count);
      expect(cells["power_a_plus"]?.filter((value) => value === 2)).toHaveLength(whole);
      const stamps = (cells["datetime"] ?? []).filter((_, at) => cells["power_a_plus"]?.[at] === 2);
      const minutes = new Intl.DateTimeFormat("en", { timeZone: zone, minute: "numeric" });
      expect(new Set(stamps.map((ts) => minutes.format(Number(ts) * 1000)))).toEqual(new Set(["0"]));
    },
  );
});
