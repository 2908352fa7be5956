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
