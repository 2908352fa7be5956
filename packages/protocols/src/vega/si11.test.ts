import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import { fromPulses, toPulses } from "../core/pulses.ts";
import { vegaSi11Fuzz } from "./seeds.ts";
import { vegaSi11 } from "./driver.ts";
import { decodeSi11, encodeTimeCorrection } from "./si11.ts";

const driver = vegaSi11();
const scale = { impulseWeight: 0.01, startingValue: 100 };
/** 2026-11-21 09:00:00 UTC. */
const at = 1_795_251_600;
const hex = (text: string) => fromHex(text);

describe("an SI-11 packet", () => {
  it("DEV-035: of current readings has volumes, temperature, battery and its own time stamp", () => {
    const [reading] = driver.decode(
      hex("01 62 06 905d016b f6 10270000 01000000 00000000 ffffffff"),
      2,
      scale,
    );

    expect(reading).toEqual({
      msgType: 1,
      at,
      meterAt: at,
      values: { in1: 200, in2: 0.01, in3: 0, in4: 42_949_672.95, temperature: -10, battery: 98 },
    });
  });

  it("has null for inputs used as security contacts", () => {
    const [reading] = driver.decode(
      hex("01 62 a6 905d016b 15 10270000 01000000 00000000 01000000"),
      2,
      scale,
    );

    expect(reading?.values).toMatchObject({ in1: 200, in2: null, in3: 0, in4: null });
  });

  it("of an alarm has a reading of type 3 with the number of the input", () => {
    const [reading] = driver.decode(
      hex("02 62 46 03 905d016b 10270000 01000000 01000000 00000000"),
      2,
      scale,
    );

    expect(reading).toMatchObject({ msgType: 3, at, values: { status_code: 3, in1: 200, in3: null } });
  });

  describe("in the second layout of the maker", () => {
    const second = (reason: string, rest = "905d016b f6 10270000 01000000 00000000 ffffffff 06") =>
      hex(`${reason} 62 ${rest}`);
    const values = { in1: 200, in2: 0.01, in3: 0, in4: 42_949_672.95, temperature: -10, battery: 98 };

    it.each(["00", "01", "02", "03", "04"])("has the same values with reason %s", (reason) => {
      const [reading] = driver.decode(second(reason), 2, scale);

      const alarm = { msgType: 3, values: { ...values, status_code: Number(reason) } };
      expect(reading).toEqual({ at, meterAt: at, ...(reason === "00" ? { msgType: 1, values } : alarm) });
    });

    it("has null for guarded inputs, and a temperature whose byte is that of a time in no case", () => {
      const guarded = second("01", "905d016b 55 10270000 01000000 01000000 00000000 c6");

      expect(driver.decode(guarded, 2, scale)).toMatchObject([
        { msgType: 3, at, values: { in1: 200, in3: null, in4: null, temperature: 85, status_code: 1 } },
      ]);
    });

    it("is distinguished from an alarm of the first one by the time of reception", () => {
      // Both layouts have a time of a device: 2026-11-21 in the second, 2034-04-10 in the first.
      const both = second("02", "f201016b f6 79000000 01000000 00000000 00000000 16");
      const own = 0x6b01_01f2;

      expect(driver.decode(both, 2, { ...scale, receivedAt: own + 60 })).toMatchObject([
        { at: own, values: { status_code: 2, temperature: -10 } },
      ]);
      expect(driver.decode(both, 2, { ...scale, receivedAt: 0x79f6_6b01 + 60 })).toMatchObject([
        { at: 0x79f6_6b01, values: { status_code: 1 } },
      ]);
    });

    it("is not assumed for a device of the first one whose clock was never set", () => {
      const unset = hex("01 62 06 00005d01 15 10270000 01000000 00000000 00000000");

      expect(driver.decode(unset, 2, { ...scale, receivedAt: at })).toMatchObject([
        { at: 0x015d_0000, values: { in1: 200, temperature: 21 } },
      ]);
    });

    it("names every byte", () => {
      const spans = driver.explain(second("03"), 2);

      expect(spans.map(({ name }) => (typeof name === "string" ? name : name.code))).toEqual([
        "reason_of_sending",
        ...["battery", "time", "temperature", "input", "input", "input", "input", "settings"],
      ]);
    });
  });

  it("of time or settings has no reading", () => {
    expect(driver.decode(hex("ff 905d016b"), 4, scale)).toEqual([]);
    expect(driver.decode(hex("01"), 3, scale)).toEqual([]);
    expect(decodeSi11(hex("00 0400 01 01 0800 02 e803"), 3)).toEqual({
      kind: "settings",
      values: [
        { id: 4, value: hex("01") },
        { id: 8, value: hex("e803") },
      ],
    });
  });

  it.each([
    ["another type", "05 62", 2, "unsupported"],
    ["another port", "01 62", 9, "unsupported"],
    ["missing bytes", "01 62 06 905d016b", 2, "unexpected"],
    ["bytes left over", "ff 905d016b 00", 4, "unexpected"],
    ["nothing", "", 2, "unexpected"],
  ])("with %s is refused", (_, payload, fport, kind) => {
    expect(() => driver.decode(hex(payload), fport, scale)).toThrow(expect.objectContaining({ kind }));
  });

  it("of the simulator decodes to its state", () => {
    const state: Readonly<Record<string, number>> = { in1: 117.42, in2: 3.5, temperature: -7, battery: 88 };

    const { fport, payload } = driver.encode(
      { ...scale, insideAddr: "", deviceID: "0102030405060708" },
      (field) => state[field] ?? 0,
      at,
    );

    const [reading] = driver.decode(payload, fport, scale);
    expect(reading).toMatchObject({ at, values: { ...state, in3: 0, in4: 0 } });
  });

  it("names every byte", () => {
    const payload = hex("02 62 46 03 905d016b 10270000 01000000 01000000 00000000");

    const spans = driver.explain(payload, 2);

    expect(spans.reduce((sum, span) => sum + span.bytes, 0)).toBe(payload.length);
    expect(spans[2]).toMatchObject({
      offset: 2,
      name: "settings",
      value: { word: { code: "si11_settings_guarded", n: "OTAA", count: 1, unit: "h", detail: "3" } },
    });
  });

  it("throws nothing but ProtocolError on damaged and random bytes", () => {
    const damaged = fc
      .tuple(fc.constantFrom(...vegaSi11Fuzz.seeds), fc.nat(30), fc.nat(255), fc.nat(30))
      .map(([seed, place, value, cut]) => {
        const bytes = Uint8Array.from(seed, (byte, index) => (index === place ? value : byte));
        return cut < bytes.length ? bytes.subarray(0, cut) : bytes;
      });
    fc.assert(
      fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 60 })), (bytes) => {
        try {
          vegaSi11Fuzz.decode(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe("the answer to a time request", () => {
  it("carries the correction as a signed 64-bit number", () => {
    expect(toHex(encodeTimeCorrection(-2))).toBe("fffeffffffffffffff");
    expect(toHex(encodeTimeCorrection(300))).toBe("ff2c01000000000000");
  });
});

describe("pulses", () => {
  it("become readings without the noise of binary fractions", () => {
    expect(fromPulses(3, { impulseWeight: 0.1, startingValue: 0 })).toBe(0.3);
    expect(fromPulses(12_345, { impulseWeight: 0.001, startingValue: 0.1 })).toBe(12.445);
  });

  it("can be recovered from the reading", () => {
    const weights = fc.constantFrom(0.0001, 0.001, 0.01, 0.1, 1, 10);
    fc.assert(
      fc.property(fc.nat(0xffffffff), weights, fc.nat(10_000), (pulses, impulseWeight, start) => {
        const each = { impulseWeight, startingValue: start / 100 };
        expect(toPulses(fromPulses(pulses, each), each)).toBe(pulses);
      }),
    );
  });
});

describe("a request for the time", () => {
  const answer = vegaSi11().answer;
  const request = fromHex("ff 00b81969");
  const deviceTime = 0x6919b800;

  it("is answered with the deviation of the clock, in seconds", () => {
    expect(answer?.(request, 4, deviceTime + 90)).toEqual({ fport: 4, payload: encodeTimeCorrection(90) });
    expect(answer?.(request, 4, deviceTime - 90)).toEqual({ fport: 4, payload: encodeTimeCorrection(-90) });
  });

  it("is not answered if the clock is right within the transmission delay", () => {
    expect(answer?.(request, 4, deviceTime + 2)).toBeUndefined();
  });

  it("is only that packet", () => {
    expect(answer?.(request, 2, deviceTime + 90)).toBeUndefined();
    expect(answer?.(request.subarray(0, 4), 4, deviceTime + 90)).toBeUndefined();
    expect(answer?.(new Uint8Array(0), 4, 0)).toBeUndefined();
  });
});
