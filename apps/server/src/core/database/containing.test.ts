import { expect, test } from "vitest";
import { containing } from "./containing.ts";

test("what a pattern would read as a wildcard is looked for as it is", () => {
  expect(containing("Кв. 12")).toBe("%Кв. 12%");
  expect(containing(String.raw`100%_a\b`)).toBe(String.raw`%100\%\_a\\b%`);
});
