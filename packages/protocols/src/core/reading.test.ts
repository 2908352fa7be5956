import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromBase64, toBase64 } from "./base64.ts";
import { readTogether } from "./command.ts";
import { rawDownlink } from "./downlinks.ts";
import { localSeconds } from "./localTime.ts";
import { obeyAlways } from "./orders.ts";
import { fromPulses, toPulses } from "./pulses.ts";
import { serialOf, warningsOf, withSerial, withWarnings, type Reading } from "./reading.ts";
import { shortestFloat } from "./shortestFloat.ts";
import { refusalOf } from "./testing/testRefusal.ts";

const first: Reading = { msgType: 1, at: 5, values: { in1: 1 } };
const second: Reading = { msgType: 2, at: 6, values: { in1: 2 } };

describe("readings of a dialogue", () => {
  it("have its warnings on the first of them, behind those that it has", () => {
    expect(withWarnings([first, second], ["a"])).toEqual([{ ...first, warnings: ["a"] }, second]);
    expect(withWarnings([{ ...first, warnings: ["a"] }], ["b"])).toEqual([
      { ...first, warnings: ["a", "b"] },
    ]);
    expect(withWarnings([first], [])[0]).toBe(first);
    expect(withWarnings([], ["a"])).toEqual([]);
  });

  it("have the serial number on the first of them, if there is one", () => {
    expect(withSerial([first, second], "7")).toEqual([{ ...first, serial: "7" }, second]);
    expect(withSerial([first], undefined)[0]).toBe(first);
    expect(serialOf([first, { ...second, serial: "8" }, { ...second, serial: "9" }])).toBe("8");
    expect(serialOf([first])).toBeUndefined();
  });

  it("have a line of warnings of at most 500 characters", () => {
    expect(warningsOf([first, { ...first, warnings: ["a", "b"] }, { ...second, warnings: ["c"] }])).toBe(
      "a; b; c",
    );
    expect(warningsOf([])).toBe("");
    expect(warningsOf([{ ...first, warnings: ["x".repeat(501)] }])).toHaveLength(500);
  });
});

describe("a counter of 32 bits", () => {
  it("begins again after its last pulse, and never counts below zero", () => {
    const one = { impulseWeight: 1, startingValue: 0 };

    expect(
      [2 ** 32 - 1, 2 ** 32, 2 ** 32 + 5, -1, Infinity].map((reading) => toPulses(reading, one)),
    ).toEqual([2 ** 32 - 1, 0, 5, 0, 0]);
    expect(toPulses(5, { impulseWeight: 0, startingValue: 0 })).toBe(0);
    expect(toPulses(101.26, { impulseWeight: 0.5, startingValue: 100 })).toBe(3);
    expect(fromPulses(3, { impulseWeight: 0.5, startingValue: 100 })).toBe(101.5);
  });
});

describe("a number of 32 bits", () => {
  it("is shown with no digit more than it needs", () => {
    expect([0.1, 123_456.7, 1_234_567.9, -2.5].map((value) => shortestFloat(Math.fround(value)))).toEqual([
      0.1, 123_456.7, 1_234_567.9, -2.5,
    ]);
    expect([-0, Number.NaN, Infinity].map(shortestFloat)).toEqual([-0, Number.NaN, Infinity]);
  });

  it("stays what it is", () => {
    fc.assert(
      fc.property(fc.float(), (value) => {
        expect(Math.fround(shortestFloat(value))).toBe(value);
      }),
    );
  });
});

describe("a text", () => {
  it("of a moment of a device is read as if its clock were UTC", () => {
    expect(localSeconds("2026-11-22 03:04")).toBe(Date.UTC(2026, 10, 22, 3, 4) / 1000);
    expect(localSeconds("2026-11-22 03:04:05")).toBe(Date.UTC(2026, 10, 22, 3, 4, 5) / 1000);
  });

  it("of base64 is what the standard says, and the same bytes again", () => {
    expect(toBase64(Uint8Array.of(0, 255, 16))).toBe("AP8Q");
    expect(toBase64(Uint8Array.of(102))).toBe("Zg==");
    expect(refusalOf(() => fromBase64("%%"))).toEqual({ kind: "unexpected", offset: undefined });
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(fromBase64(toBase64(bytes))).toEqual(bytes);
      }),
    );
  });
});

describe("a command", () => {
  const device = { insideAddr: "", deviceID: "1", impulseWeight: 1, startingValue: 0 };
  const raw = (fport: number, deviceClass: "A" | "C" = "A") =>
    rawDownlink.send_raw_payload(device, { payload: "01FF", fport, class: deviceClass });

  it("of bytes of a user goes to ports 1 to 223, any time only to class C", () => {
    expect(raw(1)).toEqual({ fport: 1, payload: Uint8Array.of(1, 255) });
    expect(raw(223, "C")).toEqual({ fport: 223, payload: Uint8Array.of(1, 255), listensAlways: true });
    for (const port of [0, 224])
      expect(refusalOf(() => raw(port))).toEqual({ kind: "unsupported", offset: undefined });
  });

  it("to read any current value reads them all", () => {
    const read = () => {
      throw new Error("not asked");
    };

    expect(readTogether(read)).toEqual({ now_value: read, tariff: read, read_info: read });
    expect(obeyAlways({ kind: "restart" })).toBe("obey");
  });
});
