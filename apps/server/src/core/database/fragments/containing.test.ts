import { expect, test } from "vitest";
import { containing } from "./containing.ts";

test("wildcards in a pattern are searched literally", () => {
  expect(containing("Кв. 12")).toBe("%Кв. 12%");
  expect(containing(String.raw`100%_a\b`)).toBe(String.raw`%100\%\_a\\b%`);
});
