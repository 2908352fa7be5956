import { expect, it } from "vitest";
import { aMonth } from "#testing/points.ts";
import { monthState } from "./MonthsTable.tsx";

it("TRUST-019 a month whose midnights are interpolated between far readings says so", () => {
  const words = { t: ((key: string) => key) as never, age: String, number: String };
  const of = (is_interpolated: boolean) => monthState(aMonth({ is_interpolated }), words).text;

  expect(of(false)).not.toContain("interpolated");
  expect(of(true)).toContain("accountingPoints:months.interpolated");
});

it("TRUST-017 a month that bills what a closed one could not says how much of it", () => {
  const words = {
    t: ((key: string, { amount = "" }: { amount?: string } = {}) => `${key} ${amount}`) as never,
    age: String,
    number: String,
  };
  const of = (carried: number) => monthState(aMonth({ carried }), words).text;

  expect(of(0)).not.toContain("carried");
  expect(of(38.5)).toContain("accountingPoints:months.carried 38.5");
});

it("TRUST-017 a closed month whose readings give something else than is billed says what", () => {
  const words = {
    t: ((key: string, { amount = "", start = "", end = "" }: Record<string, string> = {}) =>
      [key, amount, start, end].join(" ")) as never,
    age: String,
    number: String,
  };
  const closed = { is_closed: true };
  const now = { consumption: 33.3, start_value: 100, end_value: null };

  expect(monthState(aMonth(closed), words)).toMatchObject({ kind: "ok" });
  const differing = monthState(aMonth({ ...closed, now }), words);
  expect(differing.kind).toBe("warn");
  expect(differing.text).toContain("accountingPoints:months.now 33.3 100 —");
});
