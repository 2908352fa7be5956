import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import { putInChecks } from "./blocks.ts";
import { buildTelegram } from "./encode.ts";
import { lineOfTelegram } from "./receiverLines.ts";
import { lineReceiver, stickReceiver, telegramOfLine } from "./receivers.ts";
import { readWmbus } from "./telegram.ts";

const telegram = buildTelegram(fromHex("0c13 78563412"), {
  manufacturer: "MTR",
  id: "12345678",
  version: 1,
  medium: 7,
  accessNumber: 1,
  security: "none",
});
const hex = toHex(telegram);
const idOf = (line: string): string | undefined => {
  const received = telegramOfLine(line);
  return received && readWmbus(received.telegram).meter.id;
};

describe("a line of a receiver", () => {
  it.each([
    ["plain hexadecimal", hex],
    ["with parts divided", `${hex.slice(0, 20)}|${hex.slice(20, 24)}_${hex.slice(24)}`],
    ["of rtl-wmbus", `T1;1;1;2019-04-03 19:00:42.000;97;148;12345678;0x${hex}`],
    ["of a CUL, format A", `b${toHex(putInChecks(telegram, "A"))}`],
    ["of a CUL, format A with level", `b${toHex(putInChecks(telegram, "A"))}80E2\r\n`],
    ["of a CUL, format B with level", `bY${toHex(putInChecks(telegram, "B"))}80E2`],
  ])("%s yields the telegram", (_, line) => {
    expect(idOf(line)).toBe("12345678");
  });

  it("returns the field strength if the receiver reports it", () => {
    expect(telegramOfLine(`b${toHex(putInChecks(telegram, "A"))}80E2`)?.rssi).toBe(-89);
    expect(telegramOfLine(`C1;1;1;2019;-71;148;12345678;0x${hex}`)?.rssi).toBe(-71);
    expect(telegramOfLine(`C1;1;1;2019;97;148;12345678;0x${hex}`)?.rssi).toBeUndefined();
  });

  it.each(["", "# comment", "V 1.67 CUL868", "c1"])("%j is no telegram", (line) => {
    expect(telegramOfLine(line)?.telegram.length ?? 0).toBeLessThan(2);
  });

  it("that the receiver reports as damaged is an error", () => {
    expect(() => telegramOfLine(`T1;0;1;2019;97;148;12345678;0x${hex}`)).toThrow(ProtocolError);
  });
});

describe("a simulated receiver", () => {
  const received = { telegram, at: 1_795_251_600, rssi: -71 };

  it.each(["rtl_wmbus", "culfw"] as const)("of kind %s writes lines that are read back whole", (kind) => {
    const found = telegramOfLine(lineOfTelegram(kind, received));

    expect(found?.rssi).toBe(-71);
    expect(readWmbus(found?.telegram ?? new Uint8Array(0)).meter.id).toBe("12345678");
  });
});

describe("a receiver that writes lines", () => {
  const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

  it("yields telegrams in whatever chunks they arrive, between other output", () => {
    const stream = bytes(
      `V 1.67 CUL868\r\n# up\n${hex}\r\nT1;0;1;2019;97;148;1;0x${hex}\nC1;1;1;2019;-71;1;1;0x${hex}\n${hex}`,
    );
    const { receive } = lineReceiver();
    const found = [...stream].flatMap((byte) => receive(Uint8Array.of(byte)));

    expect(found.map((each) => [toHex(each.telegram), each.rssi])).toEqual([
      [hex, undefined],
      [hex, -71],
    ]);
    expect(receive(bytes("\n"))).toHaveLength(1);
  });

  it("drops a line that does not end, and reads the next one", () => {
    const { receive } = lineReceiver();
    for (let n = 0; n < 100; n++) expect(receive(bytes("a".repeat(1000)))).toEqual([]);

    expect(receive(bytes(`b\n${hex}\n`))).toHaveLength(1);
  });
});

describe("an iM871A stick", () => {
  const body = telegram.subarray(1);
  const plain = Uint8Array.of(0xa5, 0x02, 0x03, body.length, ...body);
  const withLevel = Uint8Array.of(0xa5, 0x62, 0x03, body.length, ...body, 1, 2, 3, 4, 125);

  it("yields telegrams in whatever chunks they arrive, between noise and other messages", () => {
    const other = fromHex("a5 01 02 00");
    const stream = Uint8Array.of(0, 0xa5, ...other, ...plain, 0x55, ...withLevel);
    const { receive } = stickReceiver();
    const found = [...stream].flatMap((byte) => receive(Uint8Array.of(byte)));

    expect(found.map((each) => toHex(each.telegram))).toEqual([hex, hex]);
    expect(found[1]?.rssi).toBe(-60);
  });

  it("drops a message with a wrong checksum", () => {
    const damaged = Uint8Array.of(0xa5, 0x82, 0x03, body.length, ...body, 0, 0);
    expect(stickReceiver().receive(damaged)).toEqual([]);
  });

  it("buffers at most one message of invalid bytes", () => {
    const { receive } = stickReceiver();
    for (let n = 0; n < 100; n++) expect(receive(new Uint8Array(1000).fill(1))).toEqual([]);
    expect(receive(plain)).toHaveLength(1);
  });
});
