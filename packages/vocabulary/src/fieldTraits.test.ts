import { expect, test } from "vitest";
import {
  columnOf,
  fieldNames,
  fieldOf,
  fields,
  tariffsOf,
  type FieldName,
  type Transformers,
} from "./index.ts";

test("GENERAL-019 every counter shows growth, volume, mass and working time too, and nothing else does", () => {
  for (const name of ["tariff0", "in1", "V_in", "M_in", "working_time"] as const)
    expect(fields[name].showsGrowth).toBe(true);
  const others = fieldNames.filter((name) => fields[name].showsGrowth !== (fields[name].kind === "counter"));
  expect(others).toEqual([]);
});

test("energy and power pass transformers of both kinds, current and voltage those of their own; the rest none", () => {
  const unitsBehind = (transformers: Transformers) => [
    ...new Set(fieldNames.flatMap((name) => (behind(name) === transformers ? fields[name].unit : []))),
  ];
  const behind = (name: FieldName) => fields[name].transformers;

  expect(unitsBehind("both").toSorted()).toEqual(["kVA", "kW", "kWh", "kvar", "kvarh"]);
  expect([unitsBehind("current"), unitsBehind("voltage")]).toEqual([["A"], ["V"]]);
  for (const name of ["cos0", "cos1", "coruu1", "Frequency", "in1", "V_in"] as const)
    expect(behind(name)).toBeUndefined();
});

test("a field says its energy, direction, tariff and phase", () => {
  expect(fields.tariff_reactive_negative3).toMatchObject({
    energy: "reactive",
    direction: "reverse",
    tariff: 3,
  });
  expect(fields.power_a_minus).toMatchObject({ energy: "active", direction: "reverse" });
  expect(fields.voltage2.phase).toBe(2);
  expect(fieldOf("tariff1", "heat")).toMatchObject({ unit: "Gcal", tariff: 1, showsGrowth: true });
  expect(tariffsOf("tariff_negative0")).toHaveLength(6);
  expect(tariffsOf("tariff1")).toEqual([]);
  expect(tariffsOf("in1")).toEqual([]);
});

test("GENERAL-018 GENERAL-019 the name of a column says what it shows of which field", () => {
  const plain = { part: "value", isWithRatio: false, isWithLosses: false };
  expect(columnOf("tariff1")).toEqual({ ...plain, field: "tariff1" });
  expect(columnOf("starting_value")).toEqual({ ...plain, field: "starting_value" });
  expect(columnOf("delta_tariff1_kkt")).toEqual({
    ...plain,
    field: "tariff1",
    part: "growth",
    isWithRatio: true,
  });
  expect(columnOf("power_a_plus_loss_factor")).toEqual({
    ...plain,
    field: "power_a_plus",
    isWithLosses: true,
  });
  expect(columnOf("end_in1")).toEqual({ ...plain, field: "in1", part: "end" });
  expect(columnOf("power_factor")).toEqual({ ...plain, field: "power_factor" });
});
