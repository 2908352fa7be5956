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
});
