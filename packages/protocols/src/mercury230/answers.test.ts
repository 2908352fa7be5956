import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromHex } from "../core/bytes.ts";
import { refusalOf } from "../core/testing/testRefusal.ts";
import { decodeMercury230, explainMercury } from "./decode.ts";
import { closeFrame } from "./frame.ts";
import { encodeProfileRecord } from "./profile.ts";

const framed = (body: string, address = 23) => closeFrame(address, fromHex(body));
const decoded = (request: string, response: string) =>
  decodeMercury230({ request: framed(request), response: framed(response) }).readings;
const shown = (request: string, response: string) =>
  decoded(request, response).map(({ name, value, unit }) => [name, value, unit]);
/** Place, length, name and value of what stands between the address and the CRC of an answer. */
const partsOf = (request: string, response: string) => {
  const { received } = explainMercury(framed(request), framed(response));
  return received.slice(1, -1).map(({ offset, bytes, name, value }) => [offset, bytes, name, value]);
};

/** Momentary values by number (BWRI), with the bit of their sign. Source: exchange protocol, 08 16. */
const momentary: readonly (readonly [
  bwri: string,
  string,
  string,
  count: number,
  divisor: number,
  unit: string,
  sign: number,
])[] = [
  ["00", "active power", "active_power", 4, 100, "W", 0x80],
  ["04", "reactive power", "reactive_power", 4, 100, "var", 0x40],
  ["08", "apparent power", "apparent_power", 4, 100, "VA", 0],
  ["11", "voltage", "voltage", 3, 100, "V", 0],
  ["21", "current", "current", 3, 1000, "A", 0],
  ["30", "cos phi", "cos_phi", 4, 1000, "", 0x80],
  ["40", "frequency", "frequency", 1, 100, "Hz", 0],
  ["51", "angle", "angle", 3, 100, "deg", 0],
];
const numberOf = (count: number, at: number) => {
  if (count === 1) return "";
  return count === 4 && at === 0 ? " sum" : ` ${String(count === 4 ? at : at + 1)}`;
};

describe("a momentary value", () => {
  it.each(momentary)("%s is %s", (bwri, name, code, count, divisor, unit, sign) => {
    const answer = ["810302", "410302", "800000", "3fffff"].slice(0, count).join("");
    const signed = (bits: number, value: number) => ((bits & sign) === 0 ? value : -value) / divisor;
    const values = [signed(0x80, 0x10203), signed(0x40, 0x10203), 0, 0x3fffff / divisor].slice(0, count);

    expect(shown(`0816${bwri}`, answer)).toEqual(
      values.map((value, at) => [`${name}${numberOf(count, at)}`, value, unit]),
    );
    const nameOf = (at: number) => {
      if (count === 1) return code;
      return code === "angle" ? { code, n: at + 1 } : { code, phase: count === 4 ? at : at + 1 };
    };
    expect(partsOf(`0816${bwri}`, answer)).toEqual(
      values.map((value, at) => [1 + 3 * at, 3, nameOf(at), value]),
    );
  });

  it("of another number or count of values is shown as bytes", () => {
    expect(shown("081699", "010203")).toEqual([["data", "010203", ""]]);
    expect(shown("081611", "010203")).toEqual([["data", "010203", ""]]);
  });
});

describe("a status", () => {
  it.each([
    [0, "ok", "status_ok"],
    [1, "invalid command or parameter", "status_invalid_command_or_parameter"],
    [2, "internal error of the meter", "status_internal_error_of_the_meter"],
    [3, "access level too low", "status_access_level_too_low"],
    [4, "the clock was corrected today already", "status_the_clock_was_corrected_today_already"],
    [5, "channel not open", "status_channel_not_open"],
    [6, "unknown", "unknown"],
  ])("%i in the low four bits is: %s", (code, words, word) => {
    const body = `f${String(code)}`;

    expect(decoded("0400", body)).toEqual([{ name: "status", value: code, unit: "", function: words }]);
    expect(partsOf("0400", body)).toEqual([[1, 1, "status", { word }]]);
  });
});

describe("an answer with energy", () => {
  it("has the four counters of a period, or the three phases of array 6", () => {
    const counters = "bc00614effffffff23002cc401000200";

    expect(shown("050000", counters)).toEqual([
      ["A+", 0xbc4e61, "Wh"],
      ["A-", null, "Wh"],
      ["R+", 0x23c42c, "varh"],
      ["R-", 0x10002, "varh"],
    ]);
    expect(partsOf("050000", counters)).toEqual([
      [1, 4, { code: "energy_way", n: "A+", unit: "Wh" }, 0xbc4e61],
      [5, 4, { code: "energy_way", n: "A−", unit: "Wh" }, null],
      [9, 4, { code: "energy_way", n: "R+", unit: "varh" }, 0x23c42c],
      [13, 4, { code: "energy_way", n: "R−", unit: "varh" }, 0x10002],
    ]);
    expect(shown("056000", "000001000000020000000300")).toEqual([
      ["A+ phase 1", 1, "Wh"],
      ["A+ phase 2", 2, "Wh"],
      ["A+ phase 3", 3, "Wh"],
    ]);
    expect(partsOf("056000", "000001000000020000000300")).toEqual(
      [1, 2, 3].map((phase) => [4 * phase - 3, 4, { code: "energy_way", n: "A+", phase, unit: "Wh" }, phase]),
    );
  });

  it("is known without its request by its length alone", () => {
    const read = (body: string) =>
      decodeMercury230({ response: framed(body) }).readings.map(({ name }) => name);

    expect(read("00".repeat(16))).toEqual(["A+", "A-", "R+", "R-"]);
    expect(read("00".repeat(15))).toEqual(["data"]);
    expect(read("00".repeat(17))).toEqual(["data"]);
  });
});

describe("an answer with a moment", () => {
  it("of the clock has its season", () => {
    expect(shown("0400", "5958230731122600")).toEqual([
      ["clock", "2026-12-31T23:58:59", ""],
      ["season", "summer", ""],
    ]);
    expect(shown("0400", "0000000129022801")).toEqual([
      ["clock", "2028-02-29T00:00:00", ""],
      ["season", "winter", ""],
    ]);
  });

  it.each([
    "0000000129022601",
    "0000000131042601",
    "0000250101112601",
    "0060000101112601",
    "6000000101112601",
  ])("%s is none: there is no such day, hour, minute or second", (body) => {
    expect(refusalOf(() => decoded("0400", body))).toEqual({ kind: "unexpected", offset: 6 });
  });

  it("may be 24 o'clock", () => {
    expect(shown("0400", "0000240121112601")[0]).toEqual(["clock", "2026-11-22T00:00:00", ""]);
  });

  it.each(["0a00000121112601", "a000000121112601"])("%s has digits that are not decimal", (body) => {
    expect(refusalOf(() => decoded("0400", body))).toEqual({ kind: "unexpected", offset: 6 });
  });

  it.each([
    ["01", "meter on and off"],
    ["02", "clock before and after correction"],
    ["03", "phase 1 on and off"],
    ["04", "phase 2 on and off"],
    ["05", "phase 3 on and off"],
    ["06", "power limit exceeded"],
    ["07", "tariff schedule corrected"],
    ["12", "cover opened"],
    ["13", "reprogrammed"],
    ["14", "status word"],
    ["17", "current of phase 1"],
    ["18", "current of phase 2"],
    ["19", "current of phase 3"],
    ["1a", "magnetic field"],
    ["0b", "journal 11"],
  ])("of journal %s is one of: %s", (number, name) => {
    expect(shown(`04${number}00`, "000020211126010020211126")).toEqual([
      [`${name}: began`, "2026-11-21T20:00:00", ""],
      [`${name}: ended`, "2026-11-21T20:00:01", ""],
    ]);
  });

  it("of a journal may be missing or none", () => {
    const values = (body: string) => decoded("040100", body).map(({ value }) => value);
    const began = "2026-11-21T20:00:00";

    expect(values("000020211126")).toEqual([began, null]);
    expect(values("000020211126000000000000")).toEqual([began, null]);
    expect(values("ffffffffffff000020211126")).toEqual([null, began]);
    expect(values("000020310226000020211126")).toEqual([null, began]);
    expect(partsOf("040100", "000020211126ffffffffffff")).toEqual([
      [1, 6, "began", { local: began }],
      [7, 6, "ended", null],
    ]);
    expect(refusalOf(() => values("0000202111260000202111"))).toEqual({ kind: "unexpected", offset: 7 });
    expect(refusalOf(() => values("0000202111ff"))).toEqual({ kind: "unexpected", offset: 12 });
    expect(refusalOf(() => values("0000202111260000202111ff"))).toEqual({ kind: "unexpected", offset: 18 });
  });
});

describe("an answer with a parameter", () => {
  it.each<[string, string, readonly unknown[], readonly unknown[]]>([
    [
      "0800",
      "002914170f0319",
      [
        ["serial number", "00412023", ""],
        ["date of manufacture", "15.03.25", ""],
      ],
      [
        [1, 4, "serial_number", "00412023"],
        [5, 3, "date_of_manufacture", "15.03.25"],
      ],
    ],
    [
      "0802",
      "0001000a",
      [
        ["Ku", 1, ""],
        ["Ki", 10, ""],
      ],
      [
        [1, 2, "ku", 1],
        [3, 2, "ki", 10],
      ],
    ],
    ["0803", "090002", [["firmware", "9.0.2", ""]], [[1, 3, "firmware", "090002"]]],
    [
      "0818",
      "0100",
      [["load", true, ""]],
      [
        [1, 1, "load_control", { word: "state_on" }],
        [2, 1, "parameters", "00"],
      ],
    ],
    [
      "0818",
      "fe00",
      [["load", false, ""]],
      [
        [1, 1, "load_control", { word: "state_off" }],
        [2, 1, "parameters", "00"],
      ],
    ],
    ["0819", "0bb071", [["power limit", 7500, "W"]], [[1, 3, { code: "power_limit", unit: "W" }, 7500]]],
    ["0812", "b4e4c2", [["data", "b4e4c2", ""]], [[1, 3, "data", "b4e4c2"]]],
    ["0603004003", "010203", [["data", "010203", ""]], [[1, 3, "data", "010203"]]],
    ["0777", "010203", [["data", "010203", ""]], [[1, 3, "data", "010203"]]],
    [
      "0813",
      "1230080030221126 1e",
      [
        ["last record", 0x1230, ""],
        ["period", 30, "min"],
      ],
      [
        [1, 2, "last_record", 0x1230],
        [3, 1, "status", 8],
        [4, 5, "end_of_the_interval", { local: "2026-11-22T00:30:00" }],
        [9, 1, { code: "period", unit: "min" }, 30],
      ],
    ],
  ])("to %s of %s is shown and named", (request, answer, readings, parts) => {
    expect(shown(request, answer)).toEqual(readings);
    expect(partsOf(request, answer)).toEqual(parts);
  });

  it("of the last record has its time; a meter without one is refused", () => {
    expect(decoded("0813", "12300800302211261e")[0]).toMatchObject({ time: "2026-11-22T00:30:00" });
    expect(refusalOf(() => decoded("0813", "12300800000000001e"))).toEqual({
      kind: "unexpected",
      offset: 14,
    });
  });
});

describe("a record of the power profile", () => {
  const request = "060300400f";

  it("has its counts with the end of the interval", () => {
    const record = "0a 00 30 22 11 26 1e e803 ffff 0100 0200";

    expect(decoded(request, record)).toEqual([
      { name: "profile A+", value: 1000, unit: "pulses", time: "2026-11-22T00:30:00" },
      { name: "profile A-", value: null, unit: "pulses", time: "2026-11-22T00:30:00" },
      { name: "profile R+", value: 1, unit: "pulses", time: "2026-11-22T00:30:00" },
      { name: "profile R-", value: 2, unit: "pulses", time: "2026-11-22T00:30:00" },
      { name: "period", value: 30, unit: "min" },
      { name: "incomplete", value: true, unit: "" },
    ]);
    expect(partsOf(request, record)).toEqual([
      [1, 1, "status", 0x0a],
      [2, 5, "end_of_the_interval", { local: "2026-11-22T00:30:00" }],
      [7, 1, { code: "period", unit: "min" }, 30],
      [8, 2, { code: "energy_way", n: "A+", unit: "pulses" }, 1000],
      [10, 2, { code: "energy_way", n: "A−", unit: "pulses" }, 0xffff],
      [12, 2, { code: "energy_way", n: "R+", unit: "pulses" }, 1],
      [14, 2, { code: "energy_way", n: "R−", unit: "pulses" }, 2],
    ]);
    expect(decoded(request, record.replace("0a", "08")).at(-1)?.value).toBe(false);
  });

  it.each([
    ["ff".repeat(15), 1, 2],
    ["00".repeat(15), 1, 2],
    ["08 00 30 22 11 26 00 e803 ffff 0100 0200", 3, 8],
    ["08 00 30 31 02 26 1e e803 ffff 0100 0200", 3, 8],
  ])("%s was never written", (record, at, offset) => {
    expect(shown(request, record)).toEqual([["profile", null, ""]]);
    expect(partsOf(request, record)[at]?.slice(0, 3)).toEqual([offset, 16 - offset, "never_written"]);
  });

  it("reads back as it was written, up to the largest count", () => {
    const counts = fc.array(fc.option(fc.nat(0xfffe)), { minLength: 4, maxLength: 4 });
    const ends = fc.integer({
      min: Date.UTC(2000, 0, 1, 0, 1) / 60_000,
      max: Date.UTC(2099, 11, 31) / 60_000,
    });
    fc.assert(
      fc.property(ends, counts, fc.boolean(), fc.boolean(), (end, given, isIncomplete, isUpper) => {
        const record = { endLocal: end * 60, periodMinutes: 30, counts: given, isIncomplete, isWinter: true };

        const bytes = encodeProfileRecord(record, isUpper);
        const readings = decodeMercury230({
          request: framed(request),
          response: closeFrame(23, bytes),
        }).readings;

        expect(readings.slice(0, 4).map(({ value }) => value)).toEqual(given);
        expect(Date.parse(`${readings[0]?.time ?? ""}Z`) / 1000).toBe(end * 60);
        expect(readings.at(-1)?.value).toBe(isIncomplete);
        expect(bytes[0]).toBe((isIncomplete ? 2 : 0) + 8 + (isUpper ? 16 : 0));
      }),
    );
    const most = {
      endLocal: 0,
      periodMinutes: 30,
      isIncomplete: false,
      isWinter: false,
      counts: [70_000, 1.6],
    };
    expect([...encodeProfileRecord(most, false).subarray(7)]).toEqual([0xfe, 0xff, 2, 0]);
    expect(encodeProfileRecord(most, false)[0]).toBe(0);
  });
});

describe("an exchange", () => {
  const request = framed("0803");

  it.each([
    ["no frame", {}, "unexpected", 0],
    ["a short request", { request: fromHex("1700ff") }, "unexpected", 3],
    ["a short answer", { request, response: fromHex("1700ff") }, "unexpected", 8],
    ["a damaged request", { request: request.with(4, request.at(4) ? 0 : 1) }, "checksum", 3],
    ["a damaged answer", { request, response: framed("090002").with(5, 0) }, "checksum", 9],
    ["its request again", { request, response: request }, "unexpected", 5],
    ["another address", { request, response: framed("090002", 24) }, "unexpected", 5],
    ["more data", { request, response: framed("09000203") }, "unexpected", 9],
    ["less data", { request, response: framed("0900") }, "unexpected", 6],
  ])("with %s is refused", (_, exchange, kind, offset) => {
    expect(refusalOf(() => decodeMercury230(exchange))).toEqual({ kind, offset });
  });

  it("to address 0 is answered by any meter, whose address is shown", () => {
    expect(decodeMercury230({ request: framed("0803", 0), response: framed("090002", 24) }).device).toEqual({
      address: 24,
    });
  });

  it("has the spans of the answer behind those of the request", () => {
    const trace: { offset: number }[] = [];
    decodeMercury230({ request, response: framed("090002") }, { trace: trace as never });

    expect(trace.map(({ offset }) => offset)).toEqual([0, 1, 2, 3, 5, 6, 9]);
  });

  it("whose request cannot be read is explained without it", () => {
    const { sent, received } = explainMercury(fromHex("17"), framed("00".repeat(16)));

    expect(sent).toMatchObject([{ offset: 0, bytes: 1, name: { code: "undecoded" } }]);
    expect(received.map(({ offset }) => offset)).toEqual([0, 1, 5, 9, 13, 17]);
    expect(explainMercury(request, new Uint8Array()).received).toEqual([]);
  });
});
