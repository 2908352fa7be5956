import { call, listInput, paged, Seconds, type OwnColumn } from "@metrum/contract/core";
import { z } from "zod/mini";
import { describe, expect, test } from "vitest";
import { datasetOf } from "./dataset.ts";
import { totalsOf, totalText } from "./totals.ts";

const title = { ru: "Расход", en: "Consumption", mn: "Зарцуулалт" };
const amount: OwnColumn = {
  title,
  of: "amount",
  unit: "unit",
  total: "sum",
  marks: { known: "share", estimated: "of.estimated", carried: "of.carried" },
};
const listOf = (columns: readonly OwnColumn[] = [amount]) =>
  call({
    id: "example.list",
    method: "POST",
    path: "example/list",
    right: "6:read",
    reach: "branch",
    rows: "rows.data",
    ownFile: { title, columns, totalsBy: ["kind", "unit"] },
    summary: "An example",
    body: z.object({ page: listInput.page, per_page: listInput.per_page }),
    reply: z.object({
      rows: paged(
        z.object({
          name: z.string(),
          kind: z.enum(["a", "b"]),
          unit: z.string(),
          at: z.nullable(Seconds),
          since: Seconds.check(z.describe("when it began")),
          day: z.optional(z.iso.date()),
          is_on: z.boolean(),
          amount: z.nullable(z.number()),
          share: z.nullable(z.number()),
          of: z.object({ estimated: z.number(), carried: z.number() }),
          week: z.array(z.nullable(z.number())),
        }),
      ),
    }),
  });

const row = (given: object) => ({
  ...{ name: "n", kind: "a", unit: "kWh", at: null, is_on: true, amount: 1, share: 1 },
  ...{ of: { estimated: 0, carried: 0 }, week: [] },
  ...given,
});
const none = datasetOf(listOf(), () => ({}));

describe("a data set", () => {
  test("has a column for every value that the rows of its list declare", () => {
    expect(none.columns.map(({ id, kind }) => [id, kind])).toEqual([
      ["name", "text"],
      ["kind", "state"],
      ["unit", "text"],
      ["at", "instant"],
      ["since", "instant"],
      ["day", "day"],
      ["is_on", "flag"],
      ["amount", "number"],
      ["share", "number"],
      ["of.estimated", "number"],
      ["of.carried", "number"],
    ]);
    expect(none).toMatchObject({ id: "example.list", title, right: "6:read" });
    expect(none.columns.find(({ id }) => id === "amount")).toMatchObject({
      title,
      unit: "unit",
      total: "sum",
    });
  });

  test.each([
    [{ amount: 12 }, { value: 12, mark: { kind: "measured" } }],
    [
      { amount: 0, share: null },
      { value: 0, mark: { kind: "measured" } },
    ],
    [{ of: { estimated: 0.5, carried: 2 } }, { value: 1, mark: { kind: "estimated" } }],
    [{ of: { estimated: 0, carried: 2 } }, { value: 1, mark: { kind: "carried" } }],
    [
      { share: 0.75, of: { estimated: 1, carried: 0 } },
      { value: 1, mark: { kind: "partial", known: 0.75 } },
    ],
    [{ amount: null }, { value: null, mark: { kind: "missing" } }],
  ])("a cell says how its value is known: %j", (given, cell) => {
    expect(none.reader("amount")?.(row(given))).toEqual(cell);
    expect(none.reader("week")).toBeUndefined();
  });

  test("yields all pages of its list in order, whatever page is asked for", async () => {
    const asked: unknown[] = [];
    const names = ["a", "b", "c", "d", "e"];
    const dataset = datasetOf(listOf(), (input, ctx) => {
      const { body } = input as { body: { page: number } };
      asked.push([ctx, body.page]);
      const data = names.slice((body.page - 1) * 2, body.page * 2).map((name) => row({ name }));
      return Promise.resolve({ rows: { data, total: names.length } });
    });

    const found: unknown[] = [];
    const input = { params: {}, query: {}, body: { page: 3, per_page: 10 } };
    for await (const page of await dataset.rows("ctx", input)) found.push(...page);

    expect(found.map((each) => dataset.reader("name")?.(each).value)).toEqual(names);
    expect(asked).toEqual([1, 2, 3].map((page) => ["ctx", page]));
  });

  test.each([
    { ...amount, of: "amounts" },
    { ...amount, unit: "units" },
    { ...amount, marks: { known: "shares" } },
  ])("does not come to be with a column that its rows do not have: %j", (column) => {
    expect(() => datasetOf(listOf([column]), () => ({}))).toThrow(/no row has the field \w+s$/);
  });
});

describe("totals of a data set", () => {
  const linesOf = (rows: readonly object[]) => {
    const totals = totalsOf(none);
    totals?.add(rows.map(row));
    return (totals?.lines() ?? []).map(({ by, totals: of }) => [...by.values(), of.get("amount")]);
  };

  test("add up what is of one kind and unit, exactly, and never count what is missing as zero", () => {
    expect(
      linesOf([
        { amount: 0.1 },
        { amount: 0.2 },
        { amount: null },
        { amount: 5, unit: "m³" },
        { amount: 7, kind: "b" },
        { amount: 1, share: 0.5, kind: "b" },
        { amount: null, unit: "GJ" },
      ]),
    ).toEqual([
      ["a", "kWh", { value: 0.3, complete: 2, of: 3 }],
      ["a", "m³", { value: 5, complete: 1, of: 1 }],
      ["b", "kWh", { value: 8, complete: 1, of: 2 }],
      ["a", "GJ", { value: null, complete: 0, of: 1 }],
    ]);
  });

  test("say what is incomplete in them", () => {
    const text = (complete: number, language: "ru" | "en" | "mn") =>
      totalText([{ title: "Amount", total: { value: 1, complete, of: 5 } }], language);

    expect([text(5, "en"), text(3, "en"), text(3, "ru"), text(3, "mn")]).toEqual([
      "Total",
      "Total: Amount incomplete, 3 of 5",
      "Итого: Amount неполно, 3 из 5",
      "Нийт: Amount бүрэн бус, 5-аас 3",
    ]);
  });

  test("are not made of a list that has none", () => {
    expect(totalsOf({ ...none, totalsBy: undefined })).toBeUndefined();
    expect(totalsOf({ ...none, columns: [] })).toBeUndefined();
  });
});
