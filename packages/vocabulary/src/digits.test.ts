import fc from "fast-check";
import { expect, test } from "vitest";
import { withoutNoise } from "./digits.ts";

test("TRUST-030 a conversion of units adds no digits, and takes none from a counter of 15 digits", () => {
  expect(withoutNoise(0.1 * 3)).toBe(0.3);
  expect(withoutNoise(3_600_000 / 4_186_800)).toBe(0.859845);
  expect(withoutNoise(999_999_999_999_999 * 0.001)).toBe(999_999_999_999.999);
  expect(Object.is(withoutNoise(-0.000_000_1), 0)).toBe(true);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 15 - 1 }), fc.integer({ min: 0, max: 6 }), (raw, places) => {
      const text = String(raw).padStart(places + 1, "0");
      const exact = places === 0 ? raw : Number(`${text.slice(0, -places)}.${text.slice(-places)}`);
      expect(withoutNoise(raw * 10 ** -places)).toBe(exact);
    }),
    { numRuns: 2_000 },
  );
});

test("TRUST-030 a value is kept to the millionth below 10^9, and to 15 digits from there on", () => {
  expect(withoutNoise(1.234_567_49)).toBe(1.234_567);
  expect(withoutNoise(-1.234_567_51)).toBe(-1.234_568);
  expect(withoutNoise(999_999_999.123_456_4)).toBe(999_999_999.123_456);
  expect(withoutNoise(1_000_000_000.000_001_2)).toBe(1_000_000_000);
  expect(withoutNoise(1_234_567_890.123_456_7)).toBe(1_234_567_890.123_46);
  expect(withoutNoise(1e300)).toBe(1e300);
  expect(withoutNoise(1e305)).toBe(Infinity);
});
