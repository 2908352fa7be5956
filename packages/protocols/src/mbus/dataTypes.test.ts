import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import { refusalOf } from "../core/testing/testRefusal.ts";
import { encodeRecord, parseCode } from "./encode.ts";
import { decodeRecords } from "./records.ts";

/** The one record in these bytes. */
function read(hex: string) {
  const { records } = decodeRecords(fromHex(hex));
  expect(records).toHaveLength(1);
  return records[0];
}
const valueOf = (hex: string) => read(hex)?.value;
const sent = (code: string, value: number | string | null, isCounter = false): string =>
  toHex(encodeRecord(parseCode(code), value, isCounter)).slice(code.replaceAll(" ", "").length);

/** Source: EN 13757-3:2018, annex A: bits of the types F, G, I and J. */
describe("a date and time", () => {
  const [minute, hour, day, month, year] = [47, 11, 29, 11, 127 - 100];

  const typeG = (of: { day?: number; month?: number; year?: number } = {}): number[] => {
    const parts = { day, month, year, ...of };
    return [parts.day | ((parts.year & 7) << 5), parts.month | ((parts.year >> 3) << 4)];
  };
  const typeF = (of: { minute?: number; hour?: number } & Parameters<typeof typeG>[0] = {}): number[] => [
    of.minute ?? minute,
    of.hour ?? hour,
    ...typeG(of),
  ];
  const dated = (bytes: number[]) => valueOf(`02 6c ${toHex(bytes)}`);
  const timed = (bytes: number[]) => valueOf(`04 6d ${toHex(bytes)}`);

  it.each([
    [{}, "2027-11-29"],
    [{ day: 1, month: 1 }, "2027-01-01"],
    [{ day: 31, month: 12 }, "2027-12-31"],
    [{ day: 30, month: 11 }, "2027-11-30"],
    [{ day: 31, month: 11 }, null],
    [{ day: 0 }, null],
    [{ month: 0 }, null],
    [{ month: 13, day: 1 }, null],
    [{ day: 29, month: 2, year: 24 }, "2024-02-29"],
    [{ day: 29, month: 2, year: 27 }, null],
    [{ day: 28, month: 2 }, "2027-02-28"],
    [{ year: 0 }, "2000-11-29"],
    [{ year: 80 }, "2080-11-29"],
    [{ year: 81 }, "1981-11-29"],
    [{ year: 99 }, "1999-11-29"],
    [{ year: 100 }, null],
    [{ year: 127 }, null],
  ])("with %o is %s, as a date alone too", (parts, date) => {
    expect(dated(typeG(parts))).toBe(date);
    expect(timed(typeF(parts))).toBe(date === null ? null : `${date}T11:47:00Z`);
    expect(valueOf(`06 6d 1e2f0b ${toHex(typeG(parts))} 00`)).toBe(
      date === null ? null : `${date}T11:47:30Z`,
    );
  });

  it.each([
    [{ hour: 0, minute: 0 }, "00:00"],
    [{ hour: 23, minute: 59 }, "23:59"],
    [{ hour: 24 }, null],
    [{ minute: 60 }, null],
    [{ hour: 31 }, null],
    [{ minute: 63 }, null],
    [{ minute: 0x40 | 47 }, "11:47"],
    [{ minute: 0x80 | 47 }, null],
    [{ hour: 0x20 | 11 }, "11:47"],
    [{ hour: 0x80 | 11 }, "11:47"],
  ])("with %o has the time %s", (parts, time) => {
    expect(timed(typeF(parts))).toBe(time === null ? null : `2027-11-29T${time}:00Z`);
  });

  it("with a century has none of the years before 2000", () => {
    for (const century of [1, 2, 3])
      expect(timed(typeF({ year: 99, hour: 11 | (century << 5) }))).toBe("2099-11-29T11:47:00Z");
    expect(timed(typeF({ year: 99 }))).toBe("1999-11-29T11:47:00Z");
  });

  it("in summer is an hour ahead of the standard time", () => {
    const hours = (hex: string) => read(hex)?.stamp?.summerHours;

    expect(hours(`04 6d ${toHex(typeF())}`)).toBe(0);
    expect(hours(`04 6d ${toHex(typeF({ hour: 0x80 | 11 }))}`)).toBe(1);
    expect(read("02 6c 7d3b")?.stamp).toEqual({
      local: Date.UTC(2027, 10, 29) / 1000,
      summerHours: 0,
      dateOnly: true,
    });
    expect(read("04 6d 2f0b7d3b")?.stamp?.dateOnly).toBe(false);
  });

  it.each([
    ["1e2f0b 7d3b 00", 0],
    ["5e2f0b 7d3b 00", 1],
    ["5e6f0b 7d3b 40", 1],
    ["5e6f0b 7d3b 80", 2],
    ["5e2f0b 7d3b 40", -1],
    ["5e2f0b 7d3b c0", -3],
    ["1e6f0b 7d3b c0", 0],
  ])("with seconds, %s, is %i hours ahead", (data, hours) => {
    expect(read(`06 6d ${data}`)).toMatchObject({
      value: "2027-11-29T11:47:30Z",
      stamp: { summerHours: hours },
    });
  });

  it.each([
    ["3b2f0b", "11:47:59"],
    ["3c2f0b", null],
    ["1eaf0b", null],
    ["9e2f0b", "11:47:30"],
    ["1e3b0b", "11:59:30"],
    ["1e3c0b", null],
    ["1e2f17", "23:47:30"],
    ["1e2f18", null],
    ["1e2feb", "11:47:30"],
  ])("with seconds, %s, has the time %s", (data, time) => {
    expect(valueOf(`06 6d ${data} 7d3b 00`)).toBe(time === null ? null : `2027-11-29T${time}Z`);
  });

  it.each([
    ["3b2f0b", "11:47:59"],
    ["000000", "00:00:00"],
    ["3b3b17", "23:59:59"],
    ["3c2f0b", null],
    ["1e3c0b", null],
    ["1e2f18", null],
    ["deefeb", "11:47:30"],
  ])("of a day alone, %s, is %s", (data, time) => {
    expect(valueOf(`03 6d ${data}`)).toBe(time);
    expect(read(`03 6d ${data}`)?.stamp).toBeUndefined();
  });

  it("in a coding of another length is none", () => {
    expect([valueOf("01 6c 01"), valueOf("01 6d 01"), valueOf("07 6d 0102030405060708")]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it("is sent as it is read, to the second or the minute; none is marked as such", () => {
    const moment = fc.integer({ min: Date.UTC(2000, 0) / 1000, max: Date.UTC(2080, 11, 31) / 1000 });
    const back = (code: string, local: number): number | undefined =>
      decodeRecords(encodeRecord(parseCode(code), local)).records[0]?.stamp?.local;

    fc.assert(
      fc.property(moment, (local) => {
        expect(back("06 6d", local)).toBe(local);
        expect(back("04 6d", local)).toBe(local - (local % 60));
        expect(back("02 6c", local)).toBe(local - (local % 86_400));
      }),
      { numRuns: 50 },
    );
    expect(sent("04 6d", Date.UTC(2027, 10, 29, 11, 47) / 1000)).toBe("2f2b7d3b");
    expect(sent("06 6d", Date.UTC(2027, 10, 29, 11, 47, 30) / 1000)).toBe("1e2f0b7d3b00");
    expect([sent("02 6c", null), sent("04 6d", null), sent("06 6d", null)]).toEqual([
      "ffff",
      "80000000",
      "008000000000",
    ]);
    expect(sent("04 6d", Number.POSITIVE_INFINITY)).toBe("80000000");
  });
});

describe("a number", () => {
  it.each([
    ["01 78 7f", 127],
    ["01 78 80", null],
    ["01 78 81", -127],
    ["01 78 ff", -1],
    ["02 78 ff7f", 32_767],
    ["02 78 0080", null],
    ["02 78 0180", -32_767],
    ["03 78 000080", null],
    ["03 78 010080", -8_388_607],
    ["03 78 008080", -8_355_840],
    ["04 78 ffffff7f", 2_147_483_647],
    ["04 78 00000080", null],
    ["06 78 ffffffffff7f", 2 ** 47 - 1],
    ["06 78 000000000080", null],
    ["07 78 0000000000000080", null],
    ["07 78 ffffffffffff1f00", 2 ** 53 - 1],
    ["07 78 0000000000002000", "0020000000000000"],
    ["07 78 010000000000e0ff", -(2 ** 53 - 1)],
    ["07 78 000000000000e0ff", "ffe0000000000000"],
    ["02 fd17 0080", 32_768],
    ["04 fd17 ffffffff", 4_294_967_295],
    ["09 78 99", 99],
    ["09 78 f9", -9],
    ["09 78 9a", null],
    ["09 78 a0", null],
    ["0a 78 9999", 9999],
    ["0a 78 99f9", -999],
    ["0a 78 f999", null],
    ["0b 78 563412", 123_456],
    ["0b 78 5634f2", -23_456],
    ["0c 78 78563412", 12_345_678],
    ["0e 78 129078563412", 123_456_789_012],
    ["0e 78 1290785634f2", -23_456_789_012],
    ["05 78 0000c03f", 1.5],
    ["05 78 0000c07f", null],
    ["05 78 0000807f", null],
    ["0d 78 00", ""],
    ["0d 78 bf" + "41".repeat(0xbf), "A".repeat(0xbf)],
    ["0d 78 03 e9e8e7", "çèé"],
    ["0d 78 c0", 0],
    ["0d 78 c1 99", 99],
    ["0d 78 cf 01" + "00".repeat(14), 1],
    ["0d 78 d1 99", -99],
    ["0d 78 d1 9a", null],
    ["0d 78 df 01" + "00".repeat(14), -1],
    ["0d 78 e1 ff", -1],
    ["0d 78 e1 80", null],
    ["0d 78 e8 ffffffffffff1f00", 2 ** 53 - 1],
    ["0d 78 e8 0000000000002000", "0020000000000000"],
    ["0d 78 e8 0000000000000080", null],
    ["0d 78 e9 000000000000000080", "800000000000000000"],
    ["0d 78 ef" + "01".repeat(15), "01".repeat(15)],
    ["0d 78 f0" + "01".repeat(16), "01".repeat(16)],
    ["0d 78 f8 000000000000f83f", 1.5],
    ["0d 78 f7" + "00".repeat(7), null],
    ["0d 78 fa" + "00".repeat(10), null],
    ["00 78", null],
    ["08 78", null],
  ])("%s is %s", (hex, value) => {
    expect(valueOf(hex)).toBe(value);
  });

  it("is in the scale of its code in variable length too, and none where the code says so", () => {
    expect(valueOf("0d 13 c2 3412")).toBe(1.234);
    expect(valueOf("0d 13 d2 3412")).toBe(-1.234);
    expect(valueOf("0d 13 e2 0200")).toBe(0.002);
    expect(valueOf("0d 13 f8 000000000000f83f")).toBe(0.0015);
    expect(valueOf("0d 9315 e2 0200")).toBeNull();
    expect(valueOf("0d 6f e2 0200")).toBeNull();
    expect(decodeRecords(fromHex("0d 931f 03 010203")).records[0]?.value).toBeNull();
  });

  it("that is none may still be shown", () => {
    const shown = (hex: string) => {
      const { value, doubtful, error } = read(hex) ?? {};
      return [value, doubtful, error];
    };

    expect(shown("0c 13 0a000000")).toEqual([null, 0.01, undefined]);
    expect(shown("0c 13 a1000000")).toEqual([null, 0.001, undefined]);
    expect(shown("0c 13 9f000000")).toEqual([null, 0.105, undefined]);
    expect(shown("0c 13 9a120000")).toEqual([null, 1.3, undefined]);
    expect(shown("0c 13 ffffffff")).toEqual([null, undefined, undefined]);
    expect(shown("02 13 0080")).toEqual([null, undefined, undefined]);
    expect(shown("0c 9318 05000000")).toEqual([null, 0.005, "data error"]);
    expect(shown("0c 9318 0a000000")).toEqual([null, undefined, "data error"]);
    expect(shown("02 fd9718 0500")).toEqual([null, undefined, "data error"]);
    expect(shown("0c 9316 05000000")).toEqual([null, undefined, "data overflow"]);
    expect(shown("03 6e ffffff")).toEqual([...[null, -1], "a heat cost allocator counts no negative units"]);
    expect(shown("03 6e 000000")).toEqual([0, undefined, undefined]);
    expect(shown("0c 9315 05000000")).toEqual([null, undefined, "no data available"]);
  });

  it("that no number is large enough for is none", () => {
    expect(valueOf("0d 47 f8 ffffffffffffef7f")).toBe(1.7976931348623157e308);
    expect(valueOf("0d fd4f f8 ffffffffffffef7f")).toBeNull();
  });

  it("of 8 bytes is the address of a meter where its code says so", () => {
    expect(valueOf("07 79 50403020 9344 0a 04")).toBe("QDS-20304050-0A-04");
    expect(valueOf("07 79 0100000000000000")).toBe(1);
  });

  it("with the high byte first is the same, in every coding", () => {
    const { records } = decodeRecords(
      fromHex("04 13 00000102 0c 13 12345678 0d 78 03 414243 0d 13 c2 1234 04 6d 3b7d0b2f"),
      { isHighFirst: true },
    );

    expect(records.map(({ value, raw }) => [value, toHex(raw)])).toEqual([
      [0.258, "00000102"],
      [12_345.678, "12345678"],
      ["ABC", "414243"],
      [1.234, "1234"],
      ["2027-11-29T11:47:00Z", "3b7d0b2f"],
    ]);
  });
});

describe("a number that is sent", () => {
  it.each<[code: string, value: number | string | null, hex: string]>([
    ["01 78", 127, "7f"],
    ["01 78", 128, "7f"],
    ["01 78", -127, "81"],
    ["01 78", -128, "81"],
    ["01 78", null, "80"],
    ["02 78", 258.4, "0201"],
    ["02 78", 258.5, "0301"],
    ["02 78", null, "0080"],
    ["03 78", -1, "ffffff"],
    ["04 78", 1e12, "ffffff7f"],
    ["04 78", Number.NaN, "00000080"],
    ["06 78", 2 ** 40, "000000000001"],
    ["07 78", 2 ** 40, "0000000000010000"],
    ["01 fd17", 255, "ff"],
    ["01 fd17", 256, "ff"],
    ["02 fd17", 65_535, "ffff"],
    ["09 78", 99, "99"],
    ["09 78", 100, "99"],
    ["09 78", null, "ff"],
    ["0a 78", 1234, "3412"],
    ["0a 78", -234, "34f2"],
    ["0b 78", 123_456, "563412"],
    ["0c 13", 12_345.678, "78563412"],
    ["0c 13", null, "ffffffff"],
    ["0e 78", 123_456_789_012, "129078563412"],
    ["05 78", 1.5, "0000c03f"],
    ["05 78", null, "0000c07f"],
    ["0c 26", 7200, "02000000"],
    ["0d 78", "ABC", "03434241"],
    ["0d 78", 42, "023234"],
    ["0d 78", null, "00"],
    ["0d 78", "A".repeat(300), "bf" + "41".repeat(0xbf)],
    ["00 78", 5, ""],
  ])("in %s of %s is %s", (code, value, hex) => {
    expect(sent(code, value)).toBe(hex);
  });

  it("loses what is added to it, and its scale", () => {
    expect(sent("04 967b", 6)).toBe("05000000");
    expect(sent("04 967d", 5000)).toBe("05000000");
  });

  it("of a counter rolls over where others stop", () => {
    expect([sent("09 78", 123, true), sent("09 78", 123)]).toEqual(["23", "99"]);
    expect([sent("09 78", 99, true), sent("09 78", 100, true)]).toEqual(["99", "00"]);
    expect([sent("01 78", 127, true), sent("01 78", 130, true)]).toEqual(["7f", "02"]);
  });
});

describe("the code of a record", () => {
  it.each([
    ["0c13", { storage: 0, tariff: 0, subunit: 0, function: "instantaneous", coding: 12 }],
    ["4c13", { storage: 1 }],
    ["1c13", { function: "maximum" }],
    ["2c13", { function: "minimum" }],
    ["3c13", { function: "error" }],
    ["8c0113", { storage: 2 }],
    ["cc0f13", { storage: 31 }],
    ["8c1013", { tariff: 1 }],
    ["8c3013", { tariff: 3 }],
    ["8c4013", { subunit: 1 }],
    ["8c804113", { storage: 32, subunit: 2 }],
    ["8c801013", { tariff: 4 }],
    ["8c804013", { subunit: 2 }],
    ["8c8f8f0113", { storage: 30 + 480 + 512 }],
  ])("%s has its place, and is sent as it is read", (hex, expected) => {
    const parsed = parseCode(hex);

    expect(parsed.data).toMatchObject(expected);
    expect(toHex(encodeRecord(parsed, 5).subarray(0, hex.length / 2))).toBe(hex);
  });

  it("takes up to ten extensions of either kind", () => {
    const dife = (count: number) => `84 ${"80".repeat(count - 1)} 01 13`;
    const vife = (count: number) => `04 93 ${"bb".repeat(count - 1)} 3b`;

    expect(parseCode(dife(10)).data.storage).toBe(2 ** 37);
    expect(refusalOf(() => parseCode(dife(11)))).toEqual({ kind: "unexpected", offset: 11 });
    expect(parseCode(vife(10)).meaning.modifiers).toHaveLength(10);
    expect(refusalOf(() => parseCode(vife(11)))).toEqual({ kind: "unexpected", offset: 12 });
  });

  it("that is too short, too long or not hexadecimal is refused at its place", () => {
    expect(refusalOf(() => parseCode("0c"))).toEqual({ kind: "unexpected", offset: 1 });
    expect(refusalOf(() => parseCode("8c"))).toEqual({ kind: "unexpected", offset: 1 });
    expect(refusalOf(() => parseCode("0c93"))).toEqual({ kind: "unexpected", offset: 2 });
    expect(refusalOf(() => parseCode("0c1300"))).toEqual({ kind: "unexpected", offset: 2 });
    expect(refusalOf(() => parseCode("0c1g"))).toEqual({ kind: "unexpected", offset: 1 });
  });
});
