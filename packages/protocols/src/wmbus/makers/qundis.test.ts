import { describe, expect, it } from "vitest";
import { fromHex } from "../../core/bytes.ts";
import { decodeWmbus } from "../decode.ts";
import { buildTelegram } from "../encode.ts";
import { readWmbus } from "../telegram.ts";

const meter = {
  manufacturer: "QDS",
  id: "20304050",
  version: 0x34,
  accessNumber: 1,
  security: "none",
} as const;
const allocator = { ...meter, medium: 0x08 };

/** The maker's record of 52 bytes: unit, value now, of the last month and of the due day, twelve months. */
const block = (months: string, of = "b06e"): Uint8Array =>
  fromHex(`0dff5f34 0082c800000f0007 ${of} ffff 15030000 bf2a 90020000 9f2c 77060000 ${months}`);
const twelve = "1100 1200 1300 1400 1500 1600 1700 1800 1900 2000 2100 2200";
const telegram = (records: Uint8Array, of: object = allocator): Uint8Array =>
  buildTelegram(records, { ...allocator, ...of });

describe("the record of a Qundis module", () => {
  it("has no value for a month in which an allocator counted less than nothing", () => {
    const { records } = readWmbus(telegram(block(`1100 20ff 0080 ${twelve.slice(0, 44)}`)));

    const months = records.filter(({ modifiers }) => modifiers.length > 0 && modifiers[0] !== "maker 5f");
    expect(months.slice(0, 4).map(({ value }) => value)).toEqual([17, null, null, 17]);
    expect(records.find(({ quantity }) => quantity === "H.C.A.")?.value).toBe(315);
  });

  it.each([
    ["digits that are none", block(twelve).map((byte, at) => (at === 18 ? 0xc7 : byte))],
    ["another unit", block(twelve, "b0fb")],
    ["no date", block(twelve).map((byte, at) => (at === 21 ? 0x4d : byte))],
  ])("that is encrypted gives no values and a warning: %s", (_, records) => {
    const { readings, warnings } = decodeWmbus(telegram(records));

    expect(readings.map(({ name }) => name)).toEqual(["Manufacturer specific, maker 5f"]);
    expect(warnings).toEqual([
      "the maker's block of values is not read: it is encrypted, or its layout is not known",
    ]);
  });
});

describe("the address of a meter in 8 bytes", () => {
  it("is exact, and not a rounded number", () => {
    const { readings } = decodeWmbus(telegram(fromHex("0779 50403020 9344 34 04")));

    expect(readings).toMatchObject([{ value: "QDS-20304050-34-04" }]);
  });

  it.each([
    ["0778 ffffffffffff1f01", "011fffffffffffff"],
    ["0dfd0be8 0100000000002000", "0020000000000001"],
  ])("of another kind (%s) is exact as well", (hex, value) => {
    expect(readWmbus(telegram(fromHex(hex))).records).toMatchObject([{ value }]);
  });
});

describe("a heat cost allocator", () => {
  it("has no negative count, and the reason is named", () => {
    const { readings, warnings } = decodeWmbus(telegram(fromHex("036e 38ffff 036e 380000")));

    expect(readings.map(({ value }) => value)).toEqual([null, 56]);
    expect(warnings).toEqual(["record 1: a heat cost allocator counts no negative units, no value (-200)"]);
  });
});
