import { expect, it } from "vitest";
import { isSameContent } from "./content.ts";

it("values are compared by content: the order of keys does not matter, that of lists does", () => {
  const one = { tariff0: 1, by: { month: 2, day: [1, { b: 1, a: null }] } };
  const other = { by: { day: [1, { a: null, b: 1 }], month: 2 }, tariff0: 1 };

  expect(isSameContent(one, other)).toBe(true);
  expect(isSameContent({ ...one, note: undefined }, other)).toBe(true);
  expect(isSameContent(undefined, undefined)).toBe(true);
  expect(isSameContent(undefined, null)).toBe(false);
  expect(isSameContent([1, 2], [2, 1])).toBe(false);
  expect(isSameContent(one, { ...other, tariff0: 1.000001 })).toBe(false);
});
