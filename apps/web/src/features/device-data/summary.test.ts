import { describe, expect, it } from "vitest";
import { emptyTable, type DataColumn } from "./dataTable.ts";
import { figuresOf } from "./summary.ts";

const aColumn = (name: string, ...values: number[]): DataColumn => ({
  name,
  title: name,
  unit: "kW",
  decimals: 3,
  values: Float64Array.from(values),
});

describe("figures above the table", () => {
  it("the ratio of reactive to active counts only intervals that have both", () => {
    const table = {
      ...emptyTable,
      time: Float64Array.from([0, 1800, 3600]),
      columns: [aColumn("power_a_plus", 10, 20, Number.NaN), aColumn("power_r_plus", Number.NaN, 10, 90)],
    };

    expect(figuresOf(table, 1800, "electricity").find((each) => each.kind === "tg")).toEqual({
      kind: "tg",
      value: 0.5,
    });
  });

  it("GENERAL-019 a counter that fell in between has no growth to show, only where it stands", () => {
    const shownOf = (...values: number[]) => {
      const table = {
        ...emptyTable,
        time: Float64Array.from(values.keys()),
        columns: [{ ...aColumn("tariff0", ...values), unit: "kWh" }],
      };
      return figuresOf(table, null, "electricity").map((each) => [each.kind, each.value]);
    };

    expect(shownOf(100, 130, 150)).toEqual([
      ["growth", 50],
      ["latest", 150],
    ]);
    expect(shownOf(100, 130, 2, 5)).toEqual([["latest", 5]]);
  });
});
