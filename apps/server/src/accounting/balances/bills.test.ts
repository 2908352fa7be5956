import { balances } from "@metrum/contract/accounting";
import { afterAll, beforeAll, expect, it } from "vitest";
import { month, november, openBalances, type BalanceApi } from "#testing/series/balance";

let bench: BalanceApi;
beforeAll(async () => {
  bench = await openBalances();
});
afterAll(() => bench.api.close());

it("TRUST-017 a balance of a closed month says where a bill differs from what is counted now", async () => {
  const { query, ask, aPoint, days, aGroup, computed } = bench;
  const [input, out, late] = [await aPoint("Input"), await aPoint("Out"), await aPoint("Late")];
  for (const [point, amount] of [
    [input, 100],
    [out, 90],
    [late, 9],
  ] as const)
    await days(
      point,
      month(() => amount),
    );
  const id = await aGroup({ name: "TP-26", input_point_ids: [input], output_point_ids: [out, late] });
  const open = await computed(id);
  await query(
    `with period as (
      insert into settlement_period (company_id, from_day, to_day, state, version, closed_at)
      values ($1, '2026-11-01', '2026-11-30', 'closed', 2, 1793491200) returning id
    ), version as (
      insert into period_version (period_id, company_id, version, kind, made_at, points, lacking, estimated, digest)
      select id, $1, 2, 'correction', 1793491200, 2, 0, 0, repeat('0', 64) from period
    )
    insert into period_total (period_id, version, company_id, point_id, field, name, resource_type_id, timezone, amount,
      estimated, length_sec, covered_sec, flags)
    select id, 2, $1, point, 'main', 'P', 3, 'UTC', amount, 0, 2592000, 2592000, 0
    from period, unnest($2::int[], $3::numeric[]) as b (point, amount)`,
    [bench.company, [input, out], [3000, 2687.5]],
  );

  const { closed, points } = await computed(id);
  const days27 = await computed(id, { ...november, stopDate: november.stopDate - 86_400 });
  const report = await ask(balances.report, {
    params: { id: String(id) },
    body: { ...november, format: "json" as const },
  });
  await query("delete from settlement_period");

  expect([open.closed, open.points.flatMap(({ bills }) => bills), days27.closed]).toEqual([[], [], []]);
  expect(closed).toEqual([
    {
      ...{ from_day: "2026-11-01", to_day: "2026-11-30", version: 2, differing: 2 },
      text: "11.2026 is closed, version 2: points with another bill: 2. The balance is of the present data",
    },
  ]);
  expect(points.map(({ name, bills }) => [name, bills.map(({ text }) => text)])).toEqual([
    ["Input", []],
    [
      "Out",
      ["Version 2 of the closed month 11.2026 bills 2\u00A0687.500 kWh. Later data: difference +12.500 kWh"],
    ],
    ["Late", ["Version 2 of the closed month 11.2026 bills nothing of the point. Later data: 270.000 kWh"]],
  ]);
  expect(points[1]?.bills[0]).toMatchObject({ amount: 2687.5, now: 2700, difference: 12.5 });
  const notes = report.data.report.data.map(({ note }) => note);
  expect(notes).toContain(closed[0]?.text);
  expect(notes.some((note) => note.includes("bills nothing of the point"))).toBe(true);
});
