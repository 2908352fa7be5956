import { objectConsumption, type ConsumptionPeriod } from "@metrum/contract/accounting";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dayOf, dayText, startOfDay } from "#core";
import { openTree, type TreeApi } from "#testing/objectTree";
import { branchPeriod, partsOf } from "./branchPeriod.ts";

let tree: TreeApi;
beforeAll(async () => {
  tree = await openTree();
});
afterAll(() => tree.api.close());

interface StoredDay {
  /** Days before the present one. */
  readonly ago: number;
  readonly amount: string | null;
  readonly known?: number;
  readonly gap?: { readonly amount: string; readonly ago: number; readonly sec: number };
}

const zone = "Asia/Ulaanbaatar";
const dayAgo = (ago: number): string => dayText(dayOf(zone, tree.api.services.clock.now()) - ago);

async function aPoint(node: string, type: number, days: readonly StoredDay[]): Promise<number> {
  const { system } = tree.api.services.database;
  const { rows } = await sql<{ id: number }>`
    insert into accounting_point (company_id, object_id, name, resource_type_id, timezone)
    values (${tree.api.companies.first}, ${Number(node)}, 'Point', ${type}, ${zone}) returning id`.execute(
    system,
  );
  for (const { ago, amount, known = 86_400, gap } of days)
    await sql`insert into point_day
      (point_id, field, day, amount, length_sec, known_sec, gap_amount, gap_day, gap_sec, computed_at)
      values (${rows[0]?.id}, 'main', ${dayAgo(ago)}::date, ${amount}::numeric, 86400, ${known},
        ${gap?.amount ?? null}::numeric, ${gap ? dayAgo(gap.ago) : null}::date, ${gap?.sec ?? null}, 0)`.execute(
      system,
    );
  return rows[0]?.id ?? 0;
}

const days = (amount: string, last = 14): StoredDay[] =>
  Array.from({ length: last }, (_, at) => ({ ago: at + 1, amount }));
const ask = (object_id: string, period: ConsumptionPeriod = "week") =>
  tree.ask(objectConsumption.calculate, { object_id, period });

it("TREE-026 the consumption of a branch is exact, by type of point, and compared over points that are whole", async () => {
  const top = await tree.add("Consuming district");
  const house = await tree.add("Consuming house", top);
  await aPoint(await tree.add("Elsewhere"), 3, days("1000"));
  await aPoint(top, 3, [...days("0.1", 7), ...days("0.2", 14).slice(7)]);
  // A hole of the last week: what is known is summed, and nothing is compared.
  await aPoint(house, 3, [...days("5", 14).slice(1)]);
  await aPoint(house, 2, [{ ago: 3, amount: "1.000000000000000001", known: 3600 }]);
  await aPoint(house, 1, []);

  const { data } = await ask(top);

  expect(data).toMatchObject({
    from_day: dayAgo(7),
    to_day: dayAgo(1),
    before_from_day: dayAgo(14),
    before_to_day: dayAgo(8),
    step: "day",
    is_too_large: false,
  });
  const common = { estimated: "0", point_count: 1, whole_count: 0, change_percent: null, compared_count: 0 };
  expect(data.types).toMatchObject([
    { resource_type_id: 1, amount: null, ...common },
    { resource_type_id: 2, unit: "м³", amount: "1.000000000000000001", ...common },
    {
      ...{ resource_type_id: 3, amount: "30.7", point_count: 2, whole_count: 1 },
      ...{ change_percent: -50, compared_count: 1 },
    },
  ]);
  const [hot, cold, electricity] = data.types.map(({ parts }) => parts);
  expect(hot?.map(({ amount }) => amount)).toEqual(Array<null>(7).fill(null));
  expect(cold?.find(({ amount }) => amount !== null)).toMatchObject({ day: dayAgo(3), whole_count: 0 });
  expect(electricity?.at(-1)).toEqual({ day: dayAgo(1), amount: "0.1", whole_count: 1 });
  expect(electricity?.at(-2)).toEqual({ day: dayAgo(2), amount: "5.1", whole_count: 2 });
  expect(electricity?.map(({ day }) => day)).toEqual([7, 6, 5, 4, 3, 2, 1].map(dayAgo));
});

it("TREE-026 a gap counts where all of it lies in the span, and nobody else's branch is summed", async () => {
  const inside = await tree.add("Gap inside");
  const rest = days("1", 14).filter(({ ago }) => ago !== 3 && ago !== 2);
  await aPoint(inside, 5, [
    ...rest,
    { ago: 3, amount: "0.5", known: 43_200 },
    { ago: 2, amount: "0.25", known: 21_600, gap: { amount: "2", ago: 3, sec: 108_000 } },
  ]);
  const across = await tree.add("Gap from before");
  await aPoint(across, 5, [
    ...days("1", 14).filter(({ ago }) => ago !== 8 && ago !== 7),
    { ago: 8, amount: "0.5", known: 43_200 },
    { ago: 7, amount: "0.25", known: 21_600, gap: { amount: "2", ago: 8, sec: 108_000 } },
  ]);

  const [whole] = (await ask(inside)).data.types;
  const [holed] = (await ask(across)).data.types;

  expect(whole).toMatchObject({ amount: "7.75", whole_count: 1, change_percent: 10.7 });
  expect(whole?.parts.at(-2)).toMatchObject({ amount: "0.25", whole_count: 0 });
  expect(holed).toMatchObject({ amount: "6.25", whole_count: 0, change_percent: null });
  expect((await ask("999999")).status).toBe(404);
  const other = await tree.api.ask(objectConsumption.calculate, {
    token: await tree.api.token("engineer2@metrum.example"),
    input: { body: { object_id: inside, period: "week" } },
  });
  expect(other.status).toBe(404);
});

it("TREE-026 TRUST-026 a month and its year count a gap over their beginning where the month bills it", async () => {
  const top = await tree.add("Gap over a month");
  const { from_day } = (await ask(top, "month")).data;
  const first = Date.parse(from_day) / 86_400_000;
  const [begin, ends] = [startOfDay(zone, first - 2), startOfDay(zone, first + 1)];
  const point = await aPoint(top, 3, []);
  const { system } = tree.api.services.database;
  await sql`insert into point_day
    (point_id, field, day, amount, length_sec, known_sec, gap_amount, gap_day, gap_from, gap_sec, computed_at)
    values (${point}, 'main', ${from_day}, null, 86400, 0, 6.5, ${dayText(first - 2)}, ${begin}, ${ends - begin}, 0)`.execute(
    system,
  );
  const amounts = async () => {
    const found = [];
    for (const period of ["month", "year"] as const) {
      const [type] = (await ask(top, period)).data.types;
      const parts = type?.parts.filter(({ amount, whole_count }) => amount !== null || whole_count > 0);
      found.push([type?.amount, parts?.map(({ day, amount }) => [day, amount])]);
    }
    return found;
  };
  const isOfTheYear = from_day.slice(5, 7) !== "01";

  const open = await amounts();
  const last = dayText(first - 1);
  const { rows } = await sql<{ id: number }>`
    insert into settlement_period (company_id, from_day, to_day, state, version, closed_at)
    values (${tree.api.companies.first}, date_trunc('month', ${last}::date)::date, ${last}, 'closed', 1, 0) returning id`.execute(
    system,
  );
  const closed = await amounts();
  await sql`delete from settlement_period where id = ${rows[0]?.id}`.execute(system);

  expect(open).toEqual([
    [null, []],
    [isOfTheYear ? "6.5" : null, []],
  ]);
  expect(closed).toEqual([
    ["6.5", []],
    ["6.5", [[from_day, "6.5"]]],
  ]);
});

it("TREE-026 a point is whole from its first device on, as its card says, and without one it never is", async () => {
  const top = await tree.add("Of half a week");
  const point = await aPoint(top, 3, [
    ...days("1", 3),
    // From noon on.
    { ago: 4, amount: "0.5", known: 43_200 },
  ]);
  await aPoint(await tree.add("Of none", top), 2, days("1", 3));
  const wholeCounts = async () => {
    const { types } = (await ask(top)).data;
    return types.map(({ whole_count, parts }) => [whole_count, parts.map((part) => part.whole_count)]);
  };
  const none = [0, [0, 0, 0, 0, 1, 1, 1]];
  expect(await wholeCounts()).toEqual([none, none]);

  const noon = startOfDay(zone, dayOf(zone, tree.api.services.clock.now()) - 4) + 43_200;
  await sql`insert into point_device (point_id, company_id, device_id, field, from_ts)
    values (${point}, ${tree.api.companies.first}, ${await tree.aDevice()}, 'tariff0', ${noon})`.execute(
    tree.api.services.database.system,
  );
  expect(await wholeCounts()).toEqual([none, [1, [0, 0, 0, 1, 1, 1, 1]]]);
});

it("TREE-026 a year is told by months, a branch without points has nothing", async () => {
  const top = await tree.add("Of a year");
  await aPoint(top, 3, days("1", 40));

  const { data } = await ask(top, "year");

  expect(data.step).toBe("month");
  expect(data.types[0]?.parts.map(({ day }) => day)).toEqual(
    partsOf(branchPeriod("year", dayOf(zone, tree.api.services.clock.now()))),
  );
  expect(data.types[0]?.parts.at(-1)?.whole_count).toBe(1);
  expect((await ask(await tree.add("Nothing here"), "month")).data).toMatchObject({
    types: [],
    is_too_large: false,
  });
});

it("TREE-026 periods end yesterday and are compared with the same days of a shorter month or year", () => {
  const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 86_400_000;
  const told = (period: ConsumptionPeriod, today: string) => {
    const { now, before } = branchPeriod(period, day(today));
    return [now.from, now.to, before.from, before.to].map(dayText);
  };

  expect(told("month", "2026-11-26")).toEqual(["2026-11-01", "2026-11-25", "2026-10-01", "2026-10-25"]);
  expect(told("month", "2026-04-01")).toEqual(["2026-03-01", "2026-03-31", "2026-02-01", "2026-02-28"]);
  expect(told("month", "2027-01-02")).toEqual(["2027-01-01", "2027-01-01", "2026-12-01", "2026-12-01"]);
  expect(told("year", "2028-03-01")).toEqual(["2028-01-01", "2028-02-29", "2027-01-01", "2027-02-28"]);
  expect(told("year", "2027-01-01")).toEqual(["2026-01-01", "2026-12-31", "2025-01-01", "2025-12-31"]);
  expect(told("week", "2027-01-01")).toEqual(["2026-12-25", "2026-12-31", "2026-12-18", "2026-12-24"]);
});
