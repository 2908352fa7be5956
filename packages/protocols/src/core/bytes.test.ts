import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteReader, ByteWriter, fromHex, toHex, type Span } from "./bytes.ts";
import { refusalOf } from "./testing/testRefusal.ts";

type Width = "u8" | "i8" | "u16le" | "u16be" | "u32le" | "u32be" | "f32le" | "f32be";

const numbers: readonly (readonly [Width, string, number])[] = [
  ["u8", "ff", 255],
  ["i8", "80", -128],
  ["i8", "7f", 127],
  ["u16le", "0180", 0x8001],
  ["u16be", "0180", 0x180],
  ["u32le", "01020384", 0x84030201],
  ["u32be", "01020384", 0x01020384],
  ["f32le", "0000c0bf", -1.5],
  ["f32be", "bfc00000", -1.5],
];

describe("a reader", () => {
  it.each(numbers)("reads %s of %s as %d, named at its place in the whole frame", (width, hex, value) => {
    const whole = fromHex(`00${hex}00`);
    const trace: Span[] = [];
    const reader = new ByteReader(whole.subarray(1, -1), { trace, base: 10 });
    const bytes = hex.length / 2;

    expect([reader.offset, reader.position, reader.remaining, reader.done]).toEqual([10, 0, bytes, false]);
    expect(reader[width]("status")).toBe(value);
    expect([reader.offset, reader.position, reader.remaining, reader.done]).toEqual([
      10 + bytes,
      bytes,
      0,
      true,
    ]);
    expect(trace).toEqual([{ offset: 10, bytes, name: "status", value }]);
    expect(refusalOf(() => reader[width]())).toEqual({ kind: "unexpected", offset: 10 + bytes });
  });

  it.each(numbers)("refuses %s of one byte less than %s, and names nothing without a name", (width, hex) => {
    const trace: Span[] = [];
    const short = new ByteReader(fromHex(hex).subarray(1), { trace });

    expect(refusalOf(() => short[width]("status"))).toEqual({ kind: "unexpected", offset: 0 });
    new ByteReader(fromHex(hex), { trace })[width]();
    expect(trace).toEqual([]);
  });

  it("takes parts of the frame, at most what is left", () => {
    const trace: Span[] = [];
    const reader = new ByteReader(fromHex("010203"), { trace });

    expect([reader.peek(), reader.peek(2), reader.peek(3)]).toEqual([1, 3, undefined]);
    expect(toHex(reader.take(2, "data"))).toBe("0102");
    expect(toHex(reader.take(0))).toBe("");
    expect(trace).toEqual([{ offset: 0, bytes: 2, name: "data", value: "0102" }]);
    expect(refusalOf(() => reader.take(2))).toEqual({ kind: "unexpected", offset: 2 });
    expect(refusalOf(() => reader.take(-1))).toEqual({ kind: "unexpected", offset: 2 });
    expect(refusalOf(() => reader.fail("wrong"))).toEqual({ kind: "unexpected", offset: 2 });
  });

  it("names what is still to be read, what was read, and any other place", () => {
    const trace: Span[] = [];
    const reader = new ByteReader(fromHex("01020304"), { trace, base: 5 });
    reader.take(1);
    reader.note("status", 2, 7);
    reader.note("level", 1, null, 6);
    reader.take(2);
    reader.noteSince(1, "data", "x");

    expect(trace).toEqual([
      { offset: 6, bytes: 2, name: "status", value: 7 },
      { offset: 6, bytes: 1, name: "level", value: null },
      { offset: 6, bytes: 2, name: "data", value: "x" },
    ]);
    expect(new ByteReader(fromHex("01")).spans).toBeUndefined();
    expect(new ByteReader(fromHex("01")).u8("status")).toBe(1);
  });

  it("gives a 32-bit float as the shortest number that it can be", () => {
    expect(new ByteReader(fromHex("cdcccc3d")).f32le()).toBe(0.1);
    expect(new ByteReader(fromHex("3dcccccd")).f32be()).toBe(0.1);
  });
});

describe("a writer", () => {
  it.each(numbers)("writes %s as %s of %d, whatever its room", (width, hex, value) => {
    for (const room of [0, 1, 64]) {
      const writer = new ByteWriter(room);
      const written = writer.u8(9)[width](value);

      expect(toHex(written.finish())).toBe(`09${hex}`);
      expect(writer.length).toBe(1 + hex.length / 2);
    }
  });

  it.each([
    ["u8", 0, 0xff],
    ["i8", -0x80, 0x7f],
    ["u16le", 0, 0xffff],
    ["u16be", 0, 0xffff],
    ["u32le", 0, 0xffffffff],
    ["u32be", 0, 0xffffffff],
  ] as const)("writes %s from %d to %d", (width, least, most) => {
    for (const value of [least, most])
      expect(new ByteReader(new ByteWriter()[width](value).finish())[width]()).toBe(value);
    for (const value of [least - 1, most + 1, Number.NaN])
      expect(() => new ByteWriter()[width](value)).toThrow(RangeError);
  });

  it("writes any float but the one that is no number", () => {
    expect(toHex(new ByteWriter().f32be(Infinity).f32le(-Infinity).finish())).toBe("7f800000000080ff");
    expect(() => new ByteWriter().f32be(Number.NaN)).toThrow(RangeError);
    expect(() => new ByteWriter().f32le(Number.NaN)).toThrow(RangeError);
  });

  it("grows with what is written, and gives a copy", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 }), fc.nat(50), (parts, room) => {
        const writer = new ByteWriter(room);
        for (const part of parts) writer.raw(part);

        const first = writer.finish();
        writer.u8(1);

        expect([...first]).toEqual(parts.flatMap((part) => [...part]));
        expect([...writer.finish()]).toEqual([...first, 1]);
      }),
    );
  });
});

describe("hexadecimal", () => {
  it("is text of two small letters or digits for each byte, and read in any case and with spaces", () => {
    expect(toHex([0, 9, 0x0a, 0xff])).toBe("00090aff");
    expect([...fromHex(" 00 09\n0A fF ")]).toEqual([0, 9, 10, 255]);
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(fromHex(toHex(bytes))).toEqual(bytes);
      }),
    );
  });

  it.each([
    ["0g", 0],
    ["g0", 0],
    ["00 00 0g", 2],
    ["000", 1],
    ["00000", 2],
  ])("is not %j: wrong at byte %i", (text, offset) => {
    expect(refusalOf(() => fromHex(text))).toEqual({ kind: "unexpected", offset });
  });
});
