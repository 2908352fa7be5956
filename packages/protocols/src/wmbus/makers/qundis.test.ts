import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../core/bytes.ts";
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

describe("the values of a Qundis block", () => {
  const read = (records: Uint8Array, of: object = allocator) =>
    readWmbus(telegram(records, of)).records.slice(1);
  const shown = (records: Uint8Array, of: object = allocator) =>
    read(records, of).map(({ quantity, unit, storage, value }) => [quantity, unit, storage, value]);
  const head = "0082c800000f0007 b06e ffff 15030000 bf2a 90020000 9f2c 77060000";
  const short = (hex: string) => fromHex(`0dff5f ${toHex([fromHex(hex).length])} ${hex}`);

  it.each([
    ["QDS", 0x08],
    ["LSE", 0x08],
  ])("of a module of %s are those of now, of the last month and of the due day", (manufacturer, medium) => {
    expect(shown(short(head), { manufacturer, medium })).toEqual([
      ["H.C.A.", "Units for H.C.A.", 0, 315],
      ["Time point (date)", "-", 17, "2021-10-31"],
      ["H.C.A.", "Units for H.C.A.", 17, 290],
      ["Time point (date)", "-", 1, "2020-12-31"],
      ["H.C.A.", "Units for H.C.A.", 1, 677],
    ]);
    expect(read(short(head))[1]?.stamp?.dateOnly).toBe(true);
    expect(readWmbus(telegram(short(head), { manufacturer: "MTR" })).records).toHaveLength(1);
  });

  it("have up to twelve consumptions of months behind them", () => {
    const months = (hex: string) =>
      read(short(`${head} ${hex}`))
        .slice(5)
        .map(({ value, modifiers }) => [value, ...modifiers]);

    expect(months("0100 00")).toEqual([[1, "consumption of a month, profile value 1"]]);
    expect(months("0000 ffff 0200")).toEqual([
      [0, "consumption of a month, profile value 1"],
      [null, "consumption of a month, profile value 2"],
      [2, "consumption of a month, profile value 3"],
    ]);
    expect(months("0100".repeat(13))).toHaveLength(12);
  });

  it("are in the unit of the block, and may stand for none", () => {
    const of = (vif: string, date = "bf2a") =>
      shown(short(head.replace("6e", vif).replace("bf2a", date))).map((each) => each[3]);

    expect(of("13")[0]).toBe(0.315);
    expect(of("06")[0]).toBe(315_000);
    expect(of("6e", "ffff")[1]).toBeNull();
    expect(of("6e", "0000")[1]).toBeNull();
    expect(shown(short(head.replace("15030000", "ffffffff")))[0]?.[3]).toBeNull();
    for (const vif of ["78", "f8", "2b", "5a", "1b"]) expect(of(vif), vif).toEqual([]);
  });

  it("need 28 bytes, of which the last four are the due day's", () => {
    expect(shown(short(head.slice(0, -2)))).toEqual([]);
    expect(decodeWmbus(telegram(short(head.slice(0, -2)))).warnings).toHaveLength(1);
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
