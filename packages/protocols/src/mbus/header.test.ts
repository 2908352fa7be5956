import { describe, expect, it } from "vitest";
import { fromHex, type Span } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import { refusalOf } from "../core/testing/testRefusal.ts";
import { decodeTelegram } from "./application.ts";
import { decodeMbus } from "./decode.ts";
import { longFrame } from "./frame.ts";
import { mediumOf, statusWords } from "./header.ts";

/** Header of a heat meter of Kamstrup with these bytes in its places. */
const header = (of: { medium?: string; status?: string; word?: string } = {}): string =>
  `78563412 2d2c 0b ${of.medium ?? "04"} 2a ${of.status ?? "00"} ${of.word ?? "0000"}`;
const answer = (ci: number, hex: string): Uint8Array => longFrame(0x08, 5, ci, fromHex(hex));

/** Source: EN 13757-7:2018, table 13. */
const media: readonly (readonly [medium: number, name: string, word: string])[] = [
  [0x00, "Other", "medium_other"],
  [0x01, "Oil", "medium_oil"],
  [0x02, "Electricity", "medium_electricity"],
  [0x03, "Gas", "medium_gas"],
  [0x04, "Heat: Outlet", "medium_heat_outlet"],
  [0x05, "Steam", "medium_steam"],
  [0x06, "Warm water", "medium_warm_water"],
  [0x07, "Water", "medium_water"],
  [0x08, "Heat Cost Allocator", "medium_heat_cost_allocator"],
  [0x09, "Compressed air", "medium_compressed_air"],
  [0x0a, "Cooling: Outlet", "medium_cooling_outlet"],
  [0x0b, "Cooling: Inlet", "medium_cooling_inlet"],
  [0x0c, "Heat: Inlet", "medium_heat_inlet"],
  [0x0d, "Heat and cooling", "medium_heat_and_cooling"],
  [0x0e, "Bus/System", "medium_bus_system"],
  [0x0f, "Unknown", "medium_unknown"],
  [0x10, "Reserved", "medium_reserved"],
  [0x14, "Calorific value", "medium_calorific_value"],
  [0x15, "Hot water", "medium_hot_water"],
  [0x16, "Cold water", "medium_cold_water"],
  [0x17, "Dual water", "medium_dual_water"],
  [0x18, "Pressure", "medium_pressure"],
  [0x19, "A/D converter", "medium_a_d_converter"],
  [0x1a, "Smoke detector", "medium_smoke_detector"],
  [0x1b, "Room sensor", "medium_room_sensor"],
  [0x1c, "Gas detector", "medium_gas_detector"],
  [0x20, "Breaker: Electricity", "medium_breaker_electricity"],
  [0x21, "Valve: Gas or water", "medium_valve_gas_or_water"],
  [0x25, "Customer unit", "medium_customer_unit"],
  [0x28, "Waste water", "medium_waste_water"],
  [0x29, "Garbage", "medium_garbage"],
  [0x31, "Communication controller", "medium_communication_controller"],
  [0x32, "Repeater, one way", "medium_repeater_one_way"],
  [0x33, "Repeater, two ways", "medium_repeater_two_ways"],
  [0x36, "Radio converter, system side", "medium_radio_converter_system_side"],
  [0x37, "Radio converter, meter side", "medium_radio_converter_meter_side"],
  [0xff, "Reserved", "medium_reserved"],
];

describe("the header of a telegram", () => {
  it.each(media)("names medium %i: %s", (medium, name, word) => {
    const trace: Span[] = [];
    const hex = header({ medium: medium.toString(16).padStart(2, "0") });

    expect(decodeMbus(answer(0x72, hex), { trace }).device["medium"]).toBe(name);
    expect(trace.find((span) => span.name === "medium")?.value).toEqual({ word });
  });

  it.each([
    [0x43, 0x04],
    [0xc3, 0x04],
    [0x62, 0x06],
    [0x72, 0x07],
    [0x80, 0x08],
    [0xf0, 0x1a],
    [0x07, 0x07],
    [0x63, 0x63],
  ])("names medium %i of Techem as the standard's %i, and only Techem's", (own, standard) => {
    expect(mediumOf(own, "TCH")).toBe(standard);
    expect([mediumOf(own, "KAM"), mediumOf(own)]).toEqual([own, own]);
  });

  it("is named to the byte, long or short", () => {
    const names = (ci: number, hex: string): unknown[] => {
      const trace: Span[] = [];
      decodeTelegram(ci, fromHex(hex), { trace, base: 7 });
      return trace.map(({ offset, bytes, name, value }) => [offset, bytes, name, value]);
    };
    const short = (from: number, word: number) => [
      [from, 1, "access_number", 0x2a],
      [from + 1, 1, "status", 0],
      [from + 2, 2, "configuration", word],
    ];
    const long = [
      [7, 4, "identification_number", "12345678"],
      [11, 2, "manufacturer", "KAM"],
      [13, 1, "version", 0x0b],
      [14, 1, "medium", { word: "medium_heat_outlet" }],
      ...short(15, 0x0106),
    ];

    expect(names(0x72, header({ word: "0601" }))).toEqual(long);
    expect(names(0x76, "12345678 2c2d 0b 04 2a 00 0106")).toEqual(long);
    expect(names(0x7a, "2a 00 0600")).toEqual(short(7, 6));
  });

  it("has as much of the meter as there is", () => {
    expect(decodeMbus(answer(0x78, "0c13 01000000")).device).toEqual({ address: 5 });
    expect(decodeMbus(answer(0x7a, "2a 10 0000 0c13 01000000"))).toMatchObject({
      device: { address: 5, accessNumber: 0x2a, status: 0x10 },
      warnings: ["status: temporary error"],
    });
    expect(decodeMbus(answer(0x72, header())).device).toEqual({
      ...{ address: 5, id: "12345678", manufacturer: "KAM", version: 11, medium: "Heat: Outlet" },
      ...{ accessNumber: 0x2a, status: 0 },
    });
  });

  it("warns of telegrams that follow", () => {
    expect(decodeMbus(answer(0x78, "0c13 01000000 1f"))).toMatchObject({
      readings: [
        { name: "Volume", raw: "01000000", function: "instantaneous", storage: 0, tariff: 0, subunit: 0 },
        { name: "More records follow", value: "", unit: "", function: "instantaneous" },
      ],
      warnings: ["more telegrams follow"],
    });
    expect(decodeMbus(answer(0x78, "0c13 01000000 0f"))).toMatchObject({ protocol: "mbus", warnings: [] });
    expect(decodeMbus(answer(0x78, "0c933b 01000000")).readings[0]?.name).toBe("Volume, forward");
  });

  it("that ends early, or behind which something stands that may not, is refused at its place", () => {
    const refused = (ci: number, hex: string, base = 0) =>
      refusalOf(() => decodeTelegram(ci, fromHex(hex), { base }));

    expect(refused(0x72, "785634", 7)).toEqual({ kind: "unexpected", offset: 7 });
    expect(refused(0x72, "78563412 2d2c 0b 04 2a 00 00", 7)).toEqual({ kind: "unexpected", offset: 17 });
    expect(refused(0x7a, "2a", 7)).toEqual({ kind: "unexpected", offset: 8 });
    expect(refused(0x73, "78563412 0a 00 e9 7e 01000000 350100", 7)).toEqual({
      kind: "unexpected",
      offset: 19,
    });
    expect(refused(0x73, "78563412 0a 00 e9 7e 01000000 35010000 2f", 7)).toEqual({
      kind: "unexpected",
      offset: 23,
    });
    expect(refused(0xb7, "", 7)).toEqual({ kind: "unsupported", offset: 6 });
    expect(refused(0xb7, "")).toEqual({ kind: "unsupported", offset: 0 });
    expect(refused(0x72, header({ word: "1005" }) + "2f".repeat(16), 7)).toEqual({
      kind: "unsupported",
      offset: 19,
    });
    expect(refused(0x7a, "2a 00 0005", 7)).toEqual({ kind: "unsupported", offset: 11 });
    expect(refused(0x7a, "2a 00 00e0")).toBeUndefined();
  });
});

describe("the status byte", () => {
  // Source: EN 13757-3:2018, table 6.
  it.each<[number, string[]]>([
    [0x00, []],
    [0x01, ["application busy"]],
    [0x02, ["application error"]],
    [0x03, ["abnormal condition"]],
    [0x04, ["power low"]],
    [0x08, ["permanent error"]],
    [0x10, ["temporary error"]],
    [0x1d, ["application busy", "power low", "permanent error", "temporary error"]],
    [0xe0, []],
  ])("%i says %j", (status, words) => {
    expect(statusWords(status)).toEqual(words);
  });

  it.each(["KDN", "VIP"])("of a water meter of %s has words of its own", (manufacturer) => {
    const leak = ["abnormal condition", "leak"];

    expect(statusWords(0x63, { manufacturer, medium: 7 })).toEqual([
      ...leak,
      "flow below 100 l/h during the leak",
      "flow above 100 l/h during the leak",
    ]);
    expect(statusWords(0x43, { manufacturer, medium: 7 })).toEqual([
      ...leak,
      "flow above 100 l/h during the leak",
    ]);
    expect(statusWords(0x01, { manufacturer, medium: 7 })).toEqual(["application busy"]);
    expect(statusWords(0x63, { manufacturer, medium: 6 })).toEqual(["abnormal condition"]);
    expect(statusWords(0x63, { manufacturer })).toEqual(["abnormal condition"]);
  });
});

describe("an error report of a meter", () => {
  // Source: EN 13757-3:2018, table 8.
  it.each([
    ["", 0, "unspecified error"],
    ["00", 0, "unspecified error"],
    ["01", 1, "CI field not implemented"],
    ["02", 2, "buffer too long, truncated"],
    ["03", 3, "too many records"],
    ["04", 4, "premature end of record"],
    ["05", 5, "more than 10 DIFE"],
    ["06", 6, "more than 10 VIFE"],
    ["07", 7, "reserved error"],
    ["08", 8, "application busy"],
    ["09", 9, "too many readouts"],
    ["0a", 10, "unknown error"],
  ])("%s is named, and only a busy meter may be asked again", (hex, detail, text) => {
    const trace: Span[] = [];
    let error: unknown;
    try {
      decodeTelegram(0x70, fromHex(hex), { trace, base: 7 });
    } catch (thrown) {
      error = thrown;
    }

    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toMatchObject({
      ...{ kind: "refused", offset: 7, detail, isBusy: detail === 8 },
      message: `the meter reports: ${text}`,
    });
    expect(trace.map(({ name }) => name)).toEqual(hex === "" ? [] : ["application_error"]);
  });
});

describe("the configuration word", () => {
  const read = (word: string, bytes = 32) =>
    refusalOf(() => decodeTelegram(0x72, fromHex(header({ word }) + "2f".repeat(bytes))))?.kind;

  // Source: EN 13757-7:2018, clause 7; bits 8 to 12 are the mode, bits 4 to 7 the blocks of 16 bytes.
  it.each([
    ["0802", "DES, 8 bytes"],
    ["0803", "DES with a vector, 8 bytes"],
    ["2002", "DES, all 32 bytes"],
    ["1004", "AES, a block"],
    ["1005", "AES with a vector, a block"],
    ["2005", "AES with a vector, all of two blocks"],
    ["1007", "AES with a derived key, a block"],
    ["0008", "AES in mode 8"],
    ["0009", "AES in mode 9"],
    ["000a", "AES in mode 10"],
    ["000d", "TLS"],
  ])("%s says that the records are encrypted: %s", (word) => {
    expect(read(word)).toBe("unsupported");
  });

  it.each([
    ["0000", "nothing"],
    ["1001", "mode 1, which is none"],
    ["1006", "mode 6, which is none"],
    ["100b", "mode 11, which is none"],
    ["0002", "DES over nothing"],
    ["0402", "DES over half a block"],
    ["2802", "DES over more than there is"],
    ["0805", "AES over no block"],
    ["3005", "AES over more than there is"],
    ["3007", "AES with a derived key over more than there is"],
  ])("%s says nothing of the kind: %s", (word) => {
    expect(read(word)).toBeUndefined();
  });
});

/** Source: EN 13757-3:2004, annex "fixed data structure"; code, its unit and what 2 is in it. */
const fixedUnits: readonly (readonly [code: number, unit: string, value: number])[] = [
  [0x00, "h,m,s", 2],
  [0x01, "D,M,Y", 2],
  ...["Wh", "kWh", "MWh", "kJ", "MJ", "GJ", "W", "kW", "MW", "kJ/h", "MJ/h", "GJ/h"].flatMap((unit, at) =>
    [2, 20, 200].map((value, n) => [2 + at * 3 + n, unit, value] as const),
  ),
  [0x26, "ml", 2],
  [0x27, "ml", 20],
  [0x28, "ml", 200],
  [0x29, "l", 2],
  [0x2b, "l", 200],
  [0x2c, "m^3", 2],
  [0x2e, "m^3", 200],
  [0x2f, "ml/h", 2],
  [0x31, "ml/h", 200],
  [0x32, "l/h", 2],
  [0x34, "l/h", 200],
  [0x35, "m^3/h", 2],
  [0x37, "m^3/h", 200],
  [0x38, "°C", 0.002],
  [0x39, "Units for H.C.A.", 2],
  [0x3a, "reserved", 2],
  [0x3d, "reserved", 2],
  [0x3e, "reserved but historic", 2],
  [0x3f, "without units", 2],
];

describe("the fixed data structure", () => {
  const hex = (code: number): string => code.toString(16).padStart(2, "0");

  it.each(fixedUnits)("counts with code %i in %s", (code, unit, value) => {
    const { readings } = decodeMbus(answer(0x73, `78563412 0a 01 ${hex(code)} 02 02000000 03000000`));

    expect(readings).toMatchObject([
      { name: "Counter 1", unit, value, raw: "02000000" },
      { name: "Counter 2", unit: "Wh", value: 3 },
    ]);
  });

  it.each([
    [0x0, "Other"],
    [0x1, "Oil"],
    [0x2, "Electricity"],
    [0x3, "Gas"],
    [0x4, "Heat"],
    [0x5, "Steam"],
    [0x6, "Hot water"],
    [0x7, "Water"],
    [0x8, "Heat Cost Allocator"],
    [0x9, "Reserved"],
    [0xa, "Gas, mode 2"],
    [0xb, "Heat, mode 2"],
    [0xc, "Hot water, mode 2"],
    [0xd, "Water, mode 2"],
    [0xe, "Heat Cost Allocator, mode 2"],
    [0xf, "Reserved"],
  ])("has medium %i in two bits each of two bytes: %s", (number, medium) => {
    const units = [(number & 3) << 6, (number >> 2) << 6].map((bits) => hex(bits | 0x29)).join("");

    expect(decodeMbus(answer(0x73, `78563412 0a 00 ${units} 00000000 00000000`))).toMatchObject({
      device: { medium },
      readings: [{ unit: "l" }, { unit: "l" }],
    });
  });

  it("is decimal, or binary, now or at a fixed date, and has the errors of the other header", () => {
    const data = (status: string) =>
      decodeMbus(answer(0x73, `78563412 0a ${status} 29 29 34120000 0a000000`)).readings.map(
        ({ value, storage }) => [value, storage],
      );

    expect(data("00")).toEqual([
      [1234, 0],
      [null, 0],
    ]);
    expect(data("01")).toEqual([
      [0x1234, 0],
      [10, 0],
    ]);
    expect(data("02")).toEqual([
      [1234, 1],
      [null, 1],
    ]);
    expect(decodeMbus(answer(0x73, "78563412 0a 07 0202 00000000 00000000"))).toMatchObject({
      device: { id: "12345678", accessNumber: 0x0a, status: 4 },
      warnings: ["status: power low"],
    });
  });

  it("is named to the byte", () => {
    const trace: Span[] = [];
    decodeTelegram(0x73, fromHex("78563412 0a 01 e97e 01000000 02000000"), { trace });

    expect(trace.map(({ offset, bytes, name }) => [offset, bytes, name])).toEqual([
      [0, 4, "identification_number"],
      [4, 1, "access_number"],
      [5, 1, "status"],
      [6, 1, "medium_low"],
      [7, 1, "medium_high"],
      [8, 4, { code: "counter", n: 1, unit: "l" }],
      [12, 4, { code: "counter", n: 2, unit: "reserved but historic" }],
    ]);
  });
});
