import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../core/json.ts";
import { buildSenml, readSenml } from "./senml.ts";
import { fromSenmlUnit } from "./units.ts";

const now = 1_795_250_000;
const device = "0024befffe804ff1";

describe("a pack", () => {
  it("resolves names, times, units and values from the bases before them", () => {
    const pack = [
      { bn: `urn:dev:mac:${device}:`, bt: now, bu: "V", bver: 5, n: "voltage1", v: 229.5 },
      { n: "voltage2", v: 230 },
      { n: "temperature", u: "Cel", v: 21.5 },
      { n: "voltage1", v: 228, t: -60 },
    ];

    expect(readSenml(pack, now)).toEqual([
      {
        device,
        reading: { msgType: 1, at: now, values: { voltage1: 229.5, voltage2: 230, temperature: 21.5 } },
        units: { voltage1: "V", voltage2: "V", temperature: "Cel" },
        unknown: [],
      },
      {
        device,
        reading: { msgType: 1, at: now - 60, values: { voltage1: 228 } },
        units: { voltage1: "V" },
        unknown: [],
      },
    ]);
  });

  it("may have several devices, relative times and a base value", () => {
    const pack = [
      { bn: "m-1/", bv: 1000, n: "in1", v: 5, t: -10 },
      { bn: "m-2/", n: "in1", v: 6 },
    ];

    expect(readSenml(pack, now)).toMatchObject([
      { device: "m-1", reading: { at: now - 10, values: { in1: 1005 } } },
      { device: "m-2", reading: { at: null, values: { in1: 1006 } } },
    ]);
  });

  it("reports values that cannot be decoded", () => {
    const pack = [
      { bn: "m-1/", n: "in1", v: 5 },
      { n: "colour", v: 1 },
      { n: "status_code", vs: "ok" },
    ];

    expect(readSenml(pack, now)).toMatchObject([{ unknown: ["colour", "status_code"] }]);
  });

  it.each([
    ["an object", {}, "unexpected"],
    ["a record that is none", [5], "unexpected"],
    ["a name without a value", [{ n: "x" }], "unexpected"],
    ["a record of nothing", [{ n: "a/in1", v: 1 }, {}], "unexpected"],
    ["bases and no value", [{ bn: "a/" }], "unexpected"],
    ["no device in a name", [{ n: "in1", v: 1 }], "unexpected"],
    ["signs a name must not have", [{ n: "a b/in1", v: 1 }], "unexpected"],
    ["a value that is no number", [{ n: "a/in1", v: "five" }], "unexpected"],
    ["a time beyond the calendar", [{ n: "a/in1", v: 1, t: 1e300 }], "unexpected"],
    ["a newer version", [{ bver: 11, n: "a/in1", v: 1 }], "unsupported"],
    ["a label that must be understood", [{ n: "a/in1", v: 1, colour_: 1 }], "unsupported"],
  ])("with %s is refused", (_, pack, kind) => {
    expect(() => readSenml(pack, now)).toThrow(expect.objectContaining({ name: "ProtocolError", kind }));
  });

  it("of the simulator reads back as it was built", () => {
    const values = fc.dictionary(
      fc.constantFrom("in1", "voltage1", "temperature", "power_a_plus"),
      // JSON has one zero only.
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
      { minKeys: 1, noNullPrototype: true },
    );
    fc.assert(
      fc.property(values, fc.integer({ min: 2 ** 28, max: 4_000_000_000 }), (given, at) => {
        const reading = { msgType: 1, at, values: given } as const;
        expect(readSenml(parseJson(buildSenml({ device, reading })), now)).toMatchObject([
          { device, reading },
        ]);
      }),
    );
  });
});

describe("a unit", () => {
  it.each([
    [1, "Wh", "kWh", 0.001],
    [3.6e6, "J", "kWh", 1],
    [1, "kWh", "GJ", 0.0036],
    [4.1868e9, "J", "Gcal", 1],
    [250, "l", "m3", 0.25],
    [1, "m3/s", "m3PerHour", 3600],
    [0.5, "/", "percent", 50],
    [300, "K", "celsius", 26.85],
    [-100, "dBW", "dBm", -70],
    [100_000, "Pa", "bar", 1],
    [7, "", "V", 7],
  ] as const)("%d %s in %s is %d", (value, unit, wanted, expected) => {
    expect(fromSenmlUnit(value, unit, { name: "in1", unit: wanted })).toBeCloseTo(expected, 9);
  });

  it("that cannot be converted to that of the field gives no value", () => {
    expect(fromSenmlUnit(1, "V", { name: "current1", unit: "A" })).toBeUndefined();
    expect(fromSenmlUnit(1, "toString", { name: "current1", unit: "A" })).toBeUndefined();
  });

  it("in which the value overflows is refused with the name of the field", () => {
    const field = { name: "in1", unit: "m3PerHour" } as const;

    expect(fromSenmlUnit(1e300, "m3/s", field)).toBeGreaterThan(1e303);
    expect(() => fromSenmlUnit(1e308, "m3/s", field)).toThrow(
      expect.objectContaining({ kind: "unexpected", message: "in1 is too large" }),
    );
  });
});
