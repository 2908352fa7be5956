import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import { refusalOf } from "../core/testing/testRefusal.ts";
import { putInChecks } from "./blocks.ts";
import { lineOfTelegram } from "./receiverLines.ts";
import { lineReceiver, stickReceiver, telegramOfLine } from "./receivers.ts";

const telegram = fromHex("14 44 9236 78563412 0107 7a 2a 00 0000 0c13 78563412");
const hex = toHex(telegram);
const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const found = (line: string) => {
  const received = telegramOfLine(line);
  return received && [toHex(received.telegram), received.rssi];
};

describe("a line in hexadecimal", () => {
  it.each([
    ["plain", hex],
    ["with spaces around and between", `  ${hex.replaceAll(/(..)/g, "$1 ")} `],
    ["with signs between", `|${hex.slice(0, 10)}|${hex.slice(10, 20)}_${hex.slice(20)}|`],
    ["in capitals behind 0x", `0X${hex.toUpperCase()}`],
    ["behind telegram=", `telegram=|${hex}`],
  ])("%s is a telegram", (_, line) => {
    expect(found(line)).toEqual([hex, undefined]);
  });

  it.each(["", "   ", "# 4401", "#", "telegram=", "0x", "V 1.67", "44 0g", "T1", "CT;", `x${hex}`])(
    "%j is none",
    (line) => {
      expect(telegramOfLine(line)).toBeUndefined();
    },
  );

  it("of an odd number of digits is refused", () => {
    expect(refusalOf(() => telegramOfLine("44011"))).toEqual({ kind: "unexpected", offset: 2 });
  });
});

describe("a line of rtl-wmbus", () => {
  const line = (of: { mode?: string; crc?: string; code?: string; level?: string; data?: string } = {}) =>
    `${of.mode ?? "T1"};${of.crc ?? "1"};${of.code ?? "1"};2026-11-20 12:00:00.000;${of.level ?? "-71"};148;12345678;${of.data ?? `0x${hex}`}`;

  it.each(["T1", "C1", "S1", "T", "C2"])("of mode %s has telegram and level", (mode) => {
    expect(found(line({ mode }))).toEqual([hex, -71]);
  });

  it.each([
    ["97", undefined],
    ["0", undefined],
    ["", undefined],
    ["-", undefined],
    ["-0.5", -0.5],
  ])("has level %s: only below 0 is it one", (level, rssi) => {
    expect(found(line({ level }))).toEqual([hex, rssi]);
  });

  it("may have its telegram without 0x, in capitals, and must be right by itself", () => {
    expect(found(line({ data: hex }))).toEqual([hex, -71]);
    expect(found(line({ data: `0X${hex.toUpperCase()}` }))).toEqual([hex, -71]);
    for (const of of [{ crc: "0" }, { code: "0" }, { crc: "" }])
      expect(refusalOf(() => telegramOfLine(line(of)))).toEqual({ kind: "checksum", offset: undefined });
    expect(refusalOf(() => telegramOfLine(line({ data: "0xzz" })))?.kind).toBe("unexpected");
    expect(found("M1;1;1;x")).toBeUndefined();
  });
});

describe("a line of a CUL", () => {
  const inA = toHex(putInChecks(telegram, "A"));
  const inB = toHex(putInChecks(telegram, "B"));

  it.each([
    ["format A", `b${inA}`, inA, undefined],
    ["format A in capitals", `b${inA.toUpperCase()}`, inA, undefined],
    ["format A with its level", `b${inA}80E2`, inA, -89],
    ["format B", `bY${inB}`, inB, undefined],
    ["format B with its level", `bY${inB}8000`, inB, -74],
    ["the highest level", `b${inA}807f`, inA, -10.5],
    ["the lowest level", `b${inA}8080`, inA, -138],
    ["one byte more", `b${inA}80`, `${inA}80`, undefined],
    ["three bytes more", `bY${inB}80e200`, `${inB}80e200`, undefined],
  ])("in %s is a telegram", (_, line, bytes, rssi) => {
    expect(found(line)).toEqual([bytes, rssi]);
  });

  it("has whole blocks at every length", () => {
    for (const count of [11, 26, 27, 42, 43, 58]) {
      const bytes = Uint8Array.from({ length: count }, (_, at) => (at === 0 ? count - 1 : at));
      const checked = toHex(putInChecks(bytes, "A"));

      expect(found(`b${checked}80E2`), String(count)).toEqual([checked, -89]);
    }
  });

  it("may begin with the digit of a plain telegram, whose length tells", () => {
    const plain = `b1${"00".repeat(0xb1)}`;

    expect(found(plain)).toEqual([plain, undefined]);
    expect(refusalOf(() => telegramOfLine(`b1${"00".repeat(0xb0)}`))?.kind).toBe("unexpected");
    expect(found("bz")).toBeUndefined();
    expect(found("B0e4")).toEqual(["b0e4", undefined]);
  });
});

describe("a receiver that writes lines", () => {
  it("reads lines up to 2048 characters", () => {
    const longest = "00".repeat(1024);
    const count = (...parts: string[]) => {
      const { receive } = lineReceiver();
      return parts.flatMap((part) => receive(bytesOf(part))).length;
    };

    expect(count(`${longest}\n`)).toBe(1);
    expect(count(`${longest}00\n`)).toBe(0);
    expect(count(longest, "\n")).toBe(1);
    expect(count(`${longest}00`, "\n")).toBe(0);
    expect(count(`${longest}00`, "00\n00\n")).toBe(1);
    expect(count(`${longest}00`, "00", "00\n00\n")).toBe(1);
    expect(count(hex, "\r", "\n", hex, "\n\n\n")).toBe(2);
    expect(count("T1;0;0;x\n", `${hex}\r`)).toBe(1);
  });
});

describe("a stick of IMST", () => {
  /** Start, flags and endpoint, message, length, payload, then what the flags say. */
  const message = (of: { flags?: number; kind?: number; payload?: Uint8Array; more?: string } = {}) => {
    const payload = of.payload ?? telegram.subarray(1);
    return Uint8Array.of(
      0xa5,
      of.flags ?? 2,
      of.kind ?? 3,
      payload.length,
      ...payload,
      ...fromHex(of.more ?? ""),
    );
  };
  const heard = (...parts: Uint8Array[]) => {
    const { receive } = stickReceiver();
    return parts.flatMap((part) => receive(part)).map((each) => [toHex(each.telegram), each.rssi]);
  };
  const none = undefined;

  it.each([
    ["a telegram alone", 0x02, "", none],
    ["its time", 0x22, "01020304", none],
    ["its level", 0x42, "7d", -60],
    ["time and level", 0x62, "01020304 2d", -100],
  ])("tells of %s", (_, flags, more, rssi) => {
    expect(heard(message({ flags, more }))).toEqual([[hex, rssi]]);
    // The next message begins behind it.
    expect(heard(Uint8Array.of(...message({ flags, more }), ...message()))).toHaveLength(2);
    expect(heard(message({ flags, more }).subarray(0, -1))).toEqual([]);
  });

  it.each([
    ["2d", -100],
    ["cd", -20],
    ["00", -122.5],
    ["f5", 0],
    ["ff", 0],
  ])("has level %s as %d dBm", (more, rssi) => {
    expect(heard(message({ flags: 0x42, more }))[0]?.[1]).toBe(rssi);
  });

  it.each([
    ["endpoint 0", { flags: 0x00 }],
    ["endpoint 5", { flags: 0x05 }],
    ["a reserved bit", { flags: 0x12 }],
    ["another endpoint", { flags: 0x01 }],
    ["endpoint 4", { flags: 0x04 }],
    ["another message", { kind: 4 }],
  ])("tells of no telegram with %s", (_, of) => {
    expect(heard(message(of))).toEqual([]);
    expect(heard(Uint8Array.of(...message(of), ...message()))).toHaveLength(1);
  });

  it("steps over a whole message that is no telegram, whatever is in it", () => {
    const inside = message();

    expect(heard(message({ flags: 0x01, payload: inside }))).toEqual([]);
    for (const flags of [0x00, 0x05, 0x12])
      expect(heard(message({ flags, payload: inside })), String(flags)).toHaveLength(1);
  });

  // Source: CRC-16 of X.25 (HDLC): its check value over "123456789" is 906E.
  it("believes a message with the check sum of X.25, low byte first", () => {
    const payload = bytesOf("6789");
    const sum = (more: string) =>
      heard(Uint8Array.of(0xa5, 0x82, 0x03, payload.length, ...payload, ...fromHex(more)));
    const right = crcOfX25(Uint8Array.of(0x82, 0x03, payload.length, ...payload));

    expect(crcOfX25(bytesOf("123456789"))).toBe("6e90");
    expect(sum(right)).toEqual([[`04${toHex(payload)}`, none]]);
    expect(sum("0000")).toEqual([]);
    expect(sum(right.slice(2) + right.slice(0, 2))).toEqual([]);
  });

  it("waits for the rest of a message, of which it keeps 1024 bytes at most", () => {
    const parts = [...message()].map((byte) => Uint8Array.of(byte));

    expect(heard(...parts)).toEqual([[hex, none]]);
    expect(heard(new Uint8Array(2000).fill(0xa5), message())).toHaveLength(1);
  });
});

/** CRC-16 of X.25 in hexadecimal, low byte first, by polynomial division of the mirrored bits. */
function crcOfX25(bytes: Uint8Array): string {
  const mirrored = (value: number, bits: number): number =>
    Number.parseInt(value.toString(2).padStart(bits, "0").split("").toReversed().join(""), 2);
  let rest = 0xffff;
  for (const byte of bytes) {
    rest ^= mirrored(byte, 8) << 8;
    for (let bit = 0; bit < 8; bit++) rest = rest >= 0x8000 ? ((rest << 1) ^ 0x1_1021) & 0xffff : rest << 1;
  }
  const sum = mirrored(rest, 16) ^ 0xffff;
  return toHex([sum & 0xff, sum >> 8]);
}

describe("a line that is written", () => {
  const at = Date.UTC(2026, 10, 20, 12, 34, 56) / 1000 + 0.5;

  it("is that of rtl-wmbus to the sign", () => {
    expect(lineOfTelegram("rtl_wmbus", { telegram, at, rssi: -70.6 })).toBe(
      `T1;1;1;2026-11-20 12:34:56.500;-71;-71;12345678;0x${hex}\n`,
    );
  });

  it.each([
    [-74, "00"],
    [-73.5, "01"],
    [-74.5, "FF"],
    [-138, "80"],
  ])("is that of a CUL with %d dBm as %s", (rssi, level) => {
    expect(lineOfTelegram("culfw", { telegram, at, rssi })).toBe(
      `b${toHex(putInChecks(telegram, "A")).toUpperCase()}80${level}\r\n`,
    );
  });
});
