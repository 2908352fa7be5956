import fc from "fast-check";
import { expect, test } from "vitest";
import {
  decimal,
  decimalOf,
  difference,
  exactOf,
  exactProduct,
  isEqual,
  minus,
  microIn,
  microOf,
  mostMicro,
  numberOf,
  plus,
  product,
  rounded,
  roundedTo,
  shown,
  sum,
  textOf,
  times,
  unitsAt,
  wholeOf,
} from "./decimal.ts";

const thousandths = (most: number) => fc.integer({ min: -most, max: most }).map((whole) => whole / 1000);
/** Counters with three decimals, up to the last ones that a double holds. */
const counter = fc.oneof(thousandths(10 ** 15), thousandths(10 ** 9), thousandths(10 ** 4));
const text = (value: number): string => textOf(decimalOf(value));

test("TRUST-030 a counter of 10^12 with three decimals grows by what its digits say", () => {
  expect(difference(1_000_000_000_000.878, 1_000_000_000_000)).toBe(0.878);
  expect(difference(999_999_999_999.999, 999_999_999_999.998)).toBe(0.001);
  expect(difference(1_000_000_000.9, 1_000_000_000)).toBe(0.9);
  expect(microOf(1_000_000_000_000.878)).toBe(1_000_000_000_000_878_000n);
  expect(rounded(1_000_000_000_000.878)).toBe(1_000_000_000_000.878);
});

test("TRUST-030 sums, differences and products are those of the digits", () => {
  fc.assert(
    fc.property(counter, counter, fc.integer({ min: 1, max: 100_000 }), (a, b, ratio) => {
      expect(text(difference(a, b))).toBe(text(Number(textOf(minus(decimalOf(a), decimalOf(b))))));
      expect(text(sum([a, b, a]))).toBe(
        text(Number(textOf(plus(plus(decimalOf(a), decimalOf(b)), decimalOf(a))))),
      );
      expect(text(product(a, ratio))).toBe(text(Number(textOf(times(decimalOf(a), decimalOf(ratio))))));
    }),
    { numRuns: 5_000 },
  );
});

test("TRUST-030 differences of consecutive readings add up to that of the first and the last", () => {
  fc.assert(
    fc.property(fc.array(counter, { minLength: 2, maxLength: 40 }), (readings) => {
      const steps = readings.slice(1).map((value, at) => microOf(value) - microOf(readings[at] ?? 0));
      expect(steps.reduce((all, each) => all + each, 0n)).toBe(
        microOf(readings.at(-1) ?? 0) - microOf(readings[0] ?? 0),
      );
    }),
  );
});

test("no result carries binary noise", () => {
  expect(sum([0.1, 0.2])).toBe(0.3);
  expect(difference(9.1, 0.04)).toBe(9.06);
  expect(product(0.1, 3)).toBe(0.3);
  expect(product(1.1, 1.1)).toBe(1.21);
  expect(product(0.000_001, 0.5)).toBe(0.000_001);
  expect(Object.is(difference(1.5, 1.5), 0)).toBe(true);
  expect(Object.is(sum([-0.000_000_1]), 0)).toBe(true);
});

test("a product is rounded half away from zero, by one factor or several", () => {
  const factor = fc.oneof(
    fc.integer({ min: -4_000, max: 4_000 }),
    thousandths(10 ** 6),
    fc.double({ min: 0, max: 2, noNaN: true }),
  );
  fc.assert(
    fc.property(counter, factor, factor, (value, one, two) => {
      const exact = times(decimalOf(value), decimalOf(one));
      expect(product(value, one)).toBe(numberOf(unitsAt(exact, 6)));
      expect(product(value, one, two)).toBe(numberOf(unitsAt(times(exact, decimalOf(two)), 6)));
    }),
    { numRuns: 5_000 },
  );
});

test("a number is its shortest decimal, with and without an exponent", () => {
  expect(decimalOf(1e21)).toEqual({ units: 10n ** 21n, scale: 0 });
  expect(decimalOf(-1.5e-7)).toEqual({ units: -15n, scale: 8 });
  expect(decimalOf(12.5)).toEqual(decimal("12.5"));
  expect(() => decimalOf(Number.NaN)).toThrow(SyntaxError);
  expect(() => decimalOf(Infinity)).toThrow(SyntaxError);
});

test("TRUST-030 a number is rounded by its digits, not by its binary fraction, and a product keeps all of them", () => {
  expect([roundedTo(1.005, 2), roundedTo(-2.5, 0), roundedTo(1e-9, 3)]).toEqual([1.01, -3, 0]);
  expect([exactProduct(0.1, 3), exactProduct(62.5, 1.1), exactProduct(0.333333, 0.1)]).toEqual([
    0.3, 68.75, 0.0333333,
  ]);
});

test("TRUST-030 an amount and its text: what is written is read, at any place of a longer text", () => {
  const units = fc.oneof(
    fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
    fc.bigInt({ min: -2000n, max: 2000n }),
  );
  fc.assert(
    fc.property(units, fc.nat(24), fc.nat(8), (whole, scale, places) => {
      const amount = { units: whole, scale };
      const written = textOf(amount);
      const padded = `${written}${written.includes(".") ? "" : "."}000`;
      const micro = microIn(`;${written};`, 1, written.length + 1);
      const isShort = scale <= 6 || unitsAt(amount, 6) * 10n ** BigInt(scale - 6) === whole;
      const size = unitsAt(amount, 6) < 0n ? -unitsAt(amount, 6) : unitsAt(amount, 6);

      expect(isEqual(decimal(written), amount)).toBe(true);
      expect(textOf(decimal(padded))).toBe(written);
      expect(wholeOf(written, places)).toBe(unitsAt(amount, places));
      expect(exactOf(written)).toBe(unitsAt(amount, 24));
      expect(shown(exactOf(written))).toBe(numberOf(unitsAt(amount, 6)));
      if (isShort && size <= BigInt(mostMicro)) expect(micro + 0).toBe(Number(unitsAt(amount, 6)));
      else expect(micro).toBeNaN();
    }),
    { numRuns: 2_000 },
  );
});
