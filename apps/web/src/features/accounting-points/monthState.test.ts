import { expect, it } from "vitest";
import { aMonth } from "../../testing/points.ts";
import { monthState } from "./MonthsTable.tsx";

it("TRUST-019 a month whose midnights are interpolated between far readings says so", () => {
  const words = { t: ((key: string) => key) as never, age: String, number: String };
  const of = (is_interpolated: boolean) => monthState(aMonth({ is_interpolated }), words).text;

  expect(of(false)).not.toContain("interpolated");
  expect(of(true)).toContain("accountingPoints:months.interpolated");
});
