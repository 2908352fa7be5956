import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { counterRange, grown, growth, withoutRollover } from "./growth.ts";

const million = { capacity: 1_000_000, start: 0 };

describe("TRUST-002 growth of a counter", () => {
  test("is the difference of two values, without floating-point noise", () => {
    expect(growth(100, 105.5, withoutRollover)).toBe(5.5);
    expect(growth(0.1, 0.3, withoutRollover)).toBe(0.2);
    expect(growth(7, 7, million)).toBe(0);
    expect(growth(123_456.000001, 123_456.0000009, withoutRollover)).toBe(0);
  });

  test("is correct over a rollover: from 999 990 to 10 it is 20", () => {
    expect(growth(999_990, 10, million)).toBe(20);
    expect(growth(999_999.99, 0, million)).toBe(0.01);
    expect(growth(900_000.1, 99_999.9, million)).toBe(199_999.8);
  });

  test("is unknown where a value is missing, and where the counter decreased without a rollover", () => {
    for (const [before, now] of [
      [null, 5],
      [5, undefined],
      [Number.NaN, 5],
      [500, 0],
      [500_000, 10],
      [900_000, 10],
      [950_000, 100_000],
      [950_000, 600_000],
      [999_990, -5],
      [1_000_500, 10],
    ] as const)
      expect(growth(before, now, million), `${String(before)} ${String(now)}`).toBeNull();
    expect(growth(999_990, 10, withoutRollover)).toBeNull();
  });

  test("a counter of pulses rolls over to its starting value, the other inputs to zero", () => {
    const device = { counterCapacity: 1000, counterStart: { field: "in1", value: 5000 } } as const;
    expect(growth(5990, 5010, counterRange(device, "in1"))).toBe(20);
    expect(growth(5990, 10, counterRange(device, "in1"))).toBeNull();
    expect(growth(990, 10, counterRange(device, "in2"))).toBe(20);
  });

  test("TRUST-002 a counter whose record has fewer digits than the main one rolls over at its own capacity", () => {
    const device = { counterCapacity: undefined, capacities: { V_in: 100_000 }, counterStart: undefined };
    expect(growth(99_999, 4, counterRange(device, "V_in"))).toBe(5);
    expect(growth(99_999, 4, counterRange(device, "tariff1"))).toBeNull();
  });

  test("is reversed by `grown`, which wraps around at the capacity", () => {
    const steps = fc.array(fc.integer({ min: 0, max: 99_999_999 }), { maxLength: 60 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 5000 }), (thousandths, start) => {
        const range = { capacity: 1_000_000, start };
        let [value, truth, sum] = [start, 0, 0];
        for (const each of thousandths) {
          const next = grown(value, each / 1000, range);
          expect(next).toBeLessThan(start + 1_000_000);
          truth += each / 1000;
          sum += growth(value, next, range) ?? Number.NaN;
          value = next;
        }
        expect(sum).toBeCloseTo(truth, 4);
      }),
      { numRuns: 200 },
    );
  });
});
