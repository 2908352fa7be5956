import { expect, it } from "vitest";
import { aPart, aValue } from "#testing/points.ts";
import { firstExplained, linesOf } from "./why.ts";

it("TRUST-010 a part is explained as reading at the end minus reading at the start times the ratio", () => {
  expect(linesOf(aPart()).map(({ kind }) => kind)).toEqual(["end", "start", "ratio"]);
  // After a rollover the difference of the readings is not the growth, which the server has computed.
  expect(linesOf(aPart({ flags: ["rollover"], is_difference: false }))).toContainEqual({
    kind: "growth",
    amount: 1953.101,
  });
});

it("a part without readings shows only what is known", () => {
  expect(linesOf(aPart({ start: null, ratio: null, register_growth: null })).map(({ kind }) => kind)).toEqual(
    ["end"],
  );
  expect(linesOf(aPart({ kind: "amount", start: null, end: null, register_growth: null }))).toEqual([]);
});

it("TRUST-026 a part that is not counted shows what the register grew by, and no product", () => {
  const part = aPart({ kind: "uncounted", reason: "edge", amount: 0, amount_exact: "0" });

  expect(linesOf(part).map(({ kind }) => kind)).toEqual(["end", "start", "growth"]);
});

it("the last reading of the last device is explained first", () => {
  const last = aValue({ value: 5 });
  expect(
    firstExplained([aPart(), aPart({ end: last }), aPart({ kind: "carried", start: null, end: null })]),
  ).toBe(last);
  const between = aValue({ kind: "interpolated", around: [last, aValue()] });
  expect(firstExplained([aPart({ end: between })])).toBe(last);
  expect(firstExplained([])).toBeNull();
});
