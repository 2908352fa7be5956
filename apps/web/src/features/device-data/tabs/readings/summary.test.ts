import type { PeriodSummary } from "@metrum/contract/metering";
import { describe, expect, it } from "vitest";
import type { DataColumn } from "./dataTable.ts";
import { figuresOf } from "./summary.ts";

const aColumn = (name: string): DataColumn => ({
  name,
  title: name,
  unit: "kW",
  decimals: 3,
  // The table is never summed here: these values would give other figures.
  values: Float64Array.from([1, 2, 3]),
});

type Total = PeriodSummary["totals"][number];
const aTotal = (name: string, kind: Total["kind"], value: number | null): Total => ({
  name,
  kind,
  value,
  unit: "kWh",
  from: 0,
  to: 1800,
});
const aSummary = (totals: Total[], tg_phi: number | null = null): PeriodSummary => ({
  expected: 4,
  received: 3,
  received_share: 75,
  gaps: [],
  gap_count: 0,
  totals,
  tg_phi,
  totals_from: null,
});

describe("figures above the table", () => {
  it("TRUST-009 energy, maximum and tg of a profile are the server's", () => {
    const totals = [
      aTotal("power_a_plus", "energy", 50),
      aTotal("power_a_plus", "maximum", 40),
      aTotal("power_a_plus", "latest", 7),
      aTotal("power_r_plus", "energy", 17.5),
    ];
    const figures = figuresOf(
      [aColumn("power_a_plus"), aColumn("power_r_plus")],
      aSummary(totals, 0.5),
      "electricity",
    );

    expect(figures.map((each) => [each.kind, each.kind === "tg" ? each.value : each.total.value])).toEqual([
      ["energy", 50],
      ["energy", 17.5],
      ["maximum", 40],
      ["tg", 0.5],
    ]);
  });

  it("GENERAL-019 a counter with unknown growth shows only its value", () => {
    const shownOf = (growth: number | null) =>
      figuresOf(
        [aColumn("tariff0")],
        aSummary([aTotal("tariff0", "growth", growth), aTotal("tariff0", "latest", 150)]),
        "electricity",
      ).map((each) => [each.kind, each.kind === "tg" ? each.value : each.total.value]);

    expect(shownOf(50)).toEqual([
      ["growth", 50],
      ["latest", 150],
    ]);
    expect(shownOf(null)).toEqual([["latest", 150]]);
  });
});
