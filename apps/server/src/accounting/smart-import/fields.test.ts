import { languages } from "@metrum/vocabulary";
import { expect, test } from "vitest";
import { fields } from "./fields.ts";

test("XLS-016 the example of the smart import has words of the language in which it is shown", () => {
  // A kind of object is written by its code, a time zone by its name.
  const words = fields.filter(
    ({ as, field }) => (as === "text" || as === "resource") && field !== "type" && field !== "timezone_name",
  );
  const filled = words.filter(({ example }) => example.en !== "");

  expect(filled.length).toBeGreaterThan(5);
  for (const { example } of filled) {
    expect(languages.map((language) => /[a-z]/.test(example[language]))).toEqual(
      languages.map((language) => language === "en"),
    );
    expect(/[а-яё]/i.test(example.ru) && /[а-яёөү]/i.test(example.mn)).toBe(true);
  }
});
