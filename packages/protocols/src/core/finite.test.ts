import { expect, it } from "vitest";
import { finite, finiteReadings } from "./finite.ts";

const reading = { msgType: 1, at: 1_795_176_600, values: { tariff0: 12.5, voltage1: null } } as const;

it("numbers, nulls and missing times are unchanged", () => {
  const readings = [reading, { ...reading, at: null, meterAt: 1_795_176_601 }];

  expect(finiteReadings(readings)).toBe(readings);
  expect(finite(-1.7e308, "tariff0")).toBe(-1.7e308);
});

it.each([
  [{ ...reading, values: { voltage1: null, tariff0: Infinity } }, "tariff0 is too large"],
  [{ ...reading, values: { tariff0: -Infinity } }, "tariff0 is too large"],
  [{ ...reading, values: { tariff0: Number.NaN } }, "tariff0 is not a number"],
  [{ ...reading, at: Number.NaN }, "time is not a number"],
  [{ ...reading, meterAt: Infinity }, "meterAt is too large"],
])("an invalid number refuses the whole input, by field name: %j", (wrong, message) => {
  expect(() => finiteReadings([reading, wrong])).toThrow(
    expect.objectContaining({ name: "ProtocolError", kind: "unexpected", message }),
  );
});
