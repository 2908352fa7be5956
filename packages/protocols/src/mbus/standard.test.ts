import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import type { Responder } from "../core/conversation.ts";
import { ProtocolError } from "../core/errors.ts";
import { converse } from "../core/fuzz/replay.ts";
import { decodeMbus } from "./decode.ts";
import { mbus, type MbusOptions } from "./driver.ts";
import { ackFrame, longFrame } from "./frame.ts";
import { decodeRecords } from "./records.ts";

const header = (of: { maker?: string; signature?: string } = {}) =>
  `78563412 ${of.maker ?? "2d2c"} 01 04 2a 00 ${of.signature ?? "0000"}`;
const answer = (records: string, of: { maker?: string; signature?: string; ci?: number } = {}) =>
  longFrame(0x08, 1, of.ci ?? 0x72, fromHex(`${header(of)} ${records}`));
const records = (hex: string) => decodeRecords(fromHex(hex)).records;
/** Sixteen bytes that are two plain records. */
const plain = "0c06 00100000 0c13 00020000 2f2f2f2f";

const errorOf = (act: () => unknown): ProtocolError | undefined => {
  try {
    act();
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
  return undefined;
};

describe("the signature word", () => {
  it.each([
    ["of a mode that was never given away", "0106"],
    ["of a mode that no standard defines", "000c"],
    ["of AES, which says that no block is encrypted", "0005"],
    ["of AES, with more blocks than the frame has", "2005"],
    ["of DES, with a number of bytes that is no block", "0702"],
    ["of DES, with more bytes than the frame has", "1803"],
  ])("%s is that of an old meter, and its records are read", (_, signature) => {
    expect(decodeMbus(answer(plain, { signature })).readings).toHaveLength(2);
  });

  it.each([
    ["AES-CBC over one block", "1005", 5],
    ["DES over 16 bytes", "1002", 2],
    ["TLS, whose length says nothing", "000d", 13],
  ])("of %s is encryption", (_, signature, detail) => {
    expect(errorOf(() => decodeMbus(answer(plain, { signature })))).toMatchObject({
      kind: "unsupported",
      detail,
    });
  });

  it("of a frame with the high byte first never means encryption, because such meters are older", () => {
    const data = fromHex("12345678 2c2d 01 04 2a 00 0510 0c06 00001000 2f2f2f2f2f2f2f2f2f2f");

    expect(decodeMbus(longFrame(0x08, 1, 0x76, data)).readings).toHaveLength(1);
  });
});

describe("LVAR", () => {
  it.each([
    ["f0", 16],
    ["f1", 20],
    ["f4", 32],
    ["f5", 48],
    ["f6", 64],
  ])("%s is a binary of %i bytes, which the next record follows", (lvar, count) => {
    const bytes = Uint8Array.from({ length: count }, (_, at) => at + 1);
    const [binary, next] = records(`0dfd11 ${lvar} ${toHex(bytes)} 0413 05000000`);

    expect(binary?.value).toBe(toHex(bytes.toReversed()));
    expect(next).toMatchObject({ quantity: "Volume", value: 0.005 });
  });

  it.each([
    ["f7", 7],
    ["fa", 10],
  ])("%s has the length of the standard before, and no form that is known", (lvar, count) => {
    const [open, next] = records(`0dfd11 ${lvar} ${"41".repeat(count)} 0413 05000000`);

    expect(open?.value).toBeNull();
    expect(next).toMatchObject({ value: 0.005 });
  });
});

const heat: MbusOptions = {
  resource: "heat",
  manufacturer: "SEN",
  version: 0x0e,
  medium: 4,
  records: [
    { code: "0C 06", field: "tariff1" },
    { code: "0C 13", field: "V_in" },
    { code: "02 5A", field: "T_in" },
  ],
};
const read = (hex: string) => {
  const meter: Responder = { receive: (bytes) => [bytes[1] === 0x40 ? ackFrame : answer(hex)] };
  const readings = converse(
    mbus(heat).poll({ kind: "now" }, { insideAddr: "1", deviceID: "12345678" }),
    meter,
  );
  return Object.assign({}, ...readings.map(({ values }) => values)) as Record<string, unknown>;
};
const kwh = (value: unknown) => Math.round(Number(value) * 1163);

describe("a counter that has a direction", () => {
  it("is the main counter if forward and the only one", () => {
    const values = read("0c863b 34120000 0c863c 07000000 0c933b 50020000");

    expect([kwh(values["tariff1"]), values["V_in"]]).toEqual([1234, 0.25]);
  });

  it("is never the main counter if backward", () => {
    expect(read("0c863c 07000000 025a c900")).toEqual({ T_in: 20.1 });
  });

  it("a plain record takes precedence over a forward one, in any order", () => {
    expect(kwh(read("0c863b 34120000 0c06 99000000")["tariff1"])).toBe(99);
    expect(kwh(read("0c06 99000000 0c863b 34120000")["tariff1"])).toBe(99);
  });

  it("a forward record replaces a plain one without a value", () => {
    expect(kwh(read("0c06 ffffffff 0c863b 34120000")["tariff1"])).toBe(1234);
  });

  it("a temperature is not a counter", () => {
    expect(read("02da3b c900 0c13 50020000")).toEqual({ V_in: 0.25 });
  });
});

describe("a profile", () => {
  const values = (hex: string) =>
    records(hex)
      .filter(({ modifiers }) => modifiers.some((word) => word.startsWith("profile value")))
      .map(({ value }) => value);

  it("of inverse increments without a sent base has no values", () => {
    expect(values("82046c 4132 8d049313 08 7bfe 270600 760100")).toEqual([]);
    expect(values("82046c 4132 8c0413 ffffffff 8d049313 08 7bfe 270600 760100")).toEqual([]);
  });

  it("of forward increments without a sent base has none either", () => {
    expect(values("82046c 5f2a 8d04931f 08 7bfe 270600 760100")).toEqual([]);
  });

  it("of increments that would fall below zero ends there", () => {
    expect(values("8c0413 00010000 82046c 4132 8d049313 08 7bfe 400000 000300")).toEqual([
      expect.closeTo(0.06, 9),
    ]);
  });

  it("of absolute values needs no base", () => {
    expect(values("82046c 4132 8d049313 08 3bfe 270600 760100")).toEqual([0.627, 0.176]);
  });
});

describe("remaining battery life", () => {
  const battery = (hex: string, maker?: string) => {
    const [reading] = decodeMbus(answer(hex, maker === undefined ? {} : { maker })).readings;
    return [reading?.value, reading?.unit];
  };

  it("is in days by the standard", () => {
    expect(battery("02fd74 b10f")).toEqual([4017, "d"]);
  });

  it("is in percent in one byte for the manufacturer that encodes it so", () => {
    expect(battery("01fd74 62", "0907")).toEqual([98, "%"]);
    expect(battery("02fd74 b10f", "0907")).toEqual([4017, "d"]);
  });
});
