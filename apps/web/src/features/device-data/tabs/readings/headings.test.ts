import { expect, it } from "vitest";
import { headingsOf } from "./headings.ts";

const headings = (...columns: readonly (readonly [title: string, unit: string])[]) =>
  headingsOf(columns.map(([title, unit]) => ({ title, unit }))).map(({ own, shared }) =>
    shared === undefined ? own : `${shared}: ${own}`,
  );

it("resource and unit are shown once above adjacent columns that share them", () => {
  expect(headings(["Energy A+, total", "kWh"], ["Energy A+, tariff 1", "kWh"])).toEqual([
    "Energy A+, kWh: total",
    "Energy A+, kWh: tariff 1",
  ]);
  expect(headings(["Энергия A+, сумма", "кВт·ч"], ["Энергия A−, сумма", "кВт·ч"])).toEqual([
    "Энергия, сумма, кВт·ч: A+",
    "Энергия, сумма, кВт·ч: A−",
  ]);
  expect(headings(["Energy A+, total", "kWh"], ["Energy A+, total, growth", "kWh"])).toEqual([
    "Energy A+, kWh: total",
    "Energy A+, kWh: total, growth",
  ]);
  expect(headings(["cos φ, total", ""], ["cos φ, phase A", ""])).toEqual(["cos φ: total", "cos φ: phase A"]);
});

it("another unit starts a new heading, and a single column keeps its whole title", () => {
  expect(headings(["A+", "kW"], ["A−", "kW"], ["R+", "kvar"])).toEqual(["A+, kW", "A−, kW", "R+, kvar"]);
  expect(
    headings(["Active power", "kW"], ["Active power, phase A", "kW"], ["Active power, phase B", "kW"]),
  ).toEqual(["Active power, kW", "Active power, kW: phase A", "Active power, kW: phase B"]);
  expect(headings(["Heat energy", "Gcal"], ["Volume of heat carrier", "m³"])).toEqual([
    "Heat energy, Gcal",
    "Volume of heat carrier, m³",
  ]);
});
