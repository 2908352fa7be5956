import { languages } from "@metrum/vocabulary";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decimalOf, textOf } from "./decimal.ts";
import { commaIn, fixedText, numberText, readNumber } from "./numbers.ts";

const number = fc
  .tuple(fc.integer({ min: -(10 ** 15), max: 10 ** 15 }), fc.nat(6))
  .map(([whole, places]) => whole / 10 ** places + 0);

test("TRUST-028 a number in words has the decimals that are asked for, groups and mark of its language", () => {
  expect(numberText(1_234_567.5, "ru", 3)).toBe("1\u00a0234\u00a0567,500");
  expect(numberText(-1_234.5, "mn", 1)).toBe("\u22121\u00a0234.5");
  expect(numberText(999.5, "en", 0)).toBe("1\u00a0000");
  expect(numberText(1_000_000_000_000.878, "en", 6)).toBe("1\u00a0000\u00a0000\u00a0000\u00a0000.878000");
  expect([1.005, -0.0004, 0.1 + 0.2].map((value) => numberText(value, "en", 2))).toEqual([
    "1.01",
    "0.00",
    "0.30",
  ]);
  expect([0, 0.5, 0.123_456, 3.1].map((value) => numberText(value, "en", { least: 1, most: 4 }))).toEqual([
    "0.0",
    "0.5",
    "0.1235",
    "3.1",
  ]);
  expect([Number.NaN, Infinity].map((value) => numberText(value, "en", 3))).toEqual(["—", "—"]);
});

test.each(languages)("TRUST-028 every number is read from its text (%s)", (language) => {
  fc.assert(
    fc.property(number, (value) => {
      const exact = textOf(decimalOf(value));

      expect(readNumber(numberText(value, language, { least: 0, most: 6 }), commaIn(language))).toEqual({
        text: exact,
      });
      expect(fixedText(decimalOf(value), 6)).toMatch(/^-?\d+\.\d{6}$/);
      expect(Number(fixedText(decimalOf(value), 6)) + 0).toBe(value);
    }),
    { numRuns: 300 },
  );
});

test("TRUST-028 a number is read with the marks of Russian, Mongolian and English texts", () => {
  const read = (text: string) => readNumber(text, "unsure");

  for (const text of [
    "1234.5",
    "1234,5",
    "1 234,5",
    "1\u202f234,5",
    "1\u00a0234.5",
    "1\u2009234.5",
    "1,234.5",
  ])
    expect([text, read(text)]).toEqual([text, { text: "1234.5" }]);
  for (const [text, exact] of [
    ["1,234,567", "1234567"],
    ["-1,234,567.89", "-1234567.89"],
    ["\u22121\u202f234\u202f567,89", "-1234567.89"],
    [" +12 ", "12"],
    [",5", "0.5"],
    ["-.5", "-0.5"],
    ["12,", "12"],
    ["0,123", "0.123"],
    ["1234,567", "1234.567"],
    ["12 345,678", "12345.678"],
    ["12,3456", "12.3456"],
    ["1e3", "1e3"],
    ["1,5E-3", "1.5E-3"],
  ] as const)
    expect([text, read(text)]).toEqual([text, { text: exact }]);
});

test("TRUST-028 a comma before three digits is unsure, unless the language or the file says what it is", () => {
  for (const text of ["1,234", "-12,345", "123,456"]) {
    expect(readNumber(text, "unsure")).toEqual({ fault: "unsure" });
    expect(readNumber(text, "decimal")).toEqual({ text: text.replace(",", ".") });
  }
  expect(languages.map(commaIn).toSorted()).toEqual(["decimal", "unsure", "unsure"]);
});

test("TRUST-028 what is no number of these languages is none", () => {
  for (const text of [
    ...["", "-", ".", ",", "12a", "1O", "1 2345", "12 34", "1 234 56", "1 234 5678", "1  234", "1,23,456"],
    ...[
      "1.234.567",
      "1.234,5",
      "1,234 567",
      "1 234,567,8",
      "1,2,3",
      "--1",
      "- 1",
      "1e",
      "1e999",
      "NaN",
      "Infinity",
    ],
    ...["0x10", "1'234", "1_000", "1\n234", "\u0661\u0662", "9".repeat(61)],
  ])
    for (const comma of ["decimal", "unsure"] as const)
      expect([text, readNumber(text, comma)]).toEqual([text, { fault: "no_number" }]);
});
