import { expect, it } from "vitest";
import { ProtocolError } from "./errors.ts";
import { fieldsOf } from "./json.ts";

it("a number is accepted as a number and as text", () => {
  expect(fieldsOf({ a: 1.5 }).number("a")).toBe(1.5);
  expect(fieldsOf({ a: " -1.5e3 " }).number("a")).toBe(-1500);
});

it.each(["", "0x10", "1 2", "NaN", true, [], Number.POSITIVE_INFINITY])("%j is no number", (value) => {
  expect(() => fieldsOf({ a: value }).number("a")).toThrow(ProtocolError);
});
