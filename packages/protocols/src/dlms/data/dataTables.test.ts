import { describe, expect, it } from "vitest";
import { fromHex, toHex, type Span } from "../../core/bytes.ts";
import { decodeData } from "./data.ts";
import { encodeData } from "./dataEncode.ts";
import { partsOf } from "../testing/testSpans.ts";
import type { DlmsData, TypeDescription } from "../types.ts";

const moment = {
  ...{ year: 2026, month: 11, day: 20, weekday: 5 },
  ...{ hour: 14, minute: 30, second: 15, hundredths: 0 },
};

type Row = [hex: string, value: DlmsData, shown: Span["value"], word?: string];

/** Source: Green Book 9.5 (Data) and Blue Book 4.1.5, 4.1.6.1: one of each type, its bytes, and what a trace calls it. */
const types: readonly Row[] = [
  ["03 01", { type: "bool", value: true }, 1],
  ["03 00", { type: "bool", value: false }, 0],
  ["05 80000000", { type: "int32", value: -2_147_483_648 }, -2_147_483_648],
  ["05 7fffffff", { type: "int32", value: 2_147_483_647 }, 2_147_483_647],
  ["06 ffffffff", { type: "uint32", value: 4_294_967_295 }, 4_294_967_295],
  ["0d 42", { type: "bcd", value: 0x42 }, 0x42],
  ["0f 80", { type: "int8", value: -128 }, -128],
  ["10 8000", { type: "int16", value: -32_768 }, -32_768],
  ["10 7fff", { type: "int16", value: 32_767 }, 32_767],
  ["11 ff", { type: "uint8", value: 255 }, 255],
  ["12 ffff", { type: "uint16", value: 65_535 }, 65_535],
  ["14 8000000000000000", { type: "int64", value: -(2n ** 63n) }, "-9223372036854775808"],
  ["14 7fffffffffffffff", { type: "int64", value: 2n ** 63n - 1n }, "9223372036854775807"],
  ["15 ffffffffffffffff", { type: "uint64", value: 2n ** 64n - 1n }, "18446744073709551615"],
  ["15 0000000100000002", { type: "uint64", value: 4_294_967_298n }, "4294967298"],
  ["16 1e", { type: "enum", value: 30 }, 30, "type_enum"],
  ["17 3fc00000", { type: "float32", value: 1.5 }, 1.5],
  ["18 c002000000000000", { type: "float64", value: -2.25 }, -2.25],
  ["1a 07ea 0b 14 05", { type: "date", value: dateOf(moment) }, { local: "2026-11-20" }, "type_date"],
  ["1b 0e 1e 0f 00", { type: "time", value: timeOf(moment) }, { local: "14:30:15" }, "type_time"],
  [
    "19 07ea0b1405 0e1e0f00 ff88 80",
    { type: "dateTime", value: { ...moment, deviation: -120, status: 0x80 } },
    { local: "2026-11-20T14:30:15+02:00" },
    "type_date_time",
  ],
];

/** With a length in front. */
const strings: readonly Row[] = [
  ["09 03 010203", { type: "octets", value: fromHex("010203") }, "010203", "type_octets"],
  ["0a 03 4d5c e9", { type: "visible", value: "M\\é" }, "M\\é"],
  ["0c 04 d181 c3a9", { type: "utf8", value: "сé" }, "сé"],
];

function dateOf({ year, month, day, weekday }: typeof moment) {
  return { year, month, day, weekday };
}
function timeOf({ hour, minute, second, hundredths }: typeof moment) {
  return { hour, minute, second, hundredths };
}

function traced(hex: string, base = 0): readonly Span[] {
  const trace: Span[] = [];
  decodeData(fromHex(hex), { trace, base });
  return trace;
}
const refused = (kind: string, offset: number, message: string): unknown =>
  expect.objectContaining({ name: "ProtocolError", kind, offset, message });

describe("a value of each type", () => {
  it.each([...types, ...strings])("has the bytes %s", (hex, value) => {
    expect(decodeData(fromHex(hex))).toEqual(value);
    expect(toHex(encodeData(value))).toBe(hex.replaceAll(" ", ""));
  });

  it.each(types)("%s is named by its type, and shown", (hex, { type }, shown, word) => {
    const size = fromHex(hex).length - 1;

    expect(traced(hex, 10)).toEqual([
      { offset: 10, bytes: 1, name: { code: "value", part: "type" }, value: word ? { word } : type },
      { offset: 11, bytes: size, name: "value", value: shown },
    ]);
  });

  it.each(strings)("%s is named by its type and its length, and shown", (hex, { type }, shown, word) => {
    const size = fromHex(hex).length - 2;

    expect(traced(hex, 10)).toEqual([
      { offset: 10, bytes: 1, name: { code: "value", part: "type" }, value: word ? { word } : type },
      { offset: 11, bytes: 1, name: { code: "value", part: "length" }, value: size },
      { offset: 12, bytes: size, name: "value", value: shown },
    ]);
  });

  it("may be none, or one that does not matter: a tag alone", () => {
    expect([decodeData(fromHex("00")), decodeData(fromHex("ff"))]).toEqual([
      { type: "null" },
      { type: "dontCare" },
    ]);
    expect([toHex(encodeData({ type: "null" })), toHex(encodeData({ type: "dontCare" }))]).toEqual([
      "00",
      "ff",
    ]);
    expect(traced("00")).toMatchObject([{ value: { word: "type_null" } }]);
    expect(traced("ff")).toMatchObject([{ value: "dontCare" }]);
  });

  it.each([
    ["04 00", 0, ""],
    ["04 08 ff", 8, "ff"],
    ["04 09 ff80", 9, "ff80"],
  ])("bits %s fill whole bytes", (hex, count, bytes) => {
    const value: DlmsData = { type: "bitString", count, bytes: fromHex(bytes) };

    expect(decodeData(fromHex(hex))).toEqual(value);
    expect(toHex(encodeData(value))).toBe(hex.replaceAll(" ", ""));
    expect(partsOf(traced(hex))).toEqual([
      "1 value/type",
      "1 value/bits",
      `${String(bytes.length / 2)} value`,
    ]);
    expect(traced(hex)[0]?.value).toEqual({ word: "type_bit_string" });
  });

  it("is true for any byte but 0, NaN as a float, and U+FFFD for broken UTF-8", () => {
    expect(decodeData(fromHex("03 02"))).toEqual({ type: "bool", value: true });
    expect(toHex(encodeData({ type: "float32", value: Number.NaN }))).toBe("177fc00000");
    expect(decodeData(fromHex("0c 01 ff"))).toEqual({ type: "utf8", value: "\ufffd" });
    expect(decodeData(fromHex("0c 03 efbbbf"))).toEqual({ type: "utf8", value: "\ufeff" });
  });

  it("of a date that means any has FF in its place", () => {
    const any = { year: null, month: null, day: null, weekday: null };
    const never = { hour: null, minute: null, second: null, hundredths: null };
    const hex = "19ffffffffffffffffff8000ff";

    expect(decodeData(fromHex(hex))).toEqual({
      type: "dateTime",
      value: { ...any, ...never, deviation: null, status: null },
    });
    expect(toHex(encodeData(decodeData(fromHex(hex))))).toBe(hex);
    expect(traced(hex)[1]?.value).toEqual({ local: "????-??-??T??:??:??" });
  });
});

describe("a list of values", () => {
  it("names its elements by their places, at every depth", () => {
    const hex = "0102 0202 1105 00 0201 1201f4";

    expect(partsOf(traced(hex, 3), 3)).toEqual([
      "1 value/type",
      "1 value/elements",
      "1 value.1/type",
      "1 value.1/elements",
      "1 value.1.1/type",
      "1 value.1.1",
      "1 value.1.2/type",
      "1 value.2/type",
      "1 value.2/elements",
      "1 value.2.1/type",
      "2 value.2.1",
    ]);
    expect(traced(hex).map(({ value }) => value)).toEqual([
      { word: "type_array" },
      2,
      { word: "type_structure" },
      2,
      "uint8",
      5,
      { word: "type_null" },
      { word: "type_structure" },
      1,
      "uint16",
      500,
    ]);
    expect(decodeData(fromHex(hex))).toEqual({
      type: "array",
      items: [
        { type: "structure", items: [{ type: "uint8", value: 5 }, { type: "null" }] },
        { type: "structure", items: [{ type: "uint16", value: 500 }] },
      ],
    });
  });

  it("has as many elements as bytes at most", () => {
    expect(decodeData(fromHex("0102 0000"))).toEqual({
      type: "array",
      items: [{ type: "null" }, { type: "null" }],
    });
    expect(() => decodeData(fromHex("0203 0000"))).toThrow(refused("unexpected", 2, "3 elements in 2 bytes"));
  });

  it("is nested 16 times at most", () => {
    const nested = (depth: number) => fromHex(`${"0201".repeat(depth)}00`);

    expect(toHex(encodeData(decodeData(nested(16))))).toBe(`${"0201".repeat(16)}00`);
    expect(() => decodeData(nested(17))).toThrow(refused("unexpected", 34, "nested deeper than 16"));
  });

  it("ends with its last element, and every type is one of the standard", () => {
    expect(() => decodeData(fromHex("1105 00"))).toThrow(refused("unexpected", 2, "1 bytes after the value"));
    expect(() => decodeData(fromHex("0201 1c"))).toThrow(refused("unsupported", 2, "unknown data type 28"));
    expect(() => decodeData(fromHex("12 01"))).toThrow(refused("unexpected", 1, "2 bytes wanted, 1 left"));
  });
});

describe("a compact array", () => {
  const simple = (tag: number) => ({ kind: "simple", tag }) as const;
  const bytes = (...values: number[]): DlmsData[] => values.map((value) => ({ type: "uint8", value }));

  it.each<[string, DlmsData]>([
    ["13 11 02 0506", { type: "compactArray", description: simple(0x11), items: bytes(5, 6) }],
    [
      "13 01 0002 11 04 05060708",
      {
        type: "compactArray",
        description: { kind: "array", count: 2, of: simple(0x11) },
        items: [
          { type: "array", items: bytes(5, 6) },
          { type: "array", items: bytes(7, 8) },
        ],
      },
    ],
    [
      "13 02 02 11 02 01 12 03 050006",
      {
        type: "compactArray",
        description: { kind: "structure", of: [simple(0x11), { kind: "structure", of: [simple(0x12)] }] },
        items: [
          {
            type: "structure",
            items: [...bytes(5), { type: "structure", items: [{ type: "uint16", value: 6 }] }],
          },
        ],
      },
    ],
  ])("%s describes its elements once", (hex, value) => {
    expect(decodeData(fromHex(hex))).toEqual(value);
    expect(toHex(encodeData(value))).toBe(hex.replaceAll(" ", ""));
  });

  it("names its description and its elements", () => {
    const hex = "13 02 02 11 01 0001 12 03 050006";

    expect(partsOf(traced(hex, 7), 7)).toEqual([
      "1 value/type",
      "1 value/element_type",
      "1 value/elements",
      "1 value/element_type",
      "1 value/element_type",
      "2 value/elements",
      "1 value/element_type",
      "1 value/length",
      "1 value.1.1",
      "2 value.1.2.1",
    ]);
    expect(traced(hex).map(({ value }) => value)).toEqual([
      { word: "type_compact_array" },
      { word: "type_structure" },
      2,
      "uint8",
      { word: "type_array" },
      1,
      "uint16",
      3,
      5,
      6,
    ]);
  });

  it("is refused where its description or its contents go wrong", () => {
    expect(() => decodeData(fromHex("13 77 00"))).toThrow(refused("unsupported", 1, "unknown data type 119"));
    expect(() => decodeData(fromHex("13 13 00"))).toThrow(refused("unsupported", 1, "unknown data type 19"));
    expect(() => decodeData(fromHex("13 02 03 11 00"))).toThrow(
      refused("unexpected", 3, "3 elements in 2 bytes"),
    );
    expect(() => decodeData(fromHex("13 00 01 00"))).toThrow(
      refused("unexpected", 3, "elements of a compact array take no bytes"),
    );
    expect(() => decodeData(fromHex("13 12 03 000100"))).toThrow(
      refused("unexpected", 5, "2 bytes wanted, 1 left"),
    );
    expect(decodeData(fromHex("13 02 02 11 12 00"))).toMatchObject({ items: [] });
  });

  it("is described 16 deep at most, and stands inside of 15 lists", () => {
    const described = (depth: number) => fromHex(`13${"0201".repeat(depth)}1100`);

    expect(decodeData(described(16))).toMatchObject({ items: [] });
    expect(() => decodeData(described(17))).toThrow(refused("unexpected", 35, "nested deeper than 16"));
    expect(() => decodeData(fromHex(`${"0201".repeat(15)}13110105`))).not.toThrow();
    expect(() => decodeData(fromHex(`${"0201".repeat(16)}13110105`))).toThrow(
      refused("unexpected", 36, "nested deeper than 16"),
    );
  });

  it("has 64 elements more than bytes at most, those without bytes counted", () => {
    // Two parts of a structure, 9 bytes of description, length and contents: 71 more.
    const withNulls = (count: number) =>
      fromHex(`13 02 02 01 ${count.toString(16).padStart(4, "0")} 00 11 01 05`);

    expect(() => decodeData(withNulls(71))).not.toThrow();
    expect(() => decodeData(withNulls(72))).toThrow(
      expect.objectContaining({ kind: "unexpected", message: "more elements than the data can hold" }),
    );
  });
});

describe("a value that is no such value", () => {
  const described = (description: TypeDescription, ...items: DlmsData[]): DlmsData => ({
    type: "compactArray",
    description,
    items,
  });
  const byte: DlmsData = { type: "uint8", value: 1 };
  const one: TypeDescription = { kind: "array", count: 1, of: { kind: "simple", tag: 0x11 } };
  const list = (...items: DlmsData[]): DlmsData => ({ type: "array", items });
  const structure = (...items: DlmsData[]): DlmsData => ({ type: "structure", items });

  it.each<[string, DlmsData]>([
    ["an int16 too low", { type: "int16", value: -32_769 }],
    ["an int16 too high", { type: "int16", value: 32_768 }],
    ["an int32 too low", { type: "int32", value: -2_147_483_649 }],
    ["an int32 too high", { type: "int32", value: 2_147_483_648 }],
    ["an int16 that is none", { type: "int16", value: Number.NaN }],
    ["an int64 too high", { type: "int64", value: 2n ** 63n }],
    ["an int64 too low", { type: "int64", value: -(2n ** 63n) - 1n }],
    ["a uint64 too high", { type: "uint64", value: 2n ** 64n }],
    ["a uint64 below zero", { type: "uint64", value: -1n }],
    ["a uint8 too high", { type: "uint8", value: 256 }],
    ["an element of another type", described({ kind: "simple", tag: 0x12 }, byte)],
    ["an element where a list is described", described(one, byte)],
    ["a list where an element is described", described({ kind: "simple", tag: 0x01 }, list())],
    ["a structure where a list is described", described(one, structure(byte))],
    ["a list with too few elements", described(one, list())],
    ["a list with too many elements", described(one, list(byte, byte))],
    ["a structure with too many parts", described({ kind: "structure", of: [] }, structure(byte))],
    [
      "a compact array in another one",
      described({ kind: "simple", tag: 0x13 }, described({ kind: "simple", tag: 0x11 })),
    ],
  ])("%s is not written", (_, value) => {
    expect(() => encodeData(value)).toThrow(RangeError);
  });
});

describe("a length", () => {
  it.each([
    [0x7f, "7f"],
    [0x80, "8180"],
    [0xff, "81ff"],
    [0x100, "820100"],
    [0xffff, "82ffff"],
    [0x1_0000, "8400010000"],
  ])("of %i is %s", (length, hex) => {
    const bytes = encodeData({ type: "octets", value: new Uint8Array(length) });
    const read = decodeData(bytes);

    expect(toHex(bytes.subarray(1, 1 + hex.length / 2))).toBe(hex);
    expect(read.type === "octets" && read.value.length).toBe(length);
  });

  it("is read in any form of up to 4 bytes", () => {
    expect(decodeData(fromHex("09 83 000001 aa"))).toMatchObject({ value: Uint8Array.of(0xaa) });
    expect(decodeData(fromHex("09 84 00000001 aa"))).toMatchObject({ value: Uint8Array.of(0xaa) });
    const message = "length is not of 1 to 4 bytes";
    expect(() => decodeData(fromHex("09 85 0000000001 aa"))).toThrow(refused("unexpected", 2, message));
    expect(() => decodeData(fromHex("09 80 aa"))).toThrow(refused("unexpected", 2, message));
    expect(() => decodeData(fromHex("09 82 0102 aa"))).toThrow(
      refused("unexpected", 4, "258 bytes wanted, 1 left"),
    );
  });
});
