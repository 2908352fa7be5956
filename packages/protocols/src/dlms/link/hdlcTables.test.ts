import { describe, expect, it } from "vitest";
import { fromHex, toHex, type Span } from "../../core/bytes.ts";
import { crcX25 } from "./crc.ts";
import { decodeDlmsHdlc } from "../decode/decodeHdlc.ts";
import { explainDlms } from "../decode/explain.ts";
import {
  encodeHdlc,
  formatHdlcAddress,
  hasLlc,
  hdlcLength,
  isSameAddress,
  matchHdlc,
  parseHdlc,
  withoutLlc,
} from "./hdlc.ts";
import { hdlcControl, hdlcControlName, parseHdlcControl } from "./hdlcControl.ts";
import { defaultHdlcParameters, hdlcParametersBytes, parseHdlcParameters } from "./hdlcParameters.ts";
import { partsOf } from "../testing/testSpans.ts";
import type { HdlcAddress, HdlcControl, HdlcFrame } from "./frames.ts";

/** Source: IEC 62056-46, 6.4.3. */
const controls: readonly (readonly [byte: number, control: HdlcControl, name: string])[] = [
  [0x00, { type: "i", send: 0, receive: 0, isFinal: false }, "I N(S)=0 N(R)=0"],
  [0x96, { type: "i", send: 3, receive: 4, isFinal: true }, "I N(S)=3 N(R)=4 F"],
  [0xfe, { type: "i", send: 7, receive: 7, isFinal: true }, "I N(S)=7 N(R)=7 F"],
  [0x51, { type: "rr", receive: 2, isFinal: true }, "RR N(R)=2 F"],
  [0xe1, { type: "rr", receive: 7, isFinal: false }, "RR N(R)=7"],
  [0x55, { type: "rnr", receive: 2, isFinal: true }, "RNR N(R)=2 F"],
  [0x93, { type: "snrm", isFinal: true }, "SNRM F"],
  [0x83, { type: "snrm", isFinal: false }, "SNRM"],
  [0x73, { type: "ua", isFinal: true }, "UA F"],
  [0x53, { type: "disc", isFinal: true }, "DISC F"],
  [0x1f, { type: "dm", isFinal: true }, "DM F"],
  [0x97, { type: "frmr", isFinal: true }, "FRMR F"],
  [0x13, { type: "ui", isFinal: true }, "UI F"],
  [0x03, { type: "ui", isFinal: false }, "UI"],
];

describe("a control byte", () => {
  it.each(controls)("%i is %o", (byte, control, name) => {
    expect(parseHdlcControl(byte)).toEqual(control);
    expect(hdlcControl(control)).toBe(byte);
    expect(hdlcControlName(control)).toBe(name);
  });

  it("counts modulo 8, and is unknown for other codes", () => {
    expect(hdlcControl({ type: "i", send: 9, receive: 10, isFinal: false })).toBe(0x42);
    expect(hdlcControl({ type: "rr", receive: 9, isFinal: false })).toBe(0x21);
    expect(hdlcControl({ type: "rnr", receive: 9, isFinal: false })).toBe(0x25);
    for (const byte of [0x09, 0x0d, 0x07, 0x0b, 0xf3]) expect(parseHdlcControl(byte)).toBeUndefined();
  });
});

const client: HdlcAddress = { upper: 16, lower: null, bytes: 1 };
const server: HdlcAddress = { upper: 1, lower: 17, bytes: 2 };
const frame: HdlcFrame = {
  destination: server,
  source: client,
  control: { type: "snrm", isFinal: true },
  isSegmented: false,
  information: fromHex(""),
};
const answer: HdlcFrame = {
  ...frame,
  destination: client,
  source: server,
  control: { type: "i", send: 0, receive: 1, isFinal: true },
};

/** A frame of its bytes between flags without the checks, which are added; one in front of information. */
function sealed(head: string, information?: string): Uint8Array {
  const check = (bytes: Uint8Array): number[] => {
    const crc = crcX25(bytes);
    return [...bytes, crc & 0xff, crc >> 8];
  };
  const first = information === undefined ? [...fromHex(head)] : check(fromHex(head));
  const body = check(Uint8Array.from([...first, ...fromHex(information ?? "")]));
  return Uint8Array.from([0x7e, ...body, 0x7e]);
}
const damaged = (bytes: Uint8Array, at: number): Uint8Array => bytes.with(at, (bytes[at] ?? 0) ^ 1);
const refused = (kind: string, offset: number, message: string): unknown =>
  expect.objectContaining({ name: "ProtocolError", kind, offset, message });

describe("a frame", () => {
  const far = (upper: number, lower: number): HdlcAddress => ({ upper, lower, bytes: 4 });

  it.each<[string, string | undefined, HdlcFrame]>([
    ["a008 0223 21 93", undefined, frame],
    ["a00a 00020023 21 93", undefined, { ...frame, destination: far(1, 17) }],
    ["a00a fefefeff 21 93", undefined, { ...frame, destination: far(0x3fff, 0x3fff) }],
    ["a00a 02000201 21 93", undefined, { ...frame, destination: far(128, 128) }],
    [
      "a009 feff 0223 93",
      undefined,
      { ...frame, destination: { upper: 127, lower: 127, bytes: 2 }, source: server },
    ],
    ["a007 ff 21 93", undefined, { ...frame, destination: { upper: 127, lower: null, bytes: 1 } }],
    ["a008 21 0223 30", undefined, answer],
    ["a00c 21 0223 30", "aa55", { ...answer, information: fromHex("aa55") }],
    ["a80c 21 0223 30", "aa55", { ...answer, information: fromHex("aa55"), isSegmented: true }],
  ])("%s has its length, its addresses and its bit of segmentation", (head, information, expected) => {
    const bytes = sealed(head, information);

    expect(parseHdlc(bytes)).toEqual(expected);
    expect(toHex(encodeHdlc(expected))).toBe(toHex(bytes));
  });

  it.each<[string, Partial<HdlcFrame>]>([
    ["128 in one byte", { destination: { upper: 128, lower: null, bytes: 1 } }],
    ["128 in two bytes", { destination: { upper: 1, lower: 128, bytes: 2 } }],
    ["128 in two bytes above", { destination: { upper: 128, lower: 1, bytes: 2 } }],
    ["16384 in four bytes", { destination: far(1, 0x4000) }],
    ["16384 in four bytes above", { destination: far(0x4000, 1) }],
    ["a frame of 2048 bytes", { information: new Uint8Array(2048 - 10) }],
  ])("does not hold %s", (_, changes) => {
    expect(() => encodeHdlc({ ...frame, ...changes })).toThrow(RangeError);
  });

  it("has 2047 bytes at most, and none of information with both checks is one too", () => {
    const long = { ...frame, information: new Uint8Array(2047 - 10) };

    expect(parseHdlc(encodeHdlc(long)).information).toHaveLength(2037);
    expect(parseHdlc(sealed("a00a 21 0223 30", ""))).toEqual(answer);
  });

  it.each<[string, Uint8Array, string, number, string]>([
    ["no flag", fromHex("00a0"), "unexpected", 0, "flag 7E missing"],
    ["another format", fromHex("7e9008"), "unexpected", 3, "not frame format type 3"],
    [
      "its end missing",
      sealed("a008 0223 21 93").subarray(0, 8),
      "unexpected",
      3,
      "frame needs 2 bytes more",
    ],
    [
      "its flag missing",
      sealed("a008 0223 21 93").subarray(0, 9),
      "unexpected",
      3,
      "frame needs 1 bytes more",
    ],
    ["another end", sealed("a008 0223 21 93").with(-1, 0), "unexpected", 9, "flag 7E missing"],
    [
      "more behind it",
      fromHex(`${toHex(sealed("a008 0223 21 93"))}00`),
      "unexpected",
      10,
      "1 bytes after the frame",
    ],
    ["an unknown control", sealed("a008 0223 21 09"), "unexpected", 7, "unknown control byte"],
    ["an address of three bytes", sealed("a009 020223 21 93"), "unexpected", 6, "address of 3 bytes"],
    [
      "an address of five bytes",
      sealed("a00b 0202020203 21 93"),
      "unexpected",
      7,
      "address longer than 4 bytes",
    ],
    [
      "no room for a check",
      fromHex("7ea007 0223 21 93 00 7e"),
      "unexpected",
      7,
      "the length field does not fit the addresses",
    ],
    [
      "half a check more",
      fromHex("7ea009 0223 21 93 000000 7e"),
      "unexpected",
      7,
      "the length field does not fit the addresses",
    ],
    ["a damaged check", damaged(sealed("a008 0223 21 93"), 8), "checksum", 7, "check field"],
    ["a damaged first check", damaged(sealed("a00c 21 0223 30", "aa55"), 7), "checksum", 7, "check field"],
    ["damaged information", damaged(sealed("a00c 21 0223 30", "aa55"), 9), "checksum", 11, "check field"],
  ])("with %s is refused at its place", (_, bytes, kind, offset, message) => {
    expect(() => parseHdlc(bytes, { base: 20 })).toThrow(
      refused(kind, offset + 20, expect.stringContaining(message) as string),
    );
  });

  it("begins where a flag, its format and its length say so, and is whole with its last flag", () => {
    const bytes = sealed("a008 0223 21 93");
    const least = sealed("a007 ff 21 93");
    const long = encodeHdlc({ ...frame, information: new Uint8Array(0x300) });

    expect([bytes, least, long].map((each) => hdlcLength(each))).toEqual([10, 9, 0x300 + 12]);
    for (const size of [1, 2, 3, 9]) expect(hdlcLength(bytes.subarray(0, size))).toBeUndefined();
    expect(hdlcLength(Uint8Array.from([1, 2, ...bytes]), 2)).toBe(10);
    expect(hdlcLength(fromHex("00a008"))).toBe(0);
    expect(hdlcLength(fromHex("7eb008"))).toBe(0);
    expect(hdlcLength(fromHex("7ea006 21 21 93 00 7e"))).toBe(0);
    expect(hdlcLength(bytes.with(-1, 0))).toBe(0);
  });

  it("of another is skipped up to its last flag, which may be the first of ours", () => {
    const [foreign, own] = [encodeHdlc(frame), encodeHdlc(answer)];
    const isOwn = matchHdlc(({ control }) => control.type === "i");
    const shared = Uint8Array.from([...foreign, ...own.subarray(1)]);

    expect(isOwn(shared)).toEqual({ state: "frame", skip: foreign.length - 1, length: own.length });
    expect(isOwn(foreign)).toEqual({ state: "more", skip: foreign.length - 1 });
    expect(matchHdlc()(foreign)).toEqual({ state: "frame", skip: 0, length: foreign.length });
    expect(isOwn(fromHex("0102"))).toEqual({ state: "more", skip: 2 });
    expect(isOwn(fromHex(""))).toEqual({ state: "more", skip: 0 });
  });
});

describe("an address and the header in front of a message", () => {
  it("are shown and compared", () => {
    expect([client, server].map(formatHdlcAddress)).toEqual(["16", "1/17"]);
    expect(isSameAddress(server, { upper: 1, lower: 17, bytes: 4 })).toBe(true);
    expect(isSameAddress(server, { ...server, upper: 2 })).toBe(false);
    expect(isSameAddress(server, { ...server, lower: 18 })).toBe(false);
  });

  it.each([
    ["e6e600", true],
    ["e6e700", true],
    ["e7e700", false],
    ["e6e800", false],
    ["e6e601", false],
    ["e6e6", false],
  ])("%s is one: %s", (hex, isOne) => {
    expect(hasLlc(fromHex(hex))).toBe(isOne);
    expect(toHex(withoutLlc(fromHex(`${hex}c0`)))).toBe(isOne ? "c0" : `${hex}c0`);
  });
});

describe("parameters of a connection", () => {
  /** Source: IEC 62056-46, 6.4.4.4.3.2. */
  it.each([
    ["8180 12 050180 060180 070400000001 080400000001", defaultHdlcParameters],
    [
      "8180 14 05020100 060207d0 070400000002 080400000003",
      { maxInfoTx: 256, maxInfoRx: 2000, windowTx: 2, windowRx: 3 },
    ],
    [
      "8180 13 0501ff 06020100 070400000007 080400000001",
      { maxInfoTx: 255, maxInfoRx: 256, windowTx: 7, windowRx: 1 },
    ],
  ])("%s are sizes in one or two bytes, and windows", (hex, parameters) => {
    expect(parseHdlcParameters(fromHex(hex))).toEqual(parameters);
    expect(toHex(hdlcParametersBytes(parameters))).toBe(hex.replaceAll(" ", ""));
  });

  it("that are missing have the standard's values, unknown ones are passed over", () => {
    const usual = { maxInfoTx: 128, maxInfoRx: 128, windowTx: 1, windowRx: 1 };

    expect(parseHdlcParameters(fromHex(""))).toEqual(usual);
    expect(parseHdlcParameters(fromHex("818000"))).toEqual(usual);
    expect(parseHdlcParameters(fromHex("8180 03 060140"))).toEqual({ ...usual, maxInfoRx: 64 });
    expect(parseHdlcParameters(fromHex("8180 03 050140"))).toEqual({ ...usual, maxInfoTx: 64 });
    expect(parseHdlcParameters(fromHex("8180 06 090102 070103"))).toEqual({ ...usual, windowTx: 3 });
    expect(parseHdlcParameters(fromHex("8180 06 0804 01020304"))).toEqual({ ...usual, windowRx: 0x1020304 });
  });

  it.each([
    ["82", 1, "negotiation block does not begin with 81"],
    ["8181", 2, "group identifier is not 80"],
    ["818004 050140", 3, "group length is not that of the block"],
    ["818002 050140", 3, "group length is not that of the block"],
    ["818007 0505 0000000001", 5, "parameter longer than 4 bytes"],
    ["818003 050201", 5, "2 bytes wanted, 1 left"],
  ])("%s is refused at %i", (hex, offset, message) => {
    expect(() => parseHdlcParameters(fromHex(hex), { base: 7 })).toThrow(
      refused("unexpected", offset + 7, message),
    );
  });
});

describe("frames that are decoded", () => {
  const control = (value: string) => ({ name: "control", value, unit: "" });
  const head = [...["1 flag", "2 frame_format", "2 destination_address", "1 source_address", "1 control"]];
  const parameters = hdlcParametersBytes({ maxInfoTx: 100, maxInfoRx: 200, windowTx: 2, windowRx: 3 });

  it.each(["snrm", "ua"] as const)("%s has its parameters", (type) => {
    const own = { ...frame, control: { type, isFinal: true }, information: parameters };
    const bytes = encodeHdlc(own);
    const name = `${type.toUpperCase()} F`;
    const trace: Span[] = [];

    expect(decodeDlmsHdlc(bytes, { trace })).toEqual({
      protocol: "dlms-hdlc",
      device: { source: "16", destination: "1/17", control: name },
      readings: [
        control(name),
        { name: "maxInfoTx", value: 100, unit: "bytes" },
        { name: "maxInfoRx", value: 200, unit: "bytes" },
        { name: "windowTx", value: 2, unit: "frames" },
        { name: "windowRx", value: 3, unit: "frames" },
      ],
      warnings: [],
    });
    const ofOne = (size: number) => [
      "1 hdlc_parameter",
      "1 parameter_length",
      `${String(size)} parameter_value`,
    ];
    expect(partsOf(trace)).toEqual([
      ...[...head, "2 hcs", "1 format_identifier", "1 group_identifier", "1 group_length"],
      ...[...ofOne(1), ...ofOne(1), ...ofOne(4), ...ofOne(4), "2 fcs", "1 flag_end"],
    ]);
    expect(trace.map(({ value }) => value).slice(2, 5)).toEqual(["1/17", "16", name]);
    expect(trace[11]?.value).toBe(100);
  });

  it("others have a control alone, or what a manufacturer tells", () => {
    const [bare, told] = ["", "aa55"].map((hex) =>
      encodeHdlc({ ...frame, control: { type: "dm", isFinal: true }, information: fromHex(hex) }),
    );
    const trace: Span[] = [];

    expect(decodeDlmsHdlc(bare ?? new Uint8Array()).readings).toEqual([control("DM F")]);
    expect(decodeDlmsHdlc(told ?? new Uint8Array(), { trace }).readings).toEqual([
      control("DM F"),
      { name: "information", value: "aa55", unit: "" },
    ]);
    expect(partsOf(trace)).toEqual([...head, "2 hcs", "2 information", "2 fcs", "1 flag_end"]);
  });

  it("are not none", () => {
    expect(() => decodeDlmsHdlc(new Uint8Array())).toThrow(refused("unexpected", 0, "no frame"));
  });

  const segment = (hex: string, isSegmented: boolean) =>
    encodeHdlc({ ...answer, control: { ...answer.control }, information: fromHex(hex), isSegmented });

  it("carry a message in parts; one that is not whole is shown as it is", () => {
    const [first, last] = [segment("e6e700c401c100", true), segment("120102", false)];
    const both = Uint8Array.from([...first, ...last]);
    const trace: Span[] = [];

    expect(decodeDlmsHdlc(both)).toMatchObject({
      device: { source: "1/17", destination: "16", control: "I N(S)=0 N(R)=1 F", message: "getResponse" },
      readings: [{ name: "value", value: 258 }],
      warnings: [],
    });
    expect(decodeDlmsHdlc(first, { trace })).toEqual({
      protocol: "dlms-hdlc",
      device: { source: "1/17", destination: "16", control: "I N(S)=0 N(R)=1 F" },
      readings: [{ name: "part", value: "e6e700c401c100", unit: "" }],
      warnings: ["part of a longer message"],
    });
    expect(partsOf(trace).slice(4)).toEqual([
      ...["1 control", "2 hcs", "7 message_part", "2 fcs", "1 flag_end"],
    ]);
    expect(decodeDlmsHdlc(last)).toMatchObject({ warnings: ["part of a longer message"] });
    const shown = explainDlms(Uint8Array.from([...first, 0, ...last]), "hdlc");
    expect(partsOf(shown).filter((each) => each === "1 noise")).toHaveLength(1);
  });

  it("tell where on the line a message goes wrong, in whichever of its parts", () => {
    const [first, last] = [segment("e6e700c401c100", true), segment("1c", false)];
    const at = (...frames: Uint8Array[]) => Uint8Array.from(frames.flatMap((each) => [...each]));

    expect(() => decodeDlmsHdlc(at(first, last))).toThrow(
      refused("unsupported", first.length + 9, "unknown data type 28"),
    );
    expect(() => decodeDlmsHdlc(at(first, segment("12", false)))).toThrow(
      refused("unexpected", first.length + 10, "2 bytes wanted, 0 left"),
    );
  });
});
