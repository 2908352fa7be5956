import { dictionary } from "@zxcvbn-ts/language-common";
import { expect, test } from "vitest";
import { isCommonPassword } from "./commonPasswords.ts";

const commonest = dictionary.passwords.slice(0, 10_000);

/** Capital first letter, a trailing digit and symbol: the usual way to satisfy the character classes. */
const dressedUp = (password: string) => `${password.slice(0, 1).toUpperCase()}${password.slice(1)}!`;

test("the list is sorted, the commonest first", () => {
  expect(commonest).toHaveLength(10_000);
  expect(commonest.slice(0, 4)).toEqual(["123456", "password", "12345678", "qwerty"]);
});

test("each of the 10,000 commonest is refused, in lower, upper and mixed case", () => {
  const taken = commonest.flatMap((each) =>
    [each, each.toUpperCase(), dressedUp(each).slice(0, -1)].filter((form) => !isCommonPassword(form)),
  );

  expect(taken).toEqual([]);
});

test("each of them is refused with a capital letter and a sign as well", () => {
  const isPlain = (password: string) => /^[\p{L}\d]+$/u.test(password);

  expect(commonest.filter(isPlain).filter((each) => !isCommonPassword(dressedUp(each)))).toEqual([]);
});

test("a listed password with a symbol is refused literally", () => {
  expect(commonest).not.toContain("1qaz!qaz");
  expect(isCommonPassword("1qaz!QAZ")).toBe(true);
});

test("a common word among others does not make a common password", () => {
  expect(isCommonPassword("dragon-Sunshine7*battery")).toBe(false);
});
