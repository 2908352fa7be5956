import { expect, test } from "vitest";
import { withoutRollover } from "./counter.ts";
import { growthBetween, type Fall } from "./resets.ts";

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
