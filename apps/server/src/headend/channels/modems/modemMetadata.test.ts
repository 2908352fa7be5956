import { describe, expect, it } from "vitest";
import { readModemMetadata, readRemark } from "./modemMetadata.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("metadata of a modem in its identification", () => {
  it.each([
    ["004401950000071", {}],
    ["IMEI:004401950000071;TYPE=ATM21;VER=2.13;RSSI=-71", { modemType: "ATM21 2.13", rssi: -71 }],
    ["004401950000071 MODEL:SIM800 FW:1418B05 +CSQ: 21,0\r\n", { modemType: "SIM800 1418B05", rssi: -71 }],
    ["004401950000071\r\n+CSQ: 99,99\r\n", {}],
    ["004401950000071\r\n+CSQ: 0,0\r\n", { rssi: -113 }],
  ])("%j", (text, facts) => {
    expect(readModemMetadata(bytes(text))).toEqual(facts);
  });
});

describe("bytes between the frames of a meter", () => {
  it("are identification only as a line with a known keyword", () => {
    expect(readRemark(bytes("\r\n+CSQ: 14,0\r\n"))).toEqual({ rssi: -85 });
    expect(readRemark(bytes("RSSI=-97"))).toEqual({ rssi: -97 });
  });

  it("belong to the meter otherwise", () => {
    expect(readRemark(bytes("/EKT5CE301v11\r\n"))).toBeUndefined();
    expect(readRemark(bytes("X(CSQ:14)"))).toBeUndefined();
    expect(readRemark(Uint8Array.of(0x2b, 0x43, 0x53, 0x51, 0x3a, 0x20, 0x31, 0x00))).toBeUndefined();
    expect(readRemark(bytes(`RSSI=-97${" ".repeat(100)}`))).toBeUndefined();
  });
});
