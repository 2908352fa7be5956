import { meterModels } from "@metrum/catalogue";
import { completeness } from "@metrum/contract/insight";
import { devices, readings } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { addMeter } from "#testing/meter";
import { aReading, at } from "#testing/readings";
import { ingest } from "../ingest/ingest.ts";
import { recountZones } from "../recounts/zoneJob.ts";

const now = at("2026-06-10T10:30:00Z");
/** Midnight of Berlin, a week earlier. */
const weekStart = at("2026-06-03T22:00:00Z");
const [hour, day] = [3600, 86_400];

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openTestApi({
    clock: { now: () => now, nowMs: () => now * 1000, monotonicMs: () => performance.now() },
  });
  token = await api.signIn("engineer@metrum.example");
});
afterAll(() => api.close());

/** A meter that has been on the platform for a year. */
async function aDevice(given: { periodSec?: number; modelId?: number } = {}): Promise<DeviceId> {
  const id = await addMeter(api);
  await api.services.database.pool.query(
    "update device set report_period_update = $2, model_id = coalesce($3, model_id), created_at = to_timestamp($4) where id = $1",
    [id, given.periodSec ?? hour, given.modelId ?? null, now - 365 * day],
  );
  return id;
}

const stripOf = async (id: DeviceId) => {
  const { data } = await api.ask(devices.list, { token, input: { body: { ids: [id] } } });
  return data.metering_devices.data[0]?.completeness;
};

async function summaryOf(id: DeviceId, msgType: number, from: number, to: number, profile?: 60) {
  const body = { device_id: id, msgType, startDate: from, stopDate: to - 1 };
  const { data, text } = await api.ask(readings.summary, {
    token,
    input: { body: profile ? { ...body, profile_type: profile } : body },
  });
  expect(data, text).toHaveProperty("expected");
  return data;
}

/** The share of each of the last seven days as shown on the data page. */
const pageOf = (id: DeviceId, msgType: number) =>
  Promise.all(
    Array.from({ length: 7 }, async (_, at) => {
      const from = weekStart + at * day;
      const { received_share } = await summaryOf(id, msgType, from, from + day);
      return received_share === null ? null : received_share / 100;
    }),
  );

const put = (deviceId: DeviceId, msgType: number, times: readonly number[]) =>
  ingest(
    api.services,
    times.map((ts, nth) => aReading({ deviceId, ts, msgType, values: { tariff1: 100 + nth } })),
  );
const everyFrom = (step: number, from = weekStart) =>
  Array.from({ length: Math.floor((now - from) / step) + 1 }, (_, nth) => from + nth * step);

/** A model with instantaneous values and no readings. */
const sensor = meterModels.find(({ tabs }) => {
  const types: number[] = Object.values(tabs).flatMap(({ msgTypes }) => [...msgTypes]);
  return types.includes(2) && !types.includes(1);
});

const cases: readonly [string, { periodSec: number; msgType: number; modelId?: number; step: number }][] = [
  ["every minute", { periodSec: 60, msgType: 1, step: 300 }],
  ["hourly", { periodSec: hour, msgType: 1, step: hour }],
  ["daily", { periodSec: day, msgType: 1, step: day }],
  ["weekly", { periodSec: 7 * day, msgType: 1, step: 7 * day }],
  ["a sensor without readings", { periodSec: hour, msgType: 2, modelId: sensor?.id ?? 0, step: hour }],
];

test.each(cases)("TRUST-009 %s: the list and the data page show the same share", async (_, given) => {
  const id = await aDevice(given);
  await put(id, given.msgType, everyFrom(given.step));

  const strip = await stripOf(id);

  expect(strip).toEqual(await pageOf(id, given.msgType));
  expect(strip?.slice(0, 6)).toEqual([1, 1, 1, 1, 1, 1]);
});

test("TRUST-009 a gap is the same in the list, on the page and beside the rows; a daily meter is not assessed by hours", async () => {
  const [meter, daily] = [await aDevice(), await aDevice({ periodSec: day })];
  const hole = weekStart + 2 * day + 5 * hour;
  await put(
    meter,
    1,
    everyFrom(hour).filter((ts) => ts < hole || ts >= hole + 3 * hour),
  );
  await put(
    daily,
    1,
    everyFrom(day).filter((_, nth) => nth !== 2),
  );

  expect(await stripOf(meter)).toEqual([1, 1, 21 / 24, 1, 1, 1, 1]);
  expect(await stripOf(daily)).toEqual([1, 1, 0, 1, 1, 1, 1]);
  const week = await summaryOf(meter, 1, weekStart, now);
  expect(week).toMatchObject({ gaps: [{ from: hole, to: hole + 3 * hour, missing: 3 }], gap_count: 1 });
  const { data } = await api.ask(readings.list, {
    token,
    input: { body: { device_id: meter, msgType: 1, startDate: weekStart, stopDate: now - 1, limit: 5 } },
  });
  // Share and gaps are those of the period, however few of its rows are returned.
  expect(data).toMatchObject({ truncated: true, summary: { gaps: week.gaps, expected: week.expected } });
});

test("TRUST-001 TRUST-009 a suspect row does not count as received; the hourly archive fills its hour later", async () => {
  const id = await aDevice();
  const from = weekStart + 5 * day;
  await ingest(api.services, [
    aReading({ deviceId: id, ts: from, values: { tariff1: 10 } }),
    aReading({ deviceId: id, ts: from + hour, values: { tariff1: 11 }, status: "suspect" }),
  ]);
  const before = await summaryOf(id, 1, from, from + 2 * hour);
  await put(id, 100, [from + hour]);
  const after = await summaryOf(id, 1, from, from + 2 * hour);

  expect([before.received, before.expected, before.gaps]).toEqual([
    1,
    2,
    [{ from: from + hour, to: from + 2 * hour, missing: 1 }],
  ]);
  expect([after.received, after.expected, after.gaps]).toEqual([2, 2, []]);
});

test("TRUST-012 TRUST-007 after a change of the zone, board, list and page count the days of the new one", async () => {
  const id = await aDevice();
  const lost = weekStart + 2 * day + 5 * hour;
  await put(
    id,
    1,
    everyFrom(hour).filter((ts) => ts !== lost),
  );
  await api.services.database.pool.query("update device set timezone = 'Asia/Almaty' where id = $1", [id]);
  await api.services.database.pool.query("update zone_due set due_at = 0");
  while ((await recountZones(api.services)) > 0);

  const { data } = await api.ask(completeness.indications, {
    token,
    input: { body: { device_id: id, start_date: now - 6 * day, stop_date: now } },
  });

  const days = data.devices.data[0]?.types[0]?.days ?? [];
  expect(days.map(({ expected, received }) => received / expected)).toEqual(await stripOf(id));
  expect(days.flatMap(({ holes }) => holes.map(({ from }) => from))).toContain(lost);
  expect(data.devices.data[0]?.timezone_name).toBe("Asia/Almaty");
});

test("an event-driven type has no share and no gaps, and today's slots count only once they are due", async () => {
  const id = await aDevice({ periodSec: day });
  await put(id, 3, [weekStart]);

  expect(await summaryOf(id, 3, weekStart, now)).toMatchObject({
    expected: null,
    received_share: null,
    gaps: [],
  });
  expect(await stripOf(id)).toEqual([0, 0, 0, 0, 0, 0, null]);
});

test("TRUST-001 GENERAL-019 growth of a period excludes suspect values, and is unknown over a reset", async () => {
  const growthOver = async (values: readonly number[], suspectAt = -1) => {
    const id = await aDevice();
    await ingest(
      api.services,
      values.map((tariff1, nth) =>
        aReading({
          deviceId: id,
          ts: weekStart + nth * hour,
          values: { tariff1 },
          ...(nth === suspectAt ? { status: "suspect" as const } : {}),
        }),
      ),
    );
    const { totals } = await summaryOf(id, 1, weekStart, weekStart + day);
    const of = (kind: string) => totals.find((each) => each.kind === kind && each.name === "tariff1")?.value;
    return [of("growth"), of("latest")];
  };

  expect(await growthOver([100, 130, 150])).toEqual([50, 150]);
  expect(await growthOver([123456, 0, 123457], 1)).toEqual([1, 123457]);
  expect(await growthOver([100, 130, 2, 5])).toEqual([null, 5]);
});

test("PROFILE-007 energy, maximum and tg φ of a profile come from the server, in half-hours and in hours", async () => {
  const id = await aDevice();
  const rows: [active: number | null, reactive: number | null][] = [
    [10, 5],
    [20, 10],
    [30, null],
    [40, 20],
  ];
  await ingest(
    api.services,
    rows.map(([power_a_plus, power_r_plus], nth) =>
      aReading({
        deviceId: id,
        msgType: 5,
        ts: weekStart + nth * 1800,
        values: { power_a_plus, power_r_plus },
      }),
    ),
  );
  const span = [weekStart, weekStart + 3 * hour] as const;
  const halves = await summaryOf(id, 5, ...span);
  const hours = await summaryOf(id, 5, ...span, 60);
  const of = ({ totals }: typeof halves) =>
    totals
      .filter(({ kind }) => kind !== "latest")
      .map(({ name, kind, value, from }) => [name, kind, value, (from - weekStart) / 1800]);

  expect(of(halves)).toEqual([
    ["power_a_plus", "energy", 50, 0],
    ["power_a_plus", "maximum", 40, 3],
    ["power_r_plus", "energy", 17.5, 0],
    ["power_r_plus", "maximum", 20, 3],
  ]);
  expect([halves.tg_phi, halves.received, halves.expected]).toEqual([0.5, 4, 6]);
  expect(halves.gaps).toEqual([{ from: weekStart + 2 * hour, to: weekStart + 3 * hour, missing: 2 }]);
  expect(of(hours)[0]).toEqual(["power_a_plus", "energy", 50, 0]);
  expect([hours.received, hours.expected]).toEqual([2, 3]);
});
