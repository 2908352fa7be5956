import { periods, pointHistory } from "@metrum/contract/accounting";
import type { InputOf } from "@metrum/contract/core";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { compareStale } from "./compareJob.ts";

const now = Date.UTC(2026, 10, 3) / 1000;
const daySec = 86_400;
/** Midnights by number: 0 is the first one of the first month. */
const start = Date.UTC(2026, 6, 1) / 1000;
const months = ["2026-07", "2026-08", "2026-09", "2026-10"] as const;
type Month = (typeof months)[number];
const length = 31 + 31 + 30 + 31;

let api: TestApi;
let token: string;
let point: number;
beforeAll(async () => {
  api = await openTestApi({ clock: { now: () => now } });
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());
beforeEach(async () => {
  await sql`delete from settlement_period`.execute(system());
  await sql`delete from accounting_point`.execute(system());
  const { rows } = await sql<{ id: number }>`
    insert into accounting_point (company_id, name, resource_type_id, timezone, created_at)
    values (${api.companies.first}, 'House', 3, 'UTC', '2026-01-01') returning id`.execute(system());
  point = rows[0]?.id ?? 0;
});

const system = () => api.services.database.system;
const ask = <Name extends keyof typeof periods>(name: Name, body: InputOf<(typeof periods)[Name]>["body"]) =>
  api.ask(periods[name], { token, input: { body } as InputOf<(typeof periods)[Name]> });
const dayName = (day: number): string => new Date((start + day * daySec) * 1000).toISOString().slice(0, 10);

/** Consumption of a day: each day is a bit of its own, so a sum tells which days it counts, and how often. */
const bit = (day: number): bigint => 2n ** BigInt(day);
const between = (from: number, to: number): bigint => bit(to) - bit(from);

/** Days as they are computed from the midnights at which the register is known. */
async function know(midnights: readonly number[]): Promise<void> {
  const known = [...midnights].sort((a, b) => a - b);
  const rows = known.slice(1).map((to, at) => {
    const from = known[at] ?? 0;
    const isGap = to - from > 1;
    const amount = between(from, to).toString();
    return isGap
      ? {
          day: dayName(to - 1),
          amount: null,
          gap_amount: amount,
          gap_day: dayName(from),
          from,
          sec: (to - from) * daySec,
        }
      : { day: dayName(from), amount, gap_amount: null, gap_day: null, from: null, sec: null };
  });
  await system()
    .transaction()
    .execute(async (db) => {
      await sql`delete from point_day where point_id = ${point}`.execute(db);
      for (const { day, amount, gap_amount, gap_day, from, sec } of rows)
        await sql`
        insert into point_day (point_id, field, day, amount, gap_amount, gap_day, gap_from, gap_sec, length_sec, known_sec, computed_at)
        values (${point}, 'main', ${day}, ${amount}, ${gap_amount}, ${gap_day},
          ${from === null ? null : start + from * daySec}, ${sec}, ${daySec}, ${amount === null ? 0 : daySec}, ${now})`.execute(
          db,
        );
    });
}

const preview = async (month: Month) => (await ask("preview", { month })).data.preview;
async function close(month: Month): Promise<void> {
  const { digest } = await preview(month);
  const answer = await ask("close", { month, digest, accepts_incomplete: true });
  if (answer.status !== 200) throw new Error(answer.text);
}
async function idOf(month: Month): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from settlement_period where from_day = ${`${month}-01`}`.execute(system());
  return rows[0]?.id ?? 0;
}
async function correct(month: Month): Promise<void> {
  const id = await idOf(month);
  const { data } = await ask("get", { id });
  await ask("correct", { id, digest: data.now.digest, reason: "Late readings" });
}

interface Billed {
  readonly amount: bigint;
  readonly carried: bigint;
  readonly covered: number;
}
/** What closed months bill. */
async function billed(): Promise<Map<string, Billed>> {
  const { rows } = await sql<{ month: string; amount: string | null; carried: string; covered: number }>`
    select to_char(s.from_day, 'YYYY-MM') as month, t.amount::text as amount, t.carried::text as carried,
      t.covered_sec as covered
    from settlement_period s join period_total t on t.period_id = s.id and t.version = s.version
    where s.state = 'closed'`.execute(system());
  return new Map(
    rows.map(({ month, amount, carried, covered }) => [
      month,
      { amount: BigInt(amount ?? "0"), carried: BigInt(carried), covered: covered / daySec },
    ]),
  );
}
const differing = async (): Promise<Month[]> => {
  while ((await compareStale(api.services)) > 0);
  const { rows } = await sql<{ month: Month }>`
    select to_char(from_day, 'YYYY-MM') as month from settlement_period
    where state = 'closed' and differing > 0 order by from_day`.execute(system());
  return rows.map(({ month }) => month);
};

const july31 = 30;
const allBut = (...missing: readonly number[]): number[] =>
  Array.from({ length: length + 1 }, (_, at) => at).filter((at) => !missing.includes(at));

it("TRUST-017 what was used over the end of a closed month is billed by the month in which the gap ends", async () => {
  await know(allBut(july31, 31, 32, 33));

  const open = await preview("2026-08");
  await close("2026-07");
  await close("2026-08");

  expect(open.lacking).toBe(1);
  expect(await billed()).toEqual(
    new Map([
      ["2026-07", { amount: between(0, 29), carried: 0n, covered: 29 }],
      ["2026-08", { amount: between(29, 62), carried: between(29, 34), covered: 31 }],
    ]),
  );
  const { data } = await ask("get", { id: await idOf("2026-08") });
  expect(data.totals.data).toMatchObject([{ carried: Number(between(29, 34)), covered: 1 }]);
  expect(data.versions[0]?.is_intact).toBe(true);
});

it("TRUST-017 the months of a point tell the carried part", async () => {
  await know(allBut(july31, 31, 32));
  const monthsOf = async () => {
    const body = { accounting_point_id: point, months: 5 };
    const { data } = await api.ask(pointHistory.months, { token, input: { body } });
    return data.months.flatMap((each) =>
      each.month === "2026-08" ? [[each.consumption, each.carried, each.known_sec / daySec]] : [],
    );
  };
  const before = await monthsOf();
  await close("2026-07");

  expect(before).toEqual([[Number(between(33, 62)), 0, 29]]);
  expect(await monthsOf()).toEqual([[Number(between(29, 62)), Number(between(29, 33)), 31]]);
});

it("TRUST-017 the losses of a carried gap are billed with it", async () => {
  await know(allBut(july31, 31, 32));
  await sql`
    insert into point_term (point_id, company_id, kind, from_ts, number)
    values (${point}, ${api.companies.first}, 'loss', 0, 0.5)`.execute(system());
  await close("2026-07");
  await close("2026-08");

  const { rows } = await sql<{ loss: string }>`
    select trunc(loss)::text as loss from period_total where version = 1 order by period_id`.execute(
    system(),
  );
  expect(rows.map(({ loss }) => BigInt(loss))).toEqual([between(0, 29) / 2n, between(29, 62) / 2n]);
});

it("TRUST-017 a gap waits while the closed month bills a part of it, and goes where it began once that is open", async () => {
  await know(allBut());
  await close("2026-07");
  await know(allBut(july31, 31, 32));

  // July bills its last days by readings that have since been rejected.
  await close("2026-08");
  expect((await billed()).get("2026-08")).toMatchObject({ amount: between(33, 62), carried: 0n });
  expect(await differing()).toEqual(["2026-07"]);

  await correct("2026-07");
  expect(await differing()).toEqual(["2026-08"]);
  await correct("2026-08");
  expect((await billed()).get("2026-08")).toMatchObject({ carried: between(29, 33) });

  await ask("reopen", { id: await idOf("2026-07"), reason: "Readings were found" });
  expect(await differing()).toEqual(["2026-08"]);
});

it("TRUST-017 whatever is known when, and closed in whichever order, each day is billed once in the end", async () => {
  const month = fc.constantFrom(...months);
  type Month = (typeof months)[number];
  type Act =
    | { readonly do: "close" | "correct" | "reopen"; readonly month: Month }
    | { readonly do: "know"; readonly missing: number[] };
  const act: fc.Arbitrary<Act> = fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant("close" as const), month }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("correct" as const), month }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("reopen" as const), month }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("know" as const),
        // Mostly around the ends of months, where a gap is of two of them.
        missing: fc.uniqueArray(
          fc.oneof(
            { weight: 3, arbitrary: fc.constantFrom(30, 31, 32, 61, 62, 63, 91, 92, 93) },
            { weight: 1, arbitrary: fc.integer({ min: 1, max: length - 1 }) },
          ),
          { maxLength: 12 },
        ),
      }),
    },
  );
  const carriedInto = (count: number, missing: number[]): [Act[]] => [
    [
      { do: "know", missing },
      ...months.slice(0, count).map((each) => ({ do: "close" as const, month: each })),
    ],
  ];
  let carriedOnes = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 9 }), async (acts) => {
      await sql`delete from settlement_period`.execute(system());
      await know(allBut(july31, 31, 62));
      for (const each of acts) {
        if (each.do === "know") await know(allBut(...each.missing));
        else {
          const isClosed = (await billed()).has(each.month);
          if (each.do === "close" && !isClosed) await close(each.month);
          if (each.do === "correct" && isClosed) await correct(each.month);
          if (each.do === "reopen" && isClosed)
            await ask("reopen", { id: await idOf(each.month), reason: "By chance" });
        }
        if ((await differing()).length > 0) continue;
        const bills = [...(await billed()).values()].map(({ amount }) => amount);
        // No bit twice: the sum of all is their union.
        expect(bills.reduce((sum, amount) => sum + amount, 0n)).toBe(
          bills.reduce((union, amount) => union | amount, 0n),
        );
      }
      for (const each of months) if (!(await billed()).has(each)) await close(each);
      for (let different = await differing(); different.length > 0; different = await differing())
        for (const each of different) await correct(each);
      const bills = [...(await billed()).values()];
      carriedOnes += bills.filter(({ carried }) => carried > 0n).length;
      expect(bills.reduce((sum, { amount }) => sum + amount, 0n)).toBe(between(0, length));
      expect(bills.reduce((sum, { covered }) => sum + covered, 0)).toBeLessThanOrEqual(length);
    }),
    {
      numRuns: 10,
      // Chance alone may carry nothing.
      examples: [carriedInto(2, [july31, 31, 32]), carriedInto(3, [61, 62, 63])],
    },
  );
  expect(carriedOnes).toBeGreaterThan(1);
});
