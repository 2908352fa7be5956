import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProtocolError } from "./errors.ts";
import { elementsOf, fieldsOf, parseJson, secondsOf, type Fields } from "./json.ts";

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

/** What is said of a field that is wrong. */
const faultOf = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    if (error instanceof ProtocolError)
      return error.field && [error.field.path, error.field.wanted, error.field.params];
    throw error;
  }
  return undefined;
};

describe("a field of a message", () => {
  const read = {
    text: (fields: Fields) => fields.text("a"),
    number: (fields: Fields) => fields.number("a"),
    flag: (fields: Fields) => fields.flag("a"),
    inner: (fields: Fields) => fields.inner("a"),
    list: (fields: Fields) => fields.list("a"),
    texts: (fields: Fields) => fields.texts("a"),
    integer: (fields: Fields) => fields.integer("a", 2, 5),
  };

  it("that is missing or null is zero, empty or false, as in proto3", () => {
    for (const message of [{}, { a: null }, Object.create({ a: 7 }) as object]) {
      const fields = fieldsOf(message);

      expect([fields.has("a"), fields.text("a"), fields.number("a"), fields.flag("a")]).toEqual([
        false,
        "",
        0,
        false,
      ]);
      expect([fields.list("a"), fields.texts("a"), fields.inner("a").entries()]).toEqual([[], [], []]);
    }
    expect(fieldsOf({}).has("constructor")).toBe(false);
    for (const a of [0, "", false, []]) expect(fieldsOf({ a }).has("a")).toBe(true);
  });

  it("is what was sent", () => {
    expect(read.text(fieldsOf({ a: "x" }))).toBe("x");
    expect(read.flag(fieldsOf({ a: true }))).toBe(true);
    expect(read.texts(fieldsOf({ a: ["x", "y"] }))).toEqual(["x", "y"]);
    expect(read.list(fieldsOf({ a: [{ b: 1 }, { b: 2 }] })).map((each) => each.number("b"))).toEqual([1, 2]);
    expect(read.inner(fieldsOf({ a: { b: 3 } })).number("b")).toBe(3);
    expect(fieldsOf({ a: 1, b: "2" }).entries()).toEqual([
      ["a", 1],
      ["b", "2"],
    ]);
  });

  it.each<[keyof typeof read, unknown, readonly unknown[]]>([
    ["text", 5, ["a", "text", {}]],
    ["text", "x".repeat(10_001), ["a", "short", { most: 10_000 }]],
    ["number", "five", ["a", "number", {}]],
    ["number", "1.2.3", ["a", "number", {}]],
    ["number", "1e999", ["a", "number", {}]],
    ["flag", "true", ["a", "flag", {}]],
    ["flag", 1, ["a", "flag", {}]],
    ["inner", [], ["a.", "object", {}]],
    ["inner", "x", ["a.", "object", {}]],
    ["list", {}, ["a", "list", {}]],
    ["list", [5], ["a[0].", "object", {}]],
    ["list", Array.from({ length: 10_001 }, () => ({})), ["a", "few", { most: 10_000 }]],
    ["texts", "x", ["a", "list", {}]],
    ["texts", ["x", 5], ["a[1]", "text", {}]],
    ["integer", 1, ["a", "whole", { least: 2, most: 5 }]],
    ["integer", 6, ["a", "whole", { least: 2, most: 5 }]],
    ["integer", 2.5, ["a", "whole", { least: 2, most: 5 }]],
  ])("read as %s is refused (%#)", (as, a, fault) => {
    expect(faultOf(() => read[as](fieldsOf({ a })))).toEqual(fault);
  });

  it("may be as long and as large as its limit", () => {
    expect(read.text(fieldsOf({ a: "x".repeat(10_000) }))).toHaveLength(10_000);
    expect(read.list(fieldsOf({ a: Array.from({ length: 10_000 }, () => ({})) }))).toHaveLength(10_000);
    expect([2, 5, "3"].map((a) => read.integer(fieldsOf({ a })))).toEqual([2, 5, 3]);
  });

  it("of an inner object is named by its whole path", () => {
    const fields = fieldsOf({ a: { b: [{ c: 5 }] } });

    expect(faultOf(() => fields.inner("a").list("b")[0]?.text("c"))).toEqual(["a.b[0].c", "text", {}]);
    expect(faultOf(() => fields.inner("a").flag("b"))).toEqual(["a.b", "flag", {}]);
    expect(faultOf(() => fields.inner("a").integer("d", 1, 2))).toEqual([
      "a.d",
      "whole",
      { least: 1, most: 2 },
    ]);
    expect(
      faultOf(() =>
        fieldsOf({ a: { b: [5] } })
          .inner("a")
          .texts("b"),
      ),
    ).toEqual(["a.b[0]", "text", {}]);
    expect(
      faultOf(() =>
        fieldsOf({ a: { b: {} } })
          .inner("a")
          .texts("b"),
      ),
    ).toEqual(["a.b", "list", {}]);
  });

  it("stands in an object, and that in JSON", () => {
    for (const other of [null, [], "x", 5]) {
      expect(faultOf(() => fieldsOf(other))).toEqual(["message", "object", {}]);
      expect(faultOf(() => fieldsOf(other, "[3]."))).toEqual(["[3].", "object", {}]);
    }
    expect(faultOf(() => elementsOf({}, "pack"))).toEqual(["pack", "list", {}]);
    expect(parseJson('{"a":1}')).toEqual({ a: 1 });
    expect(() => parseJson("{")).toThrow(new ProtocolError("unexpected", "not JSON"));
  });
});

it.each([
  ["2026-01-31T00:00:00Z", Date.UTC(2026, 0, 31)],
  ["2028-02-29T23:59:59Z", Date.UTC(2028, 1, 29, 23, 59, 59)],
  ["2026-11-28 10:00Z", Date.UTC(2026, 10, 28, 10)],
  ["2026-11-29T10:00:00+03:00", Date.UTC(2026, 10, 29, 7)],
  ["1969-12-31T23:59:59.5Z", -1000],
])("%s is an instant", (text, milliseconds) => {
  expect(secondsOf(text)).toBe(milliseconds / 1000);
});

it.each(["2026-04-31T00:00:00Z", "2026-00-29T00:00:00Z", "2026-11-00T00:00:00Z"])("%s is none", (text) => {
  expect(secondsOf(text)).toBeNull();
});
