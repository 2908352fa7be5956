import fc from "fast-check";
import { expect, test } from "vitest";
import {
  absolute,
  amountOf,
  amountOfMicro,
  decimal,
  decimalOf,
  difference,
  exactOf,
  exactProduct,
  factorOf,
  isEqual,
  keepsDigits,
  minus,
  microIn,
  microOf,
  mostMicro,
  numberOf,
  ofMicro,
  one,
  oneFactor,
  partOf,
  percentOf,
  plus,
  product,
  rounded,
  roundedTo,
  share,
  shareOf,
  shown,
  sum,
  textOf,
  times,
  unitsAt,
  wholeIn,
  wholeOf,
  zero,
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

const wide = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const counts = fc
  .tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.nat(10 ** 9))
  .map(([of, part]) => ({ of, part: part % (of + 1) }));

test("TRUST-030 a share of a time is the nearest whole part, a half goes up, and nothing and all of it are exact", () => {
  fc.assert(
    fc.property(fc.oneof(wide, fc.bigInt({ min: -9n, max: 9n })), counts, (whole, { of, part }) => {
      const twice = (share(whole, part, of) * BigInt(of) - whole * BigInt(part)) * 2n;

      expect(twice > -BigInt(of) && twice <= BigInt(of)).toBe(true);
      expect([share(whole, 0, of), share(whole, of, of)]).toEqual([0n, whole]);
    }),
    { numRuns: 500 },
  );
  expect([share(1n, 1, 2), share(-1n, 1, 2), share(-3n, 1, 2), share(5n, 1, 3)]).toEqual([1n, 0n, -1n, 2n]);
});

test("TRUST-030 parts and shares of an exact amount are rounded half away from zero, alike on both sides of it", () => {
  fc.assert(
    fc.property(wide, counts, fc.nat(10 ** 9), (amount, { of, part }, thousandMillionths) => {
      const size = absolute(amount);
      const twice = (partOf(size, part, of) * BigInt(of) - size * BigInt(part)) * 2n;
      const text = textOf({ units: BigInt(thousandMillionths), scale: 9 });
      const ofShare = (shareOf(size, text) * 10n ** 9n - size * BigInt(thousandMillionths)) * 2n;

      expect(twice > -BigInt(of) && twice <= BigInt(of)).toBe(true);
      expect(ofShare > -(10n ** 9n) && ofShare <= 10n ** 9n).toBe(true);
      expect([partOf(-size, part, of), shareOf(-size, text)]).toEqual([
        -partOf(size, part, of),
        -shareOf(size, text),
      ]);
      expect([size >= 0n, size === amount || size === -amount]).toEqual([true, true]);
    }),
    { numRuns: 500 },
  );
  expect([partOf(1n, 1, 2), partOf(-1n, 1, 2), shareOf(5n, "0.1"), shareOf(-4n, "0.1")]).toEqual([
    1n,
    -1n,
    1n,
    0n,
  ]);
});

test("TRUST-030 an amount times a coefficient is exact, from its text and from millionths", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
      fc.integer({ min: -(10 ** 9), max: 10 ** 9 }),
      fc.integer({ min: -mostMicro, max: mostMicro }),
      (units, millionths, micro) => {
        const [amount, factor] = [{ units, scale: 18 }, ofMicro(BigInt(millionths))];
        const made = amountOf(textOf(amount), factorOf(textOf(factor)));

        expect(isEqual({ units: made, scale: 24 }, times(amount, factor))).toBe(true);
        expect(amountOf(textOf(amount), oneFactor)).toBe(exactOf(textOf(amount)));
        expect(amountOfMicro(micro, BigInt(millionths))).toBe(
          amountOf(textOf(ofMicro(BigInt(micro))), BigInt(millionths)),
        );
      },
    ),
    { numRuns: 500 },
  );
});

test("TRUST-030 a percentage has six decimals and the sign of both amounts, and of nothing there is none", () => {
  expect([percentOf(1n, 3n), percentOf(-1n, 3n), percentOf(1n, -3n), percentOf(-2n, -3n)]).toEqual([
    33.333_333, -33.333_333, -33.333_333, 66.666_667,
  ]);
  expect([percentOf(0n, 5n), percentOf(5n, 5n), percentOf(1n, 0n), percentOf(0n, 0n)]).toEqual([
    0,
    100,
    null,
    null,
  ]);
  expect(percentOf(10n ** 40n, 3n * 10n ** 40n)).toBe(33.333_333);
});

test("TRUST-030 sums and differences are exact on both sides of what a double adds without an error", () => {
  const edge = mostMicro / 1e6;
  expect(sum([edge, edge, -edge])).toBe(edge);
  expect(sum([999_999_999.999_999, 999_999_999.999_999, 0.000_002])).toBe(2_000_000_000);
  expect(sum([1e9, 0.1, -1e9, 0.2])).toBe(0.3);
  expect(sum([])).toBe(0);
  expect(difference(1e9, 999_999_999.999_999)).toBe(0.000_001);
  expect(difference(999_999_999.999_999, 1e9)).toBe(-0.000_001);
  expect([microOf(999_999_999.999_999), microOf(1e9), microOf(-1e9)]).toEqual([
    999_999_999_999_999n,
    10n ** 15n,
    -(10n ** 15n),
  ]);
  expect([
    numberOf(BigInt(mostMicro)),
    numberOf(BigInt(mostMicro) + 1n),
    numberOf(-BigInt(mostMicro) - 1n),
  ]).toEqual([4_503_599_627.370_496, 4_503_599_627.370_497, -4_503_599_627.370_497]);
});

test("a whole number is read from its place in a text", () => {
  expect([wholeIn("ab0123c", 2, 6), wholeIn("7", 0, 1), wholeIn("x", 1, 1)]).toEqual([123, 7, 0]);
});

test("TRUST-030 a number with six decimals is its own millionths, of whatever size, and is not altered by rounding", () => {
  const millionths = fc
    .oneof(...[15, 12, 9, 6].map((digits) => fc.integer({ min: -(10 ** digits), max: 10 ** digits })))
    .map((whole) => whole / 1e6);
  fc.assert(
    fc.property(fc.oneof(millionths, counter), (value) => {
      expect(microOf(value)).toBe(unitsAt(decimalOf(value), 6));
      expect(rounded(value) + 0).toBe(value + 0);
      expect(numberOf(microOf(value)) + 0).toBe(value + 0);
    }),
    { numRuns: 2_000 },
  );
  expect([rounded(0.1 + 0.2), rounded(9.1 - 0.04), rounded(1e-7)]).toEqual([0.3, 9.06, 0]);
});

test("TRUST-030 many readings add up exactly, and nothing has no sign", () => {
  const many = Array.from({ length: 25 }, () => 999_999_999.999_999);
  expect(sum(many)).toBe(Number("24999999999.999975"));
  expect(sum(many.map((each) => -each))).toBe(-Number("24999999999.999975"));
  expect(sum([...many, 1e9, -1e9, ...many.map((each) => -each), 0.5])).toBe(0.5);
  expect(
    [difference(-0, 0), difference(0, 0), sum([-0]), product(-0, 1)].every((each) => Object.is(each, 0)),
  ).toBe(true);
});

test("TRUST-030 a number keeps the digits of its text to a millionth on both sides, and no text is like another", () => {
  const kept = ["1", "1.000001", "0.999999", "1.000002", "0.999998"].map((text) => keepsDigits(1, text));
  expect(kept).toEqual([true, true, true, false, false]);
  expect(keepsDigits(1_000_000_000_000_000.1, "1000000000000000.123")).toBe(false);
  expect([keepsDigits(1e21, "1e21"), keepsDigits(1e21, "1E+21")]).toEqual([true, true]);
  expect([
    isEqual(decimal("1.0"), one),
    isEqual(zero, decimal("0.00")),
    isEqual(one, decimal("1.01")),
  ]).toEqual([true, true, false]);
  expect([textOf(plus(zero, decimal("-0.5"))), textOf(times(one, decimal("7.25")))]).toEqual([
    "-0.5",
    "7.25",
  ]);
});

test("TRUST-030 millionths are read of a text up to the largest that still add up, and a fraction needs no digit before it", () => {
  const texts = [0, 1].map((more) => textOf(ofMicro(BigInt(mostMicro) + BigInt(more))));
  expect(texts.map((text) => microIn(text, 0, text.length))).toEqual([mostMicro, Number.NaN]);
  expect([wholeOf(".5", 1), wholeOf("0.55", 1), wholeOf("-0.55", 1)]).toEqual([5n, 6n, -6n]);
  expect([wholeOf("1", 30), amountOfMicro(1, oneFactor)]).toEqual([10n ** 30n, exactOf("0.000001")]);
  // Of seven decimals none is lost before the product is rounded.
  expect([product(1.000_000_5, 2), product(-1.000_000_5, 2)]).toEqual([2.000_001, -2.000_001]);
});
