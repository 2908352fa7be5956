import { expect, it } from "vitest";
import type { FieldName } from "@metrum/vocabulary";
import { tariffSum } from "./tariffSum.ts";

const names: readonly FieldName[] = ["tariff0", "tariff1", "tariff2", "tariff3", "tariff_negative0"];
const last = new Map<FieldName, { ts: number; value: number }>([
  ["tariff0", { ts: 0, value: 99.9 }],
  ["tariff1", { ts: 0, value: 60 }],
  ["tariff2", { ts: 0, value: 39.9 }],
  ["tariff3", { ts: 0, value: 0 }],
]);
const sumOf = (given: Readonly<Partial<Record<FieldName, number>>>, main: FieldName = "tariff0") =>
  tariffSum(given, { names, main, last });

it("TRUST-018 tariffs must add up to the total", () => {
  expect(sumOf({ tariff0: 100, tariff1: 60.1, tariff2: 39.9 })).toEqual({
    ...{ total: "tariff0", parts: ["tariff1", "tariff2"], sum: 100, difference: 0, adds_up: true },
  });
  expect(sumOf({ tariff0: 100, tariff1: 60.1, tariff2: 39.4 })).toMatchObject({
    ...{ sum: 99.5, difference: 0.5, adds_up: false },
  });
  // Each register of a display is rounded on its own.
  expect(sumOf({ tariff0: 100.001, tariff1: 60.1, tariff2: 39.9 })?.adds_up).toBe(true);
});

it("TRUST-018 a tariff or a total that is not given says nothing about the sum", () => {
  expect(sumOf({ tariff0: 100, tariff1: 60.1 })).toBeNull();
  expect(sumOf({ tariff1: 60.1, tariff2: 39.9 })).toBeNull();
  expect(sumOf({ tariff1: 60.1, tariff2: 39.9 }, "tariff1")).toBeNull();
});
