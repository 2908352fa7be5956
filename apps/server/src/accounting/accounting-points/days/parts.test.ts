import { expect, it } from "vitest";
import { wrongTotals } from "#testing/series/whyCases";

const cases = 250;

it(`TRUST-026 the parts of ${String(cases)} totals by chance add up to them to the last digit, of every register`, () => {
  expect(wrongTotals(cases)).toEqual([]);
}, 240_000);
