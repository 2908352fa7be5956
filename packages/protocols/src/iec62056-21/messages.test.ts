import { describe, expect, it } from "vitest";
import type { Span } from "../core/bytes.ts";
import { codeOf } from "../core/spans.ts";
import { refusalOf } from "../core/testing/testRefusal.ts";
import {
  formatDataSet,
  leftOutWords,
  numberOf,
  parseDataLines,
  parseObis,
  readWholeLines,
} from "./dataLine.ts";
import { decodeIec62056, explainIec } from "./decode.ts";
import {
  bauds,
  bccOf,
  commandBlock,
  dataBlock,
  matchMessage,
  messageLength,
  optionSelect,
  parseMessage,
  signOn,
} from "./message.ts";
import { bytesOf, textOf, withEvenParity, withoutParity } from "./text.ts";

const sum = { check: "sum" } as const;

describe("a message", () => {
  // Source: IEC 62056-21, 6.3; the block check is the exclusive or of all bytes behind the first one.
  it("is built as the standard says", () => {
    expect(textOf(signOn("12345678"))).toBe("/?12345678!\r\n");
    expect(textOf(signOn(""))).toBe("/?!\r\n");
    expect(textOf(optionSelect({ baud: "5", mode: "0" }))).toBe("\x06050\r\n");
    expect(textOf(optionSelect({ baud: "6", mode: "2", protocol: "2" }))).toBe("\x06262\r\n");
    expect(textOf(dataBlock("A"))).toBe("\x02A\x03B");
    expect(textOf(dataBlock("A", { isLast: false }))).toBe("\x02A\x04E");
    expect(textOf(commandBlock("B0"))).toBe("\x01B0\x03q");
    expect(textOf(commandBlock("R1", "1.8.0()"))).toBe("\x01R1\x021.8.0()\x03Z");
    expect(textOf(dataBlock("AA", sum))).toBe("\x02AA\x03\x05");
    expect(textOf(commandBlock("B0", undefined, "sum"))).toBe("\x01B0\x03u");
    expect(bauds).toEqual([300, 600, 1200, 2400, 4800, 9600, 19_200]);
    expect([bccOf(bytesOf("\xff\x01")), bccOf(bytesOf("\xff\x01"), "sum")]).toEqual([0x7e, 0]);
  });

  it.each<[string, object]>([
    ["/?!\r\n", { kind: "request", address: "" }],
    [`/?${"1".repeat(32)}!\r\n`, { kind: "request", address: "1".repeat(32) }],
    [
      "/MTR5SIM v1\r\n",
      { kind: "identification", manufacturer: "MTR", baud: "5", isEnhanced: false, type: "SIM v1" },
    ],
    ["/MTr5\\2SIM\r\n", { manufacturer: "MTr", isEnhanced: true, type: "SIM" }],
    ["/MTR5\\@\\2SIM\r\n", { isEnhanced: true, type: "SIM" }],
    ["/MTR5\\1SIM\r\n", { isEnhanced: false, type: "SIM" }],
    ["/MTRB\r\n", { baud: "B", type: "" }],
    ["\x06", { kind: "ack" }],
    ["\x15", { kind: "nak" }],
    ["\x06050\r\n", { kind: "option", protocol: "0", baud: "5", mode: "0" }],
    ["\x06262\r\n", { kind: "option", protocol: "2", baud: "6", mode: "2" }],
    [textOf(dataBlock("1.8.0(1)")), { kind: "data", text: "1.8.0(1)", offset: 1, isLast: true }],
    [textOf(dataBlock("", { isLast: false })), { kind: "data", text: "", offset: 1, isLast: false }],
    [
      textOf(commandBlock("P0", "(1)")),
      { kind: "command", command: "P0", text: "(1)", offset: 4, isLast: true },
    ],
    [textOf(commandBlock("B0")), { kind: "command", command: "B0", text: "", offset: 3, isLast: true }],
    [textOf(commandBlock("R1", "")), { kind: "command", command: "R1", text: "", offset: 4, isLast: true }],
  ])("%j is read, with parity too", (text, expected) => {
    expect(parseMessage(bytesOf(text))).toMatchObject(expected);
    expect(parseMessage(withEvenParity(bytesOf(text)))).toMatchObject(expected);
  });

  it.each<[string, string, number | undefined]>([
    ["", "unexpected", 0],
    ["x", "unexpected", 0],
    [`/?${"1".repeat(33)}!\r\n`, "unexpected", 1],
    ["/MT5\r\n", "unexpected", 1],
    [`/MTR5${"x".repeat(33)}\r\n`, "unexpected", 1],
    ["/MTR5SIM\n", "unexpected", 1],
    ["\x06350", "unexpected", 1],
    ["\x060X0\r\n", "unexpected", 1],
    ["\x15050\r\n", "unexpected", 1],
    ["\x06050\r\nx", "unexpected", 1],
    ["\x02A", "unexpected", 0],
    ["\x02A\x03", "unexpected", 2],
    ["\x02A\x03Bx", "unexpected", 2],
    ["\x02A\x03C", "checksum", 3],
    [textOf(commandBlock("X1")), "unexpected", 1],
    [textOf(commandBlock("R1x")), "unexpected", 3],
  ])("%j is refused at its place", (text, kind, offset) => {
    expect(refusalOf(() => parseMessage(bytesOf(text)))).toEqual({ kind, offset });
  });

  it("closed by a sum is right with a sum, and with nothing else", () => {
    expect(parseMessage(dataBlock("AA", sum), sum).kind).toBe("data");
    expect(refusalOf(() => parseMessage(dataBlock("AA"), sum))?.kind).toBe("checksum");
    expect(refusalOf(() => parseMessage(dataBlock("AA", sum)))?.kind).toBe("checksum");
  });

  it.each<[string, number | undefined]>([
    ["/MTR5", undefined],
    ["/MTR5\r\n", 7],
    ["/MTR5\r\nxx", 7],
    ["\x06", 1],
    ["\x0605", undefined],
    ["\x06050\r\n", 6],
    ["\x06\x02A\x03B", 1],
    ["\x06\x01B0", 1],
    ["\x15", 1],
    ["\x15\x15", 1],
    ["\x02A", undefined],
    ["\x02A\x03", undefined],
    ["\x02A\x03B", 4],
    ["\x02A\x04B", 4],
    ["\x02A\x03Bx", 4],
    ["\x01B0\x03q", 5],
  ])("%j has the length %s", (text, length) => {
    expect(messageLength(bytesOf(text))).toBe(length);
  });

  it("is found behind noise, and judged when it is whole", () => {
    const match = (text: string, check?: "sum") => matchMessage(bytesOf(text), check);

    expect(match("\0\0x")).toEqual({ state: "more", skip: 3 });
    expect(match("x\x02A")).toEqual({ state: "more", skip: 1 });
    expect(match("x\x02A\x03B")).toEqual({ state: "frame", length: 4, skip: 1 });
    expect(match("\x15")).toEqual({ state: "frame", length: 1, skip: 0 });
    expect(match("\x02AA\x03\x05", "sum")).toEqual({ state: "frame", length: 5, skip: 0 });
    expect(refusalOf(() => match("x\x02A\x03C"))).toEqual({ kind: "checksum", offset: 3 });
    expect(match(`\x02${"A".repeat(65_535)}`).state).toBe("more");
    expect(refusalOf(() => match(`\x02${"A".repeat(65_536)}`))).toEqual({ kind: "unexpected", offset: 0 });
  });

  it("has even parity, which can be taken off", () => {
    expect(textOf(withEvenParity(bytesOf("\x00\x01\x03\x07\x7f")))).toBe("\x00\x81\x03\x87\xff");
    expect(textOf(withoutParity(bytesOf("\x81\xff")))).toBe("\x01\x7f");
    expect(refusalOf(() => bytesOf("ÿĀ"))?.kind).toBe("unexpected");
  });
});

describe("data lines", () => {
  it("have their places in the text", () => {
    expect(parseDataLines("1.8.0(1*kWh)\r\n\r\n2.8.0( 2 )(3 * kW)x(4)\r\n(5)\r\n!\r\n9(9)", 10)).toEqual([
      { address: "1.8.0", values: [{ value: "1", unit: "kWh" }], offset: 10, length: 12 },
      {
        address: "2.8.0",
        values: [
          { value: "2", unit: "" },
          { value: "3", unit: "kW" },
        ],
        ...{ offset: 26, length: 18 },
      },
      {
        address: "x",
        values: [
          { value: "4", unit: "" },
          { value: "5", unit: "" },
        ],
        ...{ offset: 44, length: 9 },
      },
    ]);
    expect(parseDataLines("(1)\n(2)")).toEqual([
      {
        address: "",
        values: [
          { value: "1", unit: "" },
          { value: "2", unit: "" },
        ],
        ...{ offset: 0, length: 7 },
      },
    ]);
  });

  it("that are broken are refused at their place, or left out with what continues them", () => {
    expect(refusalOf(() => parseDataLines("1.8.0(1)\r\n2.8.0(2", 5))).toEqual({
      kind: "unexpected",
      offset: 20,
    });
    expect(refusalOf(() => parseDataLines("1.8.0(1)x", 5))).toEqual({ kind: "unexpected", offset: 13 });
    expect(parseDataLines("1.8.0(1)  \r\n")).toHaveLength(1);
    const whole = readWholeLines("1(1)\r\nx\r\n(9)\r\n2(2)\r\n3(3)y\r\n(8)\r\n4(4)\r\n");
    expect(whole.sets.map(({ address, values }) => [address, values.length])).toEqual([
      ["1", 1],
      ["2", 1],
      ["4", 1],
    ]);
    expect(leftOutWords(whole)).toEqual([
      "a line is left out: text without brackets at byte 7",
      "a line is left out: text without brackets at byte 25",
    ]);
    expect(refusalOf(() => readWholeLines("x\r\n(1)\r\n"))).toEqual({ kind: "unexpected", offset: 0 });
    expect(readWholeLines("")).toEqual({ sets: [], leftOut: [] });
  });

  it("are 10 000 at most", () => {
    expect(parseDataLines("1(1)".repeat(10_000))).toHaveLength(10_000);
    expect(refusalOf(() => parseDataLines("1(1)".repeat(10_001), 3))).toEqual({
      kind: "unexpected",
      offset: 3,
    });
  });

  it("are written as they are read", () => {
    expect(formatDataSet("1.8.0", [{ value: "1", unit: "kWh" }, { value: null }, { value: "x" }])).toBe(
      "1.8.0(1*kWh)()(x)",
    );
    expect(["1", "-1", "+1", "1.5", "1,5", "123456789012345", "1.123456789"].map(numberOf)).toEqual([
      ...[1, -1, 1, 1.5, 1.5, 123_456_789_012_345, 1.123_456_789],
    ]);
    for (const text of ["1234567890123456", "1.1234567890", "--1", "1.", ".5", "1 ", "1e3", undefined])
      expect(numberOf(text), text).toBeNull();
  });

  it.each([
    ["1.8.0", { code: "1.8.0" }],
    ["1.8", { code: "1.8.0" }],
    ["C.1", { code: "C.1" }],
    ["F.F", { code: "F.F" }],
    ["1-0:1.8.0", { code: "1.8.0", medium: 1, channel: 0 }],
    ["0-12:24.2.1*255", { code: "24.2.1", medium: 0, channel: 12 }],
    ["1.8.0*01", { code: "1.8.0", billing: 1 }],
    ["1.8.0&15", { code: "1.8.0", billing: 15 }],
    ["1-1:1.8.0*0", { code: "1.8.0", medium: 1, channel: 1, billing: 0 }],
    ["ET0PE", { code: "ET0PE" }],
    ["1234-0:1.8.0", { code: "1234-0:1.8.0" }],
    ["1.8.0*1234", { code: "1.8.0*1234" }],
    ["", { code: "" }],
    ["1..0", { code: "1..0" }],
  ])("have the address %j", (address, code) => {
    expect(parseObis(address)).toEqual(code);
  });
});

describe("a message for people", () => {
  const shown = (text: string) => {
    const { device, readings, warnings } = decodeIec62056(bytesOf(text));
    return { device, warnings, readings: readings.map(({ name, value, unit }) => [name, value, unit]) };
  };

  it.each<[string, object]>([
    ["/?123!\r\n", { device: {}, readings: [["sign-on", "123", ""]] }],
    ["/MTR5SIM\r\n", { device: { manufacturer: "MTR", type: "SIM", baud: 9600 }, readings: [] }],
    ["/MTRBSIM\r\n", { device: { manufacturer: "MTR", type: "SIM", baud: "B" } }],
    [
      "\x06051\r\n",
      {
        readings: [
          ["baud", "5", ""],
          ["mode", "1", ""],
        ],
      },
    ],
    ["\x06", { readings: [["result", "ack", ""]] }],
    ["\x15", { readings: [["result", "nak", ""]] }],
    [textOf(commandBlock("P1", "(12)")), { readings: [["command", "P1", ""]] }],
    [textOf(commandBlock("P2", "(12)")), { readings: [["command", "P2", ""]] }],
    [textOf(commandBlock("B0")), { readings: [["command", "B0", ""]] }],
    [
      textOf(commandBlock("R1", "1.8.0(3)")),
      {
        readings: [
          ["command", "R1", ""],
          ["1.8.0", "3", ""],
        ],
      },
    ],
    [textOf(dataBlock("(ERR12)")), { readings: [["result", "ERR12", ""]], warnings: [] }],
    [textOf(dataBlock("1.8.0(1*kWh)\r\n")), { readings: [["1.8.0", 1, "kWh"]], warnings: [] }],
    [textOf(dataBlock("1.8.0(AA)", sum)), { readings: [["1.8.0", "AA", ""]] }],
    ["1.8.0(x*kWh)", { readings: [["1.8.0", "x", "kWh"]], warnings: ["bare data lines, no checksum"] }],
    [
      `/MTR5SIM\r\n${textOf(dataBlock("1.8.0(1)"))}\x06`,
      {
        device: { manufacturer: "MTR" },
        readings: [
          ["1.8.0", "1", ""],
          ["result", "ack", ""],
        ],
        warnings: [],
      },
    ],
    ["", { device: {}, readings: [] }],
  ])("%j says", (text, expected) => {
    expect(shown(text)).toMatchObject(expected);
    expect(decodeIec62056(bytesOf(text)).protocol).toBe("iec62056-21");
  });

  it.each([
    ["/MTR5SIM", "unexpected", 8],
    ["/MTR5SIM\r\n\x02A", "unexpected", 12],
    ["\x02A\x03C", "checksum", 3],
    ["/MTR5SIM\r\n\r\n!\r\n", "unexpected", 10],
    ["/MTR5SIM\r\n\r\n1.8.0(", "unexpected", 17],
    ["1.8.0(", "unexpected", 5],
    [textOf(dataBlock("x\r\n")), "unexpected", 1],
  ])("%j is refused at its place", (text, kind, offset) => {
    expect(refusalOf(() => decodeIec62056(bytesOf(text)))).toEqual({ kind, offset });
  });

  it("has the time in front of a value, and the entries of lists and channels", () => {
    const values = (text: string) =>
      decodeIec62056(bytesOf(text)).readings.map(({ name, value, unit, time }) => [name, value, unit, time]);
    const stamp = "2026-11-22T13:05:00";

    expect(values("1.6.0(2611221305)(5*kW)")).toEqual([["1.6.0", 5, "kW", stamp]]);
    expect(values("1.6.0(2611221305S)(5*kW)")).toEqual([["1.6.0", 5, "kW", `${stamp} S`]]);
    expect(values("1.6.0(2611221305W)(5)")).toEqual([["1.6.0", "5", "", `${stamp} W`]]);
    expect(values("0.9.1(2611221305)")).toEqual([["0.9.1", "2611221305", "", stamp]]);
    expect(values("1.6.0(2611221305)(5)(6)").map((each) => each[3])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(values("1.6.0(5)(6)")).toEqual([
      ["1.6.0", "5", "", undefined],
      ["1.6.0", "6", "", undefined],
    ]);
    const codes = "(1-0:1.6.0)(1-0:1.6.0)";
    expect(values(`0-0:98.1.0(2)${codes}(261201)(2611221305)(5*kW)(261101)()(x*kW)`)).toEqual([
      ["0-0:98.1.0", 5, "kW", stamp],
      ["0-0:98.1.0", "x", "kW", undefined],
    ]);
    for (const other of [
      `(2)${codes}(1)(2)(3)`,
      `(0)${codes}`,
      "(1)(x)(1-0:1.6.0)(1)(2)(3)",
      "(1)(1-0:1.6.0)(x)(1)(2)(3)",
    ])
      expect(values(`98${other}`).length, other).toBe(other.split("(").length - 1);
    expect(values("0-1:24.3.0(2611221305)(00)(60)(1)(0-1:24.2.1)(m3)(00012.5)")).toEqual([
      ["0-1:24.2.1", 12.5, "m3", stamp],
    ]);
    expect(values("0-1:24.3.0(x)()()()(0-1:24.2.1)()()")).toEqual([["0-1:24.2.1", null, "", undefined]]);
    expect(values("0-1:24.3.0(1)(2)(3)(4)(x)(6)(7)")).toHaveLength(7);
    expect(values("0-1:24.3.0(1)(2)(3)(4)(0-1:24.2.1)(6)")).toHaveLength(6);
  });

  it("is named in the order of its bytes", () => {
    const trace: Span[] = [];
    decodeIec62056(commandBlock("R1", "1.8.0(1)"), { trace });

    expect(trace.map(({ offset }) => offset)).toEqual([1, 4, 12]);
  });

  it("is named to the byte, control characters and ends of lines too", () => {
    const names = (bytes: Uint8Array | string) =>
      explainIec(typeof bytes === "string" ? bytesOf(bytes) : bytes).map(
        ({ offset, bytes: count, name, value }: Span) => [offset, count, codeOf(name), value],
      );

    expect(names("")).toEqual([]);
    expect(names("/?12!\r\n")).toEqual([[0, 7, "sign_on", "12"]]);
    expect(names("/MTR5\\2SIM\r\n")).toEqual([
      [0, 4, "manufacturer", "MTR"],
      [4, 1, "speed", "5"],
      [5, 7, "device_type", "\\2SIM"],
    ]);
    expect(names("/MTR5SIM\r\n").at(-1)).toEqual([5, 5, "device_type", "SIM"]);
    expect(names("\x06")).toEqual([[0, 1, "ack", null]]);
    expect(names("\x15")).toEqual([[0, 1, "nak", null]]);
    expect(names("\x06051\r\n")).toEqual([[0, 6, "option", "051"]]);
    expect(names(commandBlock("R1", "1.8.0(1*kWh)(2)"))).toEqual([
      [0, 1, "soh", null],
      [1, 2, "command", "R1"],
      [3, 1, "stx", null],
      [4, 15, "data_set", "1 kWh; 2"],
      [19, 2, "etx_bcc", { hex: commandBlock("R1", "1.8.0(1*kWh)(2)").at(-1), bytes: 1 }],
    ]);
    expect(names(dataBlock("(1)\r\n!\r\n", { isLast: false })).map((each) => each.slice(0, 3))).toEqual([
      [0, 1, "stx"],
      [1, 3, "value"],
      [4, 2, "cr_lf"],
      [6, 1, "data"],
      [7, 2, "cr_lf"],
      [9, 2, "eot_bcc"],
    ]);
    expect(names("\x02A\x03C")).toEqual([[0, 4, "undecoded", null]]);
    expect(names(`\x06${textOf(dataBlock("1(2)"))}`).map((each) => each.slice(0, 3))).toEqual([
      [0, 1, "ack"],
      [1, 1, "stx"],
      [2, 4, "data_set"],
      [6, 2, "etx_bcc"],
    ]);
    expect(names("1.8.0(1)  ")[1]).toEqual([8, 2, "data", null]);
  });
});
