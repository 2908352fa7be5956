import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import { decodeRecords } from "./records.ts";

const isOfProfile = (word: string): boolean => word.startsWith("profile value");
const profile = (hex: string) =>
  decodeRecords(fromHex(hex)).records.filter(({ modifiers }) => modifiers.some(isOfProfile));
const values = (hex: string) => profile(hex).map(({ value }) => value);
const times = (hex: string) =>
  profile(hex).map(({ at }) => at && new Date(at.local * 1000).toISOString().slice(0, 19));
const byte = (number: number): string => number.toString(16).padStart(2, "0");

/** A profile of litres: spacing control, spacing, elements. Source: EN 13757-3:2018, annex F. */
const litres = (control: number, spacing: number, elements: string, vife = "1f"): string => {
  const data = byte(control) + byte(spacing) + elements.replaceAll(" ", "");
  return `0d 93${vife} ${byte(data.length / 2)} ${data}`;
};
/** 29 November 2027, 11:47. */
const time = "046d 2f0b7d3b";
const base = "0413 e8030000";

describe("the elements of a profile", () => {
  it.each([
    [1, "01 02 80"],
    [2, "0100 0200 0080"],
    [3, "010000 020000 000080"],
    [4, "01000000 02000000 00000080"],
    [5, "0000803f 00000040 0000c07f"],
    [6, "010000000000 020000000000 000000000080"],
    [7, "0100000000000000 0200000000000000 0000000000000080"],
    [9, "01 02 ff"],
    [10, "0100 0200 ffff"],
    [11, "010000 020000 ffffff"],
    [12, "01000000 02000000 ffffffff"],
    [14, "010000000000 020000000000 ffffffffffff"],
  ])("of coding %i have its length and its sign of a missing value", (coding, elements) => {
    const [first, ...others] = elements.split(" ");

    expect(values(litres(coding, 1, elements))).toEqual([0.001, 0.002, null]);
    expect(profile(litres(coding, 1, elements)).map(({ raw }) => toHex(raw))).toEqual([first, ...others]);
  });

  it.each([0, 8, 13, 15])("of coding %i are none", (coding) => {
    expect(profile(litres(coding, 1, "0102030405060708"))).toEqual([]);
  });

  it("are those of a plain, an inverse and an indexed profile, and of no other text", () => {
    expect(values(litres(1, 1, "01", "13"))).toEqual([0.001]);
    expect(values(litres(1, 1, "01", "1e"))).toEqual([0.001]);
    expect(values(litres(1, 1, "01", "12"))).toEqual([]);
    expect(values(litres(1, 1, ""))).toEqual([]);
    // One byte more than whole elements is no element.
    expect(values(litres(2, 1, "0100 02"))).toEqual([0.001]);
  });

  it("have the identity of their record, and are numbered", () => {
    const found = profile("cd10931f 05 01 01 01 02 03");

    expect(found.map(({ modifiers, storage, tariff, unit }) => [modifiers, storage, tariff, unit])).toEqual(
      [1, 2, 3].map((n) => [["compact profile", `profile value ${String(n)}`], 1, 1, "m^3"]),
    );
  });

  it("are placed where their record is", () => {
    const bytes = fromHex(`${base} ${litres(1, 1, "0102")} 0f aa`);
    const { places } = decodeRecords(bytes, { withPlaces: true });

    expect(places).toEqual([
      { from: 0, to: 6 },
      ...[1, 2, 3].map(() => ({ from: 6, to: 14 })),
      { from: 14, to: 16 },
    ]);
    expect(decodeRecords(bytes)).not.toHaveProperty("places");
  });
});

describe("the values of a profile", () => {
  it.each([
    ["absolute", 0x01, [0.005, 0.007]],
    ["increments", 0x41, [1.005, 1.012]],
    ["decrements", 0x81, [0.995, 0.988]],
    ["differences", 0xc1, [1.005, 1.012]],
  ])("are %s", (_, control, expected) => {
    const close = expected.map((value) => expect.closeTo(value, 9) as number);

    expect(values(`${base} ${litres(control, 1, "05 07")}`)).toEqual(close);
  });

  it.each([
    ["absolute", 0x01, [0.005, 0.007]],
    ["increments", 0x41, [0.995, 0.988]],
    ["decrements", 0x81, [1.005, 1.012]],
    ["differences", 0xc1, [0.995, 0.988]],
  ])("that go back in time are %s", (_, control, expected) => {
    const close = expected.map((value) => expect.closeTo(value, 9) as number);

    expect(values(`${base} ${litres(control, 1, "05 07", "13")}`)).toEqual(close);
  });

  it("that are changes end at the first missing one, where absolute ones go on", () => {
    expect(values(`${base} ${litres(0x41, 1, "01 80 01")}`)).toHaveLength(1);
    expect(values(`${base} ${litres(0x01, 1, "01 80 01")}`)).toEqual([0.001, null, 0.001]);
  });

  it("that are changes may reach zero, and pass it only if they count nothing", () => {
    expect(values(`0413 02000000 ${litres(0x81, 1, "01 01 01")}`)).toEqual([0.001, 0]);
    // A flow temperature of 2 °C that falls by 1 °C three times.
    expect(values("015b 02 0ddb1f 05 81 01 01 01 01")).toEqual([1, 0, -1]);
  });

  it.each(["04 03", "04 fb02", "04 fb04", "04 13", "04 1b", "04 6e"])(
    "that are changes end where the counter %s would fall below zero",
    (code) => {
      const vif = code.slice(3);
      const last = (Number.parseInt(vif.slice(-2), 16) | 0x80).toString(16);
      const chain = `0d ${vif.slice(0, -2)}${last}1f 05 81 01 01 01 01`;

      expect(values(`${code} 02000000 ${chain}`)).toHaveLength(2);
    },
  );

  it.each([
    ["the register before", base, 1],
    ["the newer one of two", `0413 01000000 ${base}`, 1],
    ["no other storage", "4413 e8030000", 0],
    ["no other tariff", "841013 e8030000", 0],
    ["no other subunit", "844013 e8030000", 0],
    ["no maximum", "1413 e8030000", 0],
    ["no other quantity", "0406 e8030000", 0],
    ["no register with a direction", "04933b e8030000", 0],
    ["no register without a value", "0c13 ffffffff", 0],
    ["no text", "0d13 01 41", 0],
  ])("that are changes build on %s", (_, records, count) => {
    const found = values(`${records} ${litres(0x41, 1, "01")}`);

    expect(found).toHaveLength(count);
    if (count > 0) expect(found[0]).toBeCloseTo(1.001, 9);
  });

  it("of two profiles build on the registers before each of them", () => {
    expect(values(`${base} ${litres(0x41, 1, "01")} 0413 d0070000 ${litres(0x41, 1, "02")}`)).toEqual([
      expect.closeTo(1.001, 9),
      expect.closeTo(2.002, 9),
    ]);
  });
});

describe("the times of a profile", () => {
  it.each([
    [0x01, 5, ["2027-11-29T11:47:05", "2027-11-29T11:47:10"]],
    [0x11, 5, ["2027-11-29T11:52:00", "2027-11-29T11:57:00"]],
    [0x21, 5, ["2027-11-29T16:47:00", "2027-11-29T21:47:00"]],
    [0x31, 5, ["2027-12-04T11:47:00", "2027-12-09T11:47:00"]],
    [0x31, 252, ["2028-08-07T11:47:00", "2029-04-16T11:47:00"]],
    [0x31, 253, [undefined, undefined]],
    [0x31, 254, ["2027-12-29T11:47:00", "2028-01-29T11:47:00"]],
    [0x31, 255, [undefined, undefined]],
    [0x31, 0, [undefined, undefined]],
    [0x01, 254, ["2027-11-29T11:51:14", "2027-11-29T11:55:28"]],
    [0x21, 253, ["2027-12-10T00:47:00", "2027-12-20T13:47:00"]],
  ])("with control %i and spacing %i follow the date of its storage", (control, spacing, expected) => {
    expect(times(`${time} ${litres(control, spacing, "01 02")}`)).toEqual(expected);
  });

  it("of an inverse one go back", () => {
    expect(times(`${time} ${litres(0x21, 1, "01 02", "13")}`)).toEqual([
      "2027-11-29T10:47:00",
      "2027-11-29T09:47:00",
    ]);
  });

  it("of months keep the day, or the last day", () => {
    const months = (date: string, vife = "1f") =>
      times(`026c ${date} ${litres(0x31, 254, "01 02 03", vife)}`).map((text) => text?.slice(0, 10));

    // 30 April 2028, 30 January 2028, 31 January 2028, 15 December 2027.
    expect(months("9e34")).toEqual(["2028-05-31", "2028-06-30", "2028-07-31"]);
    expect(months("9e31")).toEqual(["2028-02-29", "2028-03-30", "2028-04-30"]);
    expect(months("9f31")).toEqual(["2028-02-29", "2028-03-31", "2028-04-30"]);
    expect(months("6f3c")).toEqual(["2028-01-15", "2028-02-15", "2028-03-15"]);
    expect(months("9f31", "13")).toEqual(["2027-12-31", "2027-11-30", "2027-10-31"]);
  });

  it("without a date of their storage are not known", () => {
    expect(times(`426c 7d3b ${litres(0x31, 1, "01")}`)).toEqual([undefined]);
    expect(times(`026c ffff ${litres(0x31, 1, "01")}`)).toEqual([undefined]);
    expect(times(`026c 7d3b 026c 7e3b ${litres(0x31, 1, "01")}`)).toEqual(["2027-12-01T00:00:00"]);
  });
});
