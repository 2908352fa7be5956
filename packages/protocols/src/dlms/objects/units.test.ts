import type { UnitKey } from "@metrum/vocabulary";
import { describe, expect, it } from "vitest";
import { cosemUnits } from "../push/pushLists.ts";
import { inUnitOf, unitRatio, unitSymbol } from "./units.ts";

/** Source: Blue Book 4.3.2 (table of units): what one of it is in units of the vocabulary. */
const rows: readonly (readonly [code: number, symbol: string, ratios: Partial<Record<UnitKey, number>>])[] = [
  [4, "d", { hour: 24, second: 86_400 }],
  [5, "h", { hour: 1, second: 3600 }],
  [6, "min", { hour: 1 / 60, second: 60 }],
  [7, "s", { hour: 1 / 3600, second: 1 }],
  [8, "°", { degree: 1 }],
  [13, "m3", { m3: 1 }],
  [14, "m3", { m3: 1 }],
  [15, "m3/h", { m3PerHour: 1 }],
  [16, "m3/h", { m3PerHour: 1 }],
  [17, "m3/d", { m3PerHour: 1 / 24 }],
  [18, "m3/d", { m3PerHour: 1 / 24 }],
  [19, "l", { m3: 0.001 }],
  [20, "kg", { t: 0.001 }],
  [23, "Pa", { bar: 0.000_01 }],
  [24, "bar", { bar: 1 }],
  [25, "J", { kWh: 1 / 3.6e6, GJ: 1e-9, Gcal: 1 / 4.1868e9 }],
  [26, "J/h", { kW: 1 / 3.6e6, GcalPerHour: 1 / 4.1868e9 }],
  [27, "W", { kW: 0.001, GcalPerHour: 1 / 1.163e6 }],
  [28, "VA", { kVA: 0.001 }],
  [29, "var", { kvar: 0.001 }],
  [30, "Wh", { kWh: 0.001, GJ: 3.6e-6, Gcal: 1 / 1.163e6 }],
  [31, "VAh", { none: 1 }],
  [32, "varh", { kvarh: 0.001 }],
  [33, "A", { A: 1 }],
  [35, "V", { V: 1 }],
  [44, "Hz", { Hz: 1 }],
  [56, "%", { percent: 1 }],
  [70, "dBm", { dBm: 1 }],
];
const units = [
  ...["none", "kWh", "Gcal", "GJ", "kvarh", "kW", "GcalPerHour", "kvar", "kVA", "V", "A", "Hz"],
  ...["degree", "percent", "m3", "m3PerHour", "t", "celsius", "kelvin", "bar", "hour", "second", "dBm"],
] as const satisfies readonly UnitKey[];

describe("a unit code", () => {
  it.each(rows)("%i is %s, and fits fields of its kind alone", (code, symbol, ratios) => {
    expect(unitSymbol(code)).toBe(symbol);
    for (const unit of units) {
      const ratio = unitRatio({ scaler: 0, unit: code }, unit);
      const expected = ratios[unit];
      if (expected === undefined) expect(ratio, unit).toBeUndefined();
      else expect((ratio ?? 0) / expected, unit).toBeCloseTo(1, 9);
    }
  });

  it("of degrees Celsius fits a temperature and a difference of two, and that of kelvins a difference", () => {
    expect([9, 52].map(unitSymbol)).toEqual(["°C", "K"]);
    expect(unitRatio({ scaler: 0, unit: 9 }, "celsius")).toBe(1);
    expect(unitRatio({ scaler: 0, unit: 9 }, "kelvin")).toBe(1);
    expect(unitRatio({ scaler: 0, unit: 52 }, "kelvin")).toBe(1);
    expect(unitRatio({ scaler: 0, unit: 52 }, "celsius")).toBeUndefined();
    for (const unit of units.filter((each) => each !== "celsius" && each !== "kelvin"))
      for (const code of [9, 52]) expect(unitRatio({ scaler: 0, unit: code }, unit), unit).toBeUndefined();
  });

  it("of a plain number fits any field, and an unknown one only a plain number", () => {
    expect([255, 31, 200].map(unitSymbol)).toEqual(["", "VAh", "unit 200"]);
    for (const unit of units) {
      expect(unitRatio({ scaler: -2, unit: 255 }, unit)).toBe(0.01);
      expect(unitRatio({ scaler: 1, unit: 200 }, unit)).toBe(unit === "none" ? 10 : undefined);
    }
    expect(unitRatio({ scaler: 0, unit: 30 }, "none")).toBeUndefined();
  });

  it("fits no field in a unit that meters of this protocol do not have", () => {
    for (const unit of ["minute", "dB", "kgPerM3"] as const) {
      expect(unitRatio({ scaler: 0, unit: 30 }, unit)).toBeUndefined();
      expect(unitRatio({ scaler: 0, unit: 255 }, unit)).toBe(1);
    }
  });

  it("is scaled by a power of ten", () => {
    expect(unitRatio({ scaler: 3, unit: 30 }, "kWh")).toBe(1);
    expect(unitRatio({ scaler: -1, unit: 35 }, "V")).toBe(0.1);
  });
});

describe("the energy of an interval", () => {
  it.each<[number, UnitKey, number | undefined, number | undefined]>([
    [30, "kW", 1800, 0.002],
    [30, "kW", 3600, 0.001],
    [32, "kvar", 900, 0.004],
    [25, "kW", 3600, 1 / 3.6e6],
    [30, "GcalPerHour", 3600, 1 / 1.163e6],
    [30, "kvar", 1800, undefined],
    [32, "kW", 1800, undefined],
    [30, "kW", 0, undefined],
    [30, "kW", undefined, undefined],
    [31, "kVA", 1800, undefined],
    [27, "kW", 1800, 0.001],
    [30, "kWh", 1800, 0.001],
  ])("code %i in %s over %s s has the ratio %s", (unit, field, periodSec, ratio) => {
    const found = unitRatio({ scaler: 0, unit }, field, periodSec);

    if (ratio === undefined) expect(found).toBeUndefined();
    else expect((found ?? 0) / ratio).toBeCloseTo(1, 9);
  });
});

it("a value in the unit of its field has no noise, and is finite", () => {
  expect(inUnitOf("voltage1", 2314, 0.1)).toBe(231.4);
  expect(() => inUnitOf("voltage1", 1e300, 1e10)).toThrow("voltage1 is too large");
});

/** Source: Blue Book 4.3.2, as pushed lists show them. */
it("units of pushed lists are those of the table", () => {
  expect(cosemUnits).toEqual({
    ...{ 1: "year", 2: "month", 3: "week", 4: "d", 5: "h", 6: "min", 7: "s", 9: "°C", 13: "m³", 14: "m³" },
    ...{ 27: "W", 28: "VA", 29: "var", 30: "Wh", 31: "VAh", 32: "varh", 33: "A", 34: "C", 35: "V" },
    ...{ 44: "Hz", 56: "%", 255: "" },
  });
});
