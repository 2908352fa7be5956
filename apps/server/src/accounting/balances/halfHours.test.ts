import { balances } from "@metrum/contract/accounting";
import type { DeviceId } from "@metrum/vocabulary";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ingest } from "#metering/messages";
import { november, openBalances, type BalanceApi } from "#testing/series/balance";
import { aReading } from "#testing/readings";

let bench: BalanceApi;
beforeAll(async () => {
  bench = await openBalances();
});
afterAll(() => bench.api.close());

/** The first day of November alone. */
const oneDay = { startDate: november.startDate, stopDate: november.startDate + 86_400 };
const slot = (nth: number) => november.startDate + nth * 1800;

async function measured(name: string) {
  const device = await bench.aDevice();
  return { device, point: await bench.aPoint(name, { device }) };
}

const powers = (deviceId: number, values: readonly (number | null)[], more: object = {}) =>
  ingest(
    bench.api.services,
    values.flatMap((power_a_plus, nth) =>
      power_a_plus === null
        ? []
        : [
            aReading({
              ...{ deviceId: deviceId as DeviceId, ts: slot(nth), msgType: 5, values: { power_a_plus } },
              ...more,
            }),
          ],
    ),
  );

const halfHours = async (id: number, body = oneDay) => {
  const answer = await bench.ask(balances.halfHours, { params: { id: String(id) }, body });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data.half_hours;
};

it("BAL-005 half-hours are exact: what is shown adds up, and an imbalance at the limit does not exceed it", async () => {
  const into = await measured("Exact input");
  const outs = [];
  for (let n = 0; n < 10; n += 1) outs.push(await measured(`Tenth ${String(n)}`));
  // Nine times 0.05 and 1.45 are not 1.9 in binary fractions; of 2 kWh, 5 % are missing and allowed, exactly.
  await powers(into.device, [4]);
  for (const [n, { device }] of outs.entries()) await powers(device, [n === 9 ? 2.9 : 0.1]);
  const id = await bench.aGroup({
    ...{ name: "Exact", allowed_imbalance: 5, loss_rule: "none" },
    points: [
      { point_id: into.point, role: "in" },
      ...outs.map(({ point }) => ({ point_id: point, role: "out" as const })),
    ],
  });

  const [first] = await halfHours(id);

  expect(first).toMatchObject({ in: 2, out: 1.9, imbalance: 0.1, imbalance_percent: 5, exceeds: false });
});

it("BAL-005 BAL-006 half-hours come from power profiles; one without a point has no sums, and says how many lack", async () => {
  const [into, out] = [await measured("Input"), await measured("Feeder")];
  await bench.query(
    `insert into point_term (point_id, company_id, kind, from_ts, number, reading) values ($1, $2, 'ratio', 0, 20, '{}')`,
    [into.point, bench.company],
  );
  await powers(into.device, [10, 12, 14]);
  await powers(out.device, [60, null, 70]);
  const id = await bench.aGroup({
    ...{ name: "TP-16", allowed_imbalance: 5, loss_rule: "percent", loss_value: 2 },
    points: [
      { point_id: into.point, role: "in" },
      { point_id: out.point, role: "out", coefficient: 3 },
    ],
  });

  const found = await halfHours(id);

  expect(found).toHaveLength(48);
  // 10 kW times 20 over half an hour; 60 kW times 3; 2 % of what came in.
  expect(found[0]).toEqual({
    ...{ from: slot(0), in: 100, out: 90, losses: 2, imbalance: 8, imbalance_percent: 8, exceeds: true },
    missing_points: 0,
  });
  expect(found[1]).toEqual({
    ...{ from: slot(1), in: null, out: null, losses: null, imbalance: null, imbalance_percent: null },
    ...{ exceeds: false, missing_points: 1 },
  });
  expect(found[2]).toMatchObject({ in: 140, out: 105, imbalance: 32.2, imbalance_percent: 23 });
  expect(found[3]?.missing_points).toBe(2);
});

it("BAL-006 TRUST-001 a suspect power enters no half-hour; a point counts on the days of the formula", async () => {
  const [into, out, late] = [await measured("Input"), await measured("Feeder"), await measured("Late")];
  await powers(into.device, [10, 10]);
  await powers(out.device, [9]);
  await powers(out.device, [null, 9], { status: "suspect" });
  const id = await bench.aGroup({
    ...{ name: "TP-17", loss_rule: "fixed", loss_value: 48 },
    points: [
      { point_id: into.point, role: "in" },
      { point_id: out.point, role: "out" },
      { point_id: late.point, role: "out", from_day: "2026-11-02" },
    ],
  });

  const found = await halfHours(id);

  // A fixed amount of 48 a day is 1 in each of its half-hours.
  expect(found[0]).toMatchObject({ in: 5, out: 4.5, losses: 1, imbalance: -0.5, missing_points: 0 });
  expect(found[1]).toMatchObject({ in: null, missing_points: 1 });
});

it("BAL-005 BAL-006 a point of a single tariff or of reactive energy is not taken for one of active power", async () => {
  const [into, out] = [await measured("Whole"), await measured("Other register")];
  await powers(into.device, [10]);
  await powers(out.device, [9]);
  const id = await bench.aGroup({
    ...{ name: "Registers", input_point_ids: [into.point], output_point_ids: [out.point] },
  });
  const missing = async (field: string) => {
    await bench.query("update point_device set field = $2 where point_id = $1", [out.point, field]);
    return (await halfHours(id))[0]?.missing_points;
  };

  expect([await missing("tariff0"), await missing("tariff1"), await missing("tariff_reactive0")]).toEqual([
    0, 1, 1,
  ]);
});

it("BAL-005 other resources have no half-hours; more than one picture holds are refused", async () => {
  const water = [
    await bench.aPoint("Water in", { resource: 1 }),
    await bench.aPoint("Water out", { resource: 1 }),
  ];
  const wet = await bench.aGroup({
    ...{ name: "Well", input_point_ids: water.slice(0, 1), output_point_ids: water.slice(1) },
  });
  expect(await halfHours(wet)).toEqual([]);

  const points = await Promise.all(Array.from({ length: 40 }, (_, nth) => bench.aPoint(`P${String(nth)}`)));
  const long = await bench.ask(balances.halfHours, {
    params: {
      id: String(
        await bench.aGroup({
          name: "Long",
          input_point_ids: points.slice(0, 1),
          output_point_ids: points.slice(1, 2),
        }),
      ),
    },
    body: { ...november, startDate: november.startDate - 30 * 86_400 },
  });
  expect(long.code).toBe("too_large");
  const large = await bench.aGroup({
    ...{ name: "Large", input_point_ids: points.slice(0, 1), output_point_ids: points.slice(1) },
  });
  const answer = await bench.ask(balances.halfHours, { params: { id: String(large) }, body: november });
  expect([answer.status, answer.code]).toEqual([413, "too_large"]);
});

it("BAL-005 a day of 25 hours has 50 half-hours", async () => {
  const point = (name: string) => bench.aPoint(name, { timezone: "Europe/Berlin" });
  const id = await bench.aGroup({
    ...{ name: "Berlin", input_point_ids: [await point("In")], output_point_ids: [await point("Out")] },
  });
  const start = Date.parse("2026-10-24T22:00:00Z") / 1000;

  expect(await halfHours(id, { startDate: start, stopDate: start + 25 * 3600 })).toHaveLength(50);
});
