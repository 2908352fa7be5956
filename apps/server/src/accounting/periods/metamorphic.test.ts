import { balances, objectConsumption, pointHistory } from "@metrum/contract/accounting";
import { meterModels } from "@metrum/catalogue";
import { statuses, type DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dayText, decimal, plus, startOfDay, textOf, times, zero, type Decimal } from "#core";
import { computeTotals } from "#accounting/accounting-points";
import { dueKinds, ingest, markDependants, type Incoming } from "#metering/messages";
import { openTree, type TreeApi } from "#testing/objectTree";
import { aReading, at } from "#testing/readings";
import { chance } from "#testing/series/registerHistory";

const now = at("2026-11-10T09:00:00Z");
const zone = "Europe/Berlin";
const [hour, daySec] = [3600, 86_400];
const dayOfText = (text: string): number => at(`${text}T00:00:00Z`) / daySec;
/** Days with readings: each has a change of the clock, an end of a month, and four days in which no reading is missing. */
const windows = [
  { first: "2026-03-22", last: "2026-04-05", whole: ["2026-03-27", "2026-03-30"] },
  { first: "2026-10-19", last: "2026-11-07", whole: ["2026-10-23", "2026-10-26"] },
].map(({ first, last, whole: [from = "", to = ""] }) => ({
  ...{ from: startOfDay(zone, dayOfText(first)), to: startOfDay(zone, dayOfText(last)) },
  whole: { from: dayOfText(from), to: dayOfText(to) },
}));
const clockChanges = ["2026-03-29", "2026-10-25"].map(dayOfText);
const months = ["2026-03", "2026-04", "2026-10", "2026-11"] as const;
const registers = ["main", "tariff1", "tariff2"] as const;
const factors = ["1", "40", "0.333333", "1.5"] as const;
const model = meterModels.find(
  ({ counterCapacity, fields }) =>
    counterCapacity === 1_000_000 &&
    ["tariff0", "tariff1", "tariff2"].every((name) => fields.some((each) => each === name)),
);

let tree: TreeApi;
let top: string;
/** Two nodes below the top, with three points each. */
const nodes: { readonly id: string; readonly points: readonly number[] }[] = [];
const all = (): number[] => nodes.flatMap(({ points }) => points);

beforeAll(async () => {
  tree = await openTree({ clock: { now: () => now } });
  top = await tree.add("Town");
  for (const name of ["First", "Second"]) {
    const id = await tree.add(name, top);
    const points: number[] = [];
    for (let n = 0; n < 3; n++) points.push((await aPoint(10 * nodes.length + n, id)).id);
    nodes.push({ id, points });
  }
  await computed();
}, 120_000);
afterAll(() => tree.api.close());

const system = () => tree.api.services.database.system;

async function computed(): Promise<void> {
  for (let runs = 1; runs > 0;) {
    await sql`update reading_due set due_at = 0`.execute(system());
    await sql`update point_due set due_at = 0, again_at = 0`.execute(system());
    runs = await computeTotals(tree.api.services);
  }
}

interface Row {
  readonly ts: number;
  readonly values: { readonly tariff0: number; readonly tariff1: number; readonly tariff2: number };
}

/**
 * A counter of two tariffs that is read every three hours. Its growth in thousandths divides by three, and is even over
 * a hole, so that what is divided at midnight has no rest.
 */
function rowsByChance(seed: number): Row[] {
  const pick = chance(seed);
  let [one, two] = [pick(900_000), pick(90_000)];
  return windows.flatMap(({ from, to, whole }) => {
    const hole = holeOf(pick, { from, to, whole });
    let [ofOne, ofTwo] = [0, 0];
    const rows: Row[] = [];
    for (const ts of instants(from, to)) {
      if (!(ts > hole.from && ts <= hole.to)) [ofOne, ofTwo] = [3 * pick(900), 3 * pick(400)];
      [one, two] = [one + ofOne, two + ofTwo];
      const values = { tariff0: (one + two) / 1000, tariff1: one / 1000, tariff2: two / 1000 };
      if (!(ts >= hole.from && ts < hole.to)) rows.push({ ts, values });
    }
    return rows;
  });
}

/** Every three hours, and the end: nothing goes on over the time to the next window. */
const instants = (from: number, to: number): number[] => {
  const steps = Math.ceil((to - from) / (3 * hour));
  return [...Array.from({ length: steps }, (_, n) => from + n * 3 * hour), to];
};

type Window = (typeof windows)[number];

/** Time without a reading, of every second history: before the whole days or after them, also over an end of a month. */
function holeOf(pick: (below: number) => number, { from, to, whole }: Window): { from: number; to: number } {
  if (pick(2) === 0) return { from: 0, to: 0 };
  const [before, after] = [startOfDay(zone, whole.from), startOfDay(zone, whole.to + 1)];
  const [first, last] = pick(2) === 0 ? [from, before] : [after, to];
  const steps = Math.floor((last - first) / (3 * hour));
  const length = 3 + pick(Math.min(16, steps - 6));
  // On the instants of the readings.
  const start = from + Math.ceil((first - from) / (3 * hour) + 1 + pick(steps - length - 3)) * 3 * hour;
  return { from: start, to: start + length * 3 * hour };
}

/** A point of a meter, whose ratio changes with a reading. */
async function aPoint(
  seed: number,
  node: string,
  isKept: (row: Row) => boolean = () => true,
): Promise<{ readonly id: number; readonly readings: readonly Incoming[] }> {
  const { first: company } = tree.api.companies;
  const { rows: made } = await sql<{ id: number }>`
    insert into accounting_point (company_id, object_id, name, resource_type_id, timezone)
    values (${company}, ${Number(node)}, ${`Point ${String(seed)}`}, 3, ${zone}) returning id`.execute(
    system(),
  );
  const id = made[0]?.id ?? 0;
  const deviceId = (await tree.aDevice()) as DeviceId;
  await sql`update device set model_id = ${model?.id ?? 0} where id = ${deviceId}`.execute(system());
  await sql`insert into point_device (point_id, company_id, device_id, field, from_ts)
    values (${id}, ${company}, ${deviceId}, 'tariff0', ${windows[0]?.from ?? 0})`.execute(system());
  const rows = rowsByChance(seed);
  const changesAt = rows[rows.length >> 1]?.ts ?? 0;
  for (const [from, to, factor] of [
    [0, changesAt, factors[seed % factors.length]],
    [changesAt, null, factors[(seed + 1) % factors.length]],
  ] as const)
    await sql`insert into point_term (point_id, company_id, kind, from_ts, to_ts, number)
      values (${id}, ${company}, 'ratio', ${from}, ${to}, ${factor ?? "1"}::numeric)`.execute(system());
  const readings = rows
    .filter(isKept)
    .map(({ ts, values }) => aReading({ deviceId, ts, receivedAt: ts + 5, source: "imported", values }));
  await ingest(tree.api.services, readings);
  return { id, readings };
}

interface StoredDay {
  readonly point: number;
  readonly field: string;
  readonly day: string;
  readonly amount: string | null;
  readonly gap: string | null;
  readonly gapDay: string | null;
}

const daysOfPoints = async (): Promise<StoredDay[]> =>
  (
    await sql<StoredDay>`
      select point_id as point, field, day::text as day, amount::text as amount, gap_amount::text as gap,
        gap_day::text as "gapDay" from point_day where point_id = any(${all()}::int[]) order by 1, 2, 3`.execute(
      system(),
    )
  ).rows;

const sumOf = (amounts: readonly (string | null)[]): Decimal =>
  amounts.flatMap((each) => (each === null ? [] : [decimal(each)])).reduce(plus, zero);

/** The sum of days, and of the gaps that lie in the time that both names begin with. */
const totalIn = (days: readonly StoredDay[], name: string): string =>
  textOf(
    sumOf(
      days.flatMap(({ day, amount, gap, gapDay }) =>
        day.startsWith(name) ? [amount, gapDay?.startsWith(name) ? gap : null] : [],
      ),
    ),
  );

it("TRUST-026 BAL-005 points add up to the balance of their node, with their coefficients, over both changes of the clock", async () => {
  const stored = await daysOfPoints();
  const coefficients = ["1", "-0.5", "2"];
  for (const { id: node, points } of nodes) {
    const formula = points.map((point_id, n) => ({
      ...{ point_id, coefficient: Number(coefficients[n]) },
      role: n === 2 ? ("out" as const) : ("in" as const),
    }));
    const made = await tree.ask(balances.create, {
      name: `Node ${node}`,
      resource_type_id: 3,
      points: formula,
    });
    if (made.status !== 200) throw new Error(made.text);
    const id = String(made.data.balance_group.id);
    for (const { whole } of windows) {
      const days = Array.from({ length: whole.to - whole.from + 1 }, (_, n) => dayText(whole.from + n));
      const amountOf = (n: number): Decimal =>
        times(
          sumOf(
            stored.flatMap(({ point, field, day, amount }) =>
              point === points[n] && field === "main" && days.includes(day) ? [amount] : [],
            ),
          ),
          decimal(coefficients[n] ?? "0"),
        );

      const [startDate, stopDate] = [startOfDay(zone, whole.from), startOfDay(zone, whole.to + 1)];
      const { balance } = (await tree.ask(balances.compute, { startDate, stopDate }, { id })).data;

      expect([balance.total.days, balance.total.computed_days]).toEqual([4, 4]);
      expect(balance.total.in).toBeCloseTo(Number(textOf(plus(amountOf(0), amountOf(1)))), 5);
      expect(balance.total.out).toBeCloseTo(Number(textOf(amountOf(2))), 5);
      expect(balance.total.in).not.toBe(0);
    }
  }
});

it("TRUST-026 TREE-026 branches add up to the node above them, in every part of a month and a year", async () => {
  for (const period of ["month", "year"] as const) {
    const typesOf = async (object_id: string) => {
      const { types } = (await tree.ask(objectConsumption.calculate, { object_id, period })).data;
      return types[0];
    };
    const [whole, ...branches] = [
      await typesOf(top),
      ...(await Promise.all(nodes.map(({ id }) => typesOf(id)))),
    ];

    expect(whole?.amount).toBe(textOf(sumOf(branches.map((each) => each?.amount ?? null))));
    for (const [n, { amount }] of (whole?.parts ?? []).entries()) {
      const parts = branches.map((each) => each?.parts[n]?.amount ?? null);
      expect(amount).toBe(parts.every((each) => each === null) ? null : textOf(sumOf(parts)));
    }
  }
});

it("TRUST-026 days and gaps add up to months, and months to the year, of every register", async () => {
  const stored = await daysOfPoints();
  for (const point of all())
    for (const field of registers) {
      const own = stored.filter((each) => each.point === point && each.field === field);
      const table = (await tree.ask(pointHistory.months, { accounting_point_id: point, field, months: 12 }))
        .data;
      for (const month of months)
        expect([point, field, month, table.months.find((each) => each.month === month)?.consumption]).toEqual(
          [...[point, field, month, Number(totalIn(own, month))]],
        );
    }
  const main = stored.filter(({ field }) => field === "main");
  const { types } = (await tree.ask(objectConsumption.calculate, { object_id: top, period: "year" })).data;
  expect(types[0]?.amount).toBe(totalIn(main, "2026"));
  for (const { day, amount } of types[0]?.parts ?? [])
    if (amount !== null) expect([day, amount]).toEqual([day, totalIn(main, day.slice(0, 7))]);
  // A gap over the end of a month is in the year and in none of its months.
  expect(main.some(({ day, gapDay }) => gapDay !== null && gapDay.slice(0, 7) !== day.slice(0, 7))).toBe(
    true,
  );
});

it("TRUST-026 tariffs add up to the total on every day and in every gap, whatever the ratio", async () => {
  const stored = await daysOfPoints();
  const of = (field: string) => stored.filter((each) => each.field === field);
  const [main, one, two] = registers.map(of);
  const numbers = main?.map(({ point, day, amount, gap }, n) => {
    const sum = (name: "amount" | "gap") =>
      textOf(sumOf([one?.[n]?.[name] ?? null, two?.[n]?.[name] ?? null]));
    return [
      [point, day, textOf(sumOf([amount])), textOf(sumOf([gap]))],
      [one?.[n]?.point, one?.[n]?.day, sum("amount"), sum("gap")],
    ];
  });

  expect(numbers?.filter(([total, tariffs]) => JSON.stringify(total) !== JSON.stringify(tariffs))).toEqual(
    [],
  );
  expect(main?.filter(({ gap }) => gap !== null).length).toBeGreaterThan(1);
  expect(main?.length).toBeGreaterThan(150);
});

it.each([1, 2, 3, 4])(
  "TRUST-001 TRUST-011 a day whose readings are rejected leaves the days that there are without them, history %i",
  async (seed) => {
    const node = await tree.add(`Without ${String(seed)}`);
    const isOfDay = ({ ts }: Pick<Row, "ts">): boolean =>
      clockChanges.some((day) => ts >= startOfDay(zone, day) && ts < startOfDay(zone, day + 1));
    const whole = await aPoint(40 + seed, node);
    await computed();
    const without = await aPoint(40 + seed, node, (row) => !isOfDay(row));
    for (const { deviceId, ts } of whole.readings.filter(isOfDay)) {
      await sql`update message set status = ${statuses.rejected.id} where device_id = ${deviceId} and ts = ${ts}`.execute(
        system(),
      );
      await markDependants(system(), dueKinds.points, [{ deviceId, from: ts, to: ts }]);
    }
    await computed();

    const rowsOf = async (point: number) =>
      (
        await sql<object>`
          select to_jsonb(d) - 'point_id' - 'computed_at' as row from point_day d where point_id = ${point}
          order by field, day`.execute(system())
      ).rows;
    const [rejected, absent] = [await rowsOf(whole.id), await rowsOf(without.id)];

    expect(rejected).toEqual(absent);
    expect(absent.length).toBeGreaterThan(60);
  },
);
