import { objectConsumption, periods, pointHistory, type PointMonth } from "@metrum/contract/accounting";
import { pathOf, type ReplyOf } from "@metrum/contract/core";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { decimal, microScale, plus, roundedTo, textOf, zero } from "#core";
import { computeTotals, dayFlags } from "#accounting/accounting-points";
import { openTree, type TreeApi } from "#testing/objectTree";
import { pointByChance, storeReadings, type PointByChance } from "#testing/series/pointsByChance";
import { at } from "#testing/readings";
import { chance } from "#testing/series/registerHistory";

const now = at("2026-11-10T09:00:00Z");
const zone = "Europe/Berlin";
/** Around both changes of the clock, and the end of a year. */
const starts = ["2025-11-28", "2026-03-10", "2026-06-20", "2026-09-28"].map((day) => at(`${day}T00:00:00Z`));
const pointCount = 6;
const fields = ["main", "tariff1"] as const;
const months = [12, ...Array.from({ length: 11 }, (_, n) => n + 1)].map(
  (month, n) => `${n === 0 ? "2025" : "2026"}-${String(month).padStart(2, "0")}`,
);

let tree: TreeApi;
beforeAll(async () => {
  tree = await openTree({ clock: { now: () => now } });
});
afterAll(() => tree.api.close());

const system = () => tree.api.services.database.system;

async function computed(): Promise<void> {
  for (let runs = 1; runs > 0;) {
    await sql`update reading_due set due_at = 0`.execute(system());
    await sql`update point_due set due_at = 0, again_at = 0`.execute(system());
    runs = await computeTotals(tree.api.services);
  }
}

async function close(month: string): Promise<number> {
  const { digest } = (await tree.ask(periods.preview, { month })).data.preview;
  const answer = await tree.ask(periods.close, { month, digest, accepts_incomplete: true });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data.period.id ?? 0;
}

async function correct(id: number): Promise<void> {
  const { digest } = (await tree.ask(periods.get, { id })).data.now;
  const answer = await tree.ask(periods.correct, { id, digest, reason: "Late readings" });
  if (answer.status !== 200 && answer.code !== "period_same") throw new Error(answer.text);
}

/** Months of a register as its file has them: what is billed, and what the days give now. */
async function fileOf(point: number, field: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const columns = ["month", "consumption", "now.consumption"].map((of) => ({ title: of, of: [of] }));
  const { body } = await tree.api.fastify.inject({
    method: "POST",
    url: `/api/${pathOf(pointHistory.months)}`,
    headers: {
      ...{ authorization: `Bearer ${tree.token}`, "accept-language": "en", "accept-encoding": "identity" },
    },
    payload: {
      ...{ accounting_point_id: point, field, months: 60 },
      file: { format: "csv", title: "Months", zone, columns },
    },
  });
  const lines = body.replace("\ufeff", "").trimEnd().split("\r\n").slice(1);
  return new Map(lines.map((line) => line.split(",")).map(([month = "", ...rest]) => [month, rest]));
}

interface Total {
  readonly point: number;
  readonly field: string;
  readonly month: string;
  /** What the days give now, exact; null: nothing is known. */
  readonly live: string | null;
  readonly billed: number | null | undefined;
}

const exact = (value: string | null): number | null => (value === null ? null : Number(value));
const sumOf = (values: readonly (string | null)[]): string =>
  textOf(values.flatMap((each) => (each === null ? [] : [decimal(each)])).reduce(plus, zero));

type Why = ReplyOf<typeof pointHistory.why>;

/** What a row and its line of the file show: the bill, else the days; and the days where these differ from the bill. */
function shownIn(row: PointMonth | undefined, line: readonly string[] = ["", ""]) {
  const written = line.map((text) => (text === "" ? null : Number(text)));
  const [shown, now] = [row?.consumption ?? null, row?.now?.consumption ?? null];
  return { shown, now, written, sum: row?.now ? now : shown };
}

/** The same by the explanation of the month, whose parts add up to its total; registers alone may differ too. */
function explained({ parts, billed, total_exact }: Why, hasNow: boolean): ReturnType<typeof shownIn> {
  const counted = parts.filter(({ kind }) => kind !== "uncounted");
  const sum = counted.length === 0 ? null : Number(sumOf(counted.map(({ amount_exact }) => amount_exact)));
  const total = exact(total_exact);
  const shown = billed ? billed.amount : total;
  const now = hasNow || (billed && billed.amount !== total) ? total : null;
  const written = [shown, now].map((each) => (each === null ? null : roundedTo(each, microScale)));
  return { shown, now, written, sum };
}

/** Totals of a register by months, by its explanation, table and file; `wrong` gets what differs. */
async function totalsOf(point: number, field: string, wrong: unknown[]): Promise<Total[]> {
  const named = { accounting_point_id: point, field };
  const table = (await tree.ask(pointHistory.months, { ...named, months: 60 })).data.months;
  const file = await fileOf(point, field);
  const found: Total[] = [];
  for (const month of months) {
    // The months before the first one with a day, and those after the last one, tell nothing.
    if (!table.some((each) => each.month === month)) {
      if (file.has(month)) wrong.push([point, field, month, file.get(month)]);
      found.push({ point, field, month, live: null, billed: undefined });
      continue;
    }
    const why = (await tree.ask(pointHistory.why, { ...named, month })).data;
    const row = table.find((each) => each.month === month);
    const [shown, expected] = [shownIn(row, file.get(month)), explained(why, row?.now != null)];
    if (why.is_behind || JSON.stringify(shown) !== JSON.stringify(expected))
      wrong.push([point, field, month, shown, expected]);
    const billed = why.billed ? why.billed.amount : undefined;
    found.push({ point, field, month, live: why.total_exact, billed });
  }
  return found;
}

/** The preview of a month against the totals of main registers. */
async function differingPreview(own: readonly Total[], month: string): Promise<unknown[]> {
  const { preview } = (await tree.ask(periods.preview, { month })).data;
  const main = sumOf(own.filter(({ field }) => field === "main").map(({ live }) => live));
  const amount = preview.resources.find(({ resource_type_id }) => resource_type_id === 3)?.amount ?? 0;
  return amount === Number(main) ? [] : [[month, amount, main]];
}

/** The newest version of a closed month, and what the days give now, against the totals. */
async function differingVersion(own: readonly Total[], id: number): Promise<unknown[]> {
  const { data } = (await tree.ask(periods.get, { id, per_page: 100 })).data.totals;
  return own.flatMap(({ point, field, month, live, billed = null }) => {
    const row = data.find((each) => each.point_id === point && each.field === field);
    const [amount, other] = row ? [row.amount, row.other.amount] : [null, null];
    return amount === billed && other === exact(live)
      ? []
      : [[month, point, field, amount, billed, other, live]];
  });
}

async function differingPeriods(totals: readonly Total[], closed: ReadonlyMap<string, number>) {
  const wrong: unknown[] = [];
  for (const month of months) {
    const own = totals.filter((each) => each.month === month);
    const id = closed.get(month);
    wrong.push(...(id === undefined ? await differingPreview(own, month) : await differingVersion(own, id)));
  }
  return wrong;
}

/** Months of the year of branches, and of all of them, against the totals. */
async function differingBranches(
  totals: readonly Total[],
  nodes: ReadonlyMap<string, readonly number[]>,
): Promise<unknown[]> {
  const wrong: unknown[] = [];
  for (const [node, points] of nodes) {
    const own = totals.filter(({ point, field }) => points.includes(point) && field === "main");
    const [year] = (await tree.ask(objectConsumption.calculate, { object_id: node, period: "year" })).data
      .types;
    const [running] = (await tree.ask(objectConsumption.calculate, { object_id: node, period: "month" })).data
      .types;
    for (const { day, amount } of year?.parts ?? []) {
      const live = own.filter(({ month }) => month === day.slice(0, 7)).map((each) => each.live);
      const expected = live.every((each) => each === null) ? null : sumOf(live);
      if (amount !== expected) wrong.push([node, day, amount, expected]);
      if (day === "2026-11-01" && running?.amount !== expected) wrong.push([node, running?.amount, expected]);
    }
  }
  return wrong;
}

/** Days of a point against their explanation. */
async function differingDays(point: number, pick: (below: number) => number): Promise<unknown[]> {
  const { rows } = await sql<{ day: string; field: string; amount: string | null }>`
    select day::text as day, field, trim_scale(case when gap_day = day
      then coalesce(amount, 0) + gap_amount else amount end)::text as amount
    from point_day where point_id = ${point} order by field, day`.execute(system());
  const wrong: unknown[] = [];
  for (const { day, field, amount } of rows) {
    if (pick(20) > 0) continue;
    const body = { accounting_point_id: point, field, day };
    const { total_exact } = (await tree.ask(pointHistory.why, body)).data;
    if (total_exact !== amount) wrong.push([point, field, day, amount, total_exact]);
  }
  return wrong;
}

async function historiesByChance(top: string): Promise<PointByChance[]> {
  const made: PointByChance[] = [];
  for (let seed = 0; seed < pointCount; seed++)
    made.push(
      await pointByChance(tree, {
        ...{ seed: seed + 100, start: starts[seed % starts.length] ?? 0, zone, top },
        until: at("2026-11-08T23:00:00Z"),
      }),
    );
  return made;
}

it("TRUST-026 row, parts, month, version, preview, branch and file of points by chance are one number", async () => {
  const pick = chance(1);
  await sql`update company set options = options || '{"divides_gaps_from": "2026-07-01"}'
    where id = ${tree.api.companies.first}`.execute(system());
  const top = await tree.add("All");
  const made = await historiesByChance(top);
  await storeReadings(
    tree,
    made.flatMap(({ early }) => early),
  );
  await computed();
  const closed = new Map<string, number>();
  for (const month of months.slice(0, -1)) if (pick(4) > 0) closed.set(month, await close(month));
  await storeReadings(
    tree,
    made.flatMap(({ late }) => late),
  );
  await computed();
  for (const [month, id] of closed) {
    if (pick(2) === 0) await correct(id);
    else if (pick(4) === 0) {
      await tree.ask(periods.reopen, { id, reason: "By chance" });
      closed.delete(month);
    }
  }

  const wrong: unknown[] = [];
  const totals: Total[] = [];
  for (const { id } of made) for (const field of fields) totals.push(...(await totalsOf(id, field, wrong)));
  const nodes = new Map<string, readonly number[]>([
    [top, made.map(({ id }) => id)],
    ...made.map(({ node, id }) => [node, [id]] as const),
  ]);

  expect(wrong).toEqual([]);
  expect(await differingPeriods(totals, closed)).toEqual([]);
  expect(await differingBranches(totals, nodes)).toEqual([]);
  for (const { id } of made) expect(await differingDays(id, pick)).toEqual([]);
  // All of it happens.
  expect(totals.filter(({ live }) => live !== null).length).toBeGreaterThan(10);
  expect(
    totals.filter(({ live, billed }) => billed !== undefined && billed !== exact(live)).length,
  ).toBeGreaterThan(0);
  const { rows } = await sql<{ carried: number; gaps: number; divided: number; resets: number }>`
    select (select count(*)::int from period_total where carried <> 0) as carried,
      count(*) filter (where gap_amount is not null)::int as gaps,
      count(*) filter (where flags & ${dayFlags.divided} <> 0)::int as divided, count(*) filter (where flags & ${dayFlags.reset} <> 0)::int as resets
    from point_day`.execute(system());
  expect(Object.entries(rows[0] ?? {}).filter(([, count]) => count === 0)).toEqual([]);
}, 240_000);
