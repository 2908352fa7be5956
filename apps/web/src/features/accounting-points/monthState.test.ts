import { expect, it } from "vitest";
import { aMonth } from "../../testing/points.ts";
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
