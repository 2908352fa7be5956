import { statuses, type FieldName } from "@metrum/vocabulary";
import { expect, test } from "vitest";
import { withLoad } from "#testing/load";
import { withoutRollover } from "./counter.ts";
import { fallsOf, growthBetween, isArchive, type Fall } from "./resets.ts";

const point = (ts: number, value: number) => ({ ts, value });
const fall = (before: [number, number], after: [number, number]): Fall => ({
  before: point(...before),
  after: point(...after),
});
const between = (from: [number, number], to: [number, number], ...falls: Fall[]) =>
  growthBetween(point(...from), point(...to), { range: withoutRollover, falls });

test("TRUST-002 a reset between two archive values makes the growth unknown, however high the counter is at the end", () => {
  expect(between([0, 5], [100, 8])).toBe(3);
  expect(between([0, 5], [100, 8], fall([40, 60], [50, 2]))).toBeNull();
  expect(between([0, 5], [100, 8], fall([0, 5], [50, 2]))).toBeNull();
  expect(between([0, 5], [100, 8], fall([40, 60], [100, 8]))).toBeNull();
});

test("TRUST-002 a reset before the first value or after the last has no effect", () => {
  expect(between([0, 5], [100, 8], fall([-20, 60], [-10, 2]))).toBe(3);
  expect(between([0, 5], [100, 8], fall([100, 8], [110, 2]))).toBe(3);
  expect(between([0, 5], [100, 8], fall([-20, 60], [0, 5]))).toBe(3);
});

test("TRUST-002 a reset seen around an archive value is on the side that the value implies", () => {
  // Reset between the reading of -10 and that of 10: the value at 0 is below or above it.
  expect(between([0, 1], [100, 8], fall([-10, 60], [10, 2]))).toBe(7);
  expect(between([0, 61], [100, 80], fall([-10, 60], [10, 2]))).toBeNull();
  expect(between([0, 5], [100, 62], fall([90, 60], [110, 2]))).toBe(57);
  expect(between([0, 5], [100, 6], fall([90, 60], [110, 7]))).toBeNull();
});

test("TRUST-002 a reset is on the side of an instant that its own times and values say, to the second", () => {
  // Values of one instant may differ: what is known of the other side does not break the growth.
  expect(between([0, 8], [100, 9], fall([-20, 60], [0, 5]))).toBe(1);
  expect(between([0, 5], [100, 8], fall([100, 12], [110, 2]))).toBe(3);
  expect(between([0, 5], [100, 8], fall([120, 60], [130, 2]))).toBe(3);
  expect(between([0, 5], [100, 8], fall([0, 60], [50, 6]))).toBeNull();
  expect(between([0, 5], [100, 80], fall([40, 60], [100, 2]))).toBeNull();
  expect(between([0, 9], [100, 8], fall([-20, 60], [-10, 2]))).toBeNull();
});

test("TRUST-002 of doubted steps those are resets that no growth explains, by register and oldest first", () => {
  const step = (name: FieldName, ts: number, [value0, value]: readonly [number, number]) => ({
    ...{ name, ts0: ts - 3600, ts, value0, value, status: statuses.measured.id },
  });
  const range = withLoad({ capacity: 1000, start: 0 }, 10);
  const steps = [
    step("tariff0", 7200, [500, 20]),
    step("tariff0", 10_800, [995, 3]),
    step("tariff1", 10_800, [90, 80]),
    step("tariff0", 14_400, [40, 30]),
  ];

  const found = fallsOf(steps, (name) => (name === "tariff0" ? range : withoutRollover));

  const after = (ts: number, value: number) => ({ ts, value, status: statuses.measured.id });
  expect([...found]).toEqual([
    [
      "tariff0",
      [
        { before: { ts: 3600, value: 500 }, after: after(7200, 20) },
        { before: { ts: 10_800, value: 40 }, after: after(14_400, 30) },
      ],
    ],
    ["tariff1", [{ before: { ts: 7200, value: 90 }, after: after(10_800, 80) }]],
  ]);
});

test("archives of counters are the hourly, the daily and the monthly one", () => {
  expect([1, 2, 5, 7, 10, 99, 100, 101, 102, 103, 104].filter(isArchive)).toEqual([100, 101, 103]);
});
