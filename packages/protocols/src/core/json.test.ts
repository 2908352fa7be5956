import fc from "fast-check";
import { expect, it } from "vitest";
import { ProtocolError } from "./errors.ts";
import { fieldsOf, secondsOf } from "./json.ts";

it("a number is accepted as a number and as text", () => {
  expect(fieldsOf({ a: 1.5 }).number("a")).toBe(1.5);
  expect(fieldsOf({ a: " -1.5e3 " }).number("a")).toBe(-1500);
});

it.each(["", "0x10", "1 2", "NaN", true, [], Number.POSITIVE_INFINITY])("%j is no number", (value) => {
  expect(() => fieldsOf({ a: value }).number("a")).toThrow(ProtocolError);
});

it("an instant and its text are the same, in every zone", () => {
  const seconds = fc.integer({ min: Date.UTC(1970, 0) / 1000, max: Date.UTC(9999, 0) / 1000 });
  const minutes = fc.integer({ min: -14 * 60, max: 14 * 60 });
  const two = (value: number): string => String(value).padStart(2, "0");
  fc.assert(
    fc.property(seconds, minutes, fc.constantFrom("", ".5", ".123456789"), (at, ahead, part) => {
      const local = new Date((at + ahead * 60) * 1000).toISOString().slice(0, 19);
      const size = Math.abs(ahead);
      const zone = `${ahead < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;

      expect(secondsOf(`${local}${part}${zone}`)).toBe(at);
      expect(secondsOf(local)).toBeNull();
    }),
  );
});

it.each([
  "2026-02-31T00:00:00Z",
  "2026-02-29T12:00:00+08:00",
  "2026-13-01T00:00:00Z",
  "2026-11-21T25:00:00Z",
  "2026-11-21",
  "21 Nov 2026 10:00 GMT",
  "1795000000",
  "Z",
  "",
])("%j is no instant", (text) => {
  expect(secondsOf(text)).toBeNull();
});
