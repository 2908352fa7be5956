import { heatBounds, objectHeat } from "@metrum/contract/accounting";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTree, type TreeApi } from "#testing/objectTree";

let tree: TreeApi;
beforeAll(async () => {
  tree = await openTree();
});
afterAll(() => tree.api.close());

const noon = (day: string) => Date.parse(`${day}T04:00:00Z`) / 1000;

async function aPoint(
  node: string,
  resource: number,
  days: readonly (readonly [string, string | null, number])[],
) {
  const { system } = tree.api.services.database;
  const { rows } = await sql<{ id: number }>`
    insert into accounting_point (company_id, object_id, name, resource_type_id, timezone)
    values (${tree.api.companies.first}, ${Number(node)}, 'Heat', ${resource}, 'Asia/Ulaanbaatar') returning id`.execute(
    system,
  );
  const id = rows[0]?.id ?? 0;
  for (const [day, amount, known] of days)
    await sql`insert into point_day (point_id, field, day, amount, length_sec, known_sec, computed_at)
      values (${id}, 'main', ${day}::date, ${amount}::numeric, 86400, ${known}, 0)`.execute(system);
  return id;
}

it("TREE-015 the heat of a branch is the exact sum of its heat points, and what is missing is said, never zero", async () => {
  const top = await tree.add("Heated district");
  const house = await tree.add("Heated house", top);
  const other = await tree.add("Elsewhere");
  const whole = [
    ["2026-03-01", "0.1", 86_400],
    ["2026-03-02", "0.2", 86_400],
  ] as const;
  await aPoint(top, 4, whole);
  const half = await aPoint(house, 7, [["2026-03-01", "1.000000000000000001", 43_200]]);
  const none = await aPoint(house, 4, []);
  await aPoint(house, 3, [["2026-03-01", "500", 86_400]]);
  await aPoint(other, 4, whole);
  const ask = (object_id: string, startDate: string, stopDate: string) =>
    tree.ask(objectHeat.calculate, { object_id, startDate: noon(startDate), stopDate: noon(stopDate) });

  const { data } = await ask(top, "2026-03-01", "2026-03-02");

  expect(data).toMatchObject({
    from_day: "2026-03-01",
    to_day: "2026-03-02",
    unit: "Gcal",
    amount: "1.300000000000000001",
    estimated: "0",
    covered_sec: 86_400 * 2 + 43_200,
    length_sec: 86_400 * 6,
    point_count: 3,
    incomplete_count: 2,
  });
  expect(data.points.map((each) => [each.accounting_point_id, each.amount])).toEqual([
    [none, null],
    [half, "1.000000000000000001"],
    [expect.any(Number), "0.3"],
  ]);
  expect((await ask(house, "2026-03-05", "2026-03-06")).data).toMatchObject({
    amount: null,
    covered_sec: 0,
    point_count: 2,
  });
  expect((await ask(top, "2026-03-02", "2026-03-01")).status).toBe(422);
});

it("TREE-015 a branch with more heat points than can be computed says so, and gives no part of its heat as the whole", async () => {
  const top = await tree.add("Heated city");
  const { system } = tree.api.services.database;
  const add = (count: number) =>
    sql`insert into accounting_point (company_id, object_id, name, resource_type_id, timezone)
      select ${tree.api.companies.first}, ${Number(top)}, 'Heat', 4, 'UTC' from generate_series(1, ${count}::int)`.execute(
      system,
    );
  const ask = async () => {
    const { data } = await tree.ask(objectHeat.calculate, {
      ...{ object_id: top, startDate: noon("2026-03-01"), stopDate: noon("2026-03-01") },
    });
    return [data.is_too_large, data.point_count, data.amount];
  };
  await add(heatBounds.points - 1);
  await aPoint(top, 4, [["2026-03-01", "0.5", 86_400]]);

  const most = await ask();
  await add(1);

  expect(most).toEqual([false, heatBounds.points, "0.5"]);
  expect(await ask()).toEqual([true, 0, null]);
});
