import { describe, expect, it } from "vitest";
import type { UnitKey } from "@metrum/vocabulary";
import { buildSenml, readSenml } from "./senml.ts";
import { fromSenmlUnit } from "./units.ts";

const now = 1_795_250_000;
const refusal = (path: string, wanted: string, more: object = {}) =>
  expect.objectContaining({
    name: "ProtocolError",
    kind: "unexpected",
    field: expect.objectContaining({ path, wanted, ...more }) as object,
  }) as Error;

describe("a pack", () => {
  const one = (record: object) => readSenml([{ n: "m-1/in1", v: 1, ...record }], now)[0];

  it.each([
    [268_435_455, now + 268_435_455],
    [268_435_456, 268_435_456],
    [-1.5, now - 2],
    [0.9, now],
    [253_402_300_799, 253_402_300_799],
    [0, null],
  ])("with the time %d is of %j: below 2^28 it is relative to now", (t, at) => {
    expect(one({ t })?.reading.at).toBe(at);
  });

  it.each([253_402_300_800, -now - 1])("with the time %d is refused", (t) => {
    expect(() => one({ t })).toThrow(
      refusal("[0].t", "whole", { params: { least: 0, most: 253_402_300_799 } }),
    );
  });

  it("has bases that hold from their record on, until the next ones", () => {
    const pack = [
      { bn: "m-1/", bt: now, bu: "l", bv: 10 },
      { n: "in1", v: 1 },
      { bt: now + 5, bv: 20 },
      { n: "in1", v: 1, t: 1 },
      { bn: "m-2/", bu: "" },
      { n: "in1", v: 1, t: 1, s: 5 },
    ];

    expect(readSenml(pack, now)).toEqual([
      {
        device: "m-1",
        reading: { msgType: 1, at: now, values: { in1: 11 } },
        units: { in1: "l" },
        unknown: [],
      },
      {
        device: "m-1",
        reading: { msgType: 1, at: now + 6, values: { in1: 21 } },
        units: { in1: "l" },
        unknown: [],
      },
      { device: "m-2", reading: { msgType: 1, at: now + 6, values: { in1: 21 } }, units: {}, unknown: [] },
    ]);
  });

  it.each([
    ["urn:dev:mac:0024befffe804ff1:in1", "0024befffe804ff1"],
    ["URN:DEV:ow:10e2073a0108006:in1", "10e2073a0108006"],
    ["a/b/in1", "a/b"],
    ["a:b.c-d/in1", "a:b.c-d"],
    ["7:in1", "7"],
  ])("with the name %s is of device %s", (n, device) => {
    expect(readSenml([{ n, v: 1 }], now)[0]).toMatchObject({ device, reading: { values: { in1: 1 } } });
  });

  it.each(["in1", "/in1", "-a/in1", "a b/in1", "urn:dev:mac:/in1", "a/", "", "a/in 1"])(
    "with the name %j is refused",
    (n) => {
      expect(() => readSenml([{ n, v: 1 }], now)).toThrow(refusal("[0].n", "device_and_field"));
    },
  );

  it.each(["vs", "vb", "vd", "s"])("has no number in %s", (label) => {
    const value = { vs: "x", vb: true, vd: "eA", s: 5 }[label];

    expect(readSenml([{ n: "a/in1", [label]: value }], now)[0]).toMatchObject({
      reading: { values: {} },
      unknown: ["in1"],
    });
  });

  it.each(["bn", "bt", "bu", "bv", "bs", "bver"])("may begin with a record of %s alone", (label) => {
    const value = { bn: "x/", bt: now, bu: "V", bv: 1, bs: 1, bver: 10 }[label];

    expect(readSenml([{ [label]: value }, { bn: "a/", n: "in1", v: 1 }], now)).toHaveLength(1);
  });

  it.each([
    [[{ bn: "a/", n: "in1" }], "[0].v", "given"],
    [[{ n: "a/in1", v: 1 }, { u: "V" }], "[1].v", "given"],
    [[{ n: "a/in1", v: 1 }, { bx: 1 }], "[1].v", "given"],
    [[{ n: "a/in1", v: 1 }, { bvers: 1 }], "[1].v", "given"],
    [[{ bn: "a/" }], "pack", "readings"],
    [[], "pack", "readings"],
    [{}, "pack", "list"],
    [[5], "[0].", "object"],
    [[{ n: "a/in1", v: "x" }], "[0].v", "number"],
    [[{ n: "a/in1", v: 1, u: 5 }], "[0].u", "text"],
    [[{ n: 5, v: 1 }], "[0].n", "text"],
    [[{ bn: 5 }], "[0].bn", "text"],
    [[{ bt: "x" }], "[0].bt", "number"],
    [[{ bu: 5 }], "[0].bu", "text"],
    [[{ bv: "x" }], "[0].bv", "number"],
  ] as const)("%j is refused: %s", (pack, path, wanted) => {
    expect(() => readSenml(pack, now)).toThrow(refusal(path, wanted));
  });

  it("may have 5000 records", () => {
    const pack = (records: number) => Array.from({ length: records }, () => ({ n: "a/in1", v: 1 }));

    expect(readSenml(pack(5000), now)).toHaveLength(1);
    expect(() => readSenml(pack(5001), now)).toThrow(refusal("pack", "few", { params: { most: 5000 } }));
  });

  it("of a version up to 10 is read, and no label that must be understood is passed over", () => {
    const unsupported = (path: string, wanted: string) =>
      expect.objectContaining({
        kind: "unsupported",
        field: expect.objectContaining({ path, wanted }) as object,
      }) as Error;

    expect(one({ bver: 10, colour: 1 })).toBeDefined();
    expect(() => one({ bver: 11 })).toThrow(unsupported("[0].bver", "whole"));
    expect(() => one({ bver: 11 })).toThrow(
      expect.objectContaining({
        field: expect.objectContaining({ params: { least: 1, most: 10 } }) as object,
      }) as Error,
    );
    expect(() => one({ colour_: 1 })).toThrow(unsupported("[0].colour_", "known"));
  });

  it("is built with the time, the units and the values that there are", () => {
    const reading = { msgType: 1, at: now, values: { in1: 5, battery: null, voltage1: 0 } } as const;
    const unitOf = (field: string) => (field === "in1" ? "l" : "");

    expect(JSON.parse(buildSenml({ device: "07", reading }, unitOf))).toEqual([
      { bn: "urn:dev:mac:07:", bt: now },
      { n: "in1", v: 5, u: "l" },
      { n: "voltage1", v: 0 },
    ]);
    expect(JSON.parse(buildSenml({ device: "07", reading: { ...reading, at: null } }))).toEqual([
      { bn: "urn:dev:mac:07:" },
      { n: "in1", v: 5 },
      { n: "voltage1", v: 0 },
    ]);
  });
});

/** What one of each unit is. Source: RFC 8428, section 12.1; RFC 8798, section 3. */
const ones: readonly (readonly [string, UnitKey, number])[] = [
  ["m3", "m3", 1],
  ["l", "m3", 0.001],
  ["m3/s", "m3PerHour", 3600],
  ["m3/h", "m3PerHour", 1],
  ["l/s", "m3PerHour", 3.6],
  ["J", "kWh", 1 / 3.6e6],
  ["J", "Gcal", 1 / 4.1868e9],
  ["J", "GJ", 1e-9],
  ["Wh", "kWh", 0.001],
  ["kWh", "kWh", 1],
  ["kWh", "Gcal", 3.6 / 4186.8],
  ["kWh", "GJ", 0.0036],
  ["W", "kW", 0.001],
  ["W", "GcalPerHour", 3600 / 4.1868e9],
  ["kW", "kW", 1],
  ["kW", "GcalPerHour", 3.6 / 4186.8],
  ["var", "kvar", 0.001],
  ["kvar", "kvar", 1],
  ["vars", "kvarh", 1 / 3.6e6],
  ["varh", "kvarh", 0.001],
  ["kvarh", "kvarh", 1],
  ["VA", "kVA", 0.001],
  ["kVA", "kVA", 1],
  ["V", "V", 1],
  ["mV", "V", 0.001],
  ["A", "A", 1],
  ["mA", "A", 0.001],
  ["Hz", "Hz", 1],
  ["rad", "degree", 57.295_779_513_082_32],
  ["deg", "degree", 1],
  ["%", "percent", 1],
  ["/", "percent", 100],
  ["/", "none", 1],
  ["%RH", "percent", 1],
  ["%EL", "percent", 1],
  ["Cel", "celsius", 1],
  ["Cel", "kelvin", 274.15],
  ["K", "kelvin", 1],
  ["K", "celsius", -272.15],
  ["Pa", "bar", 1e-5],
  ["kPa", "bar", 0.01],
  ["hPa", "bar", 0.001],
  ["s", "second", 1],
  ["s", "hour", 1 / 3600],
  ["min", "hour", 1 / 60],
  ["min", "second", 60],
  ["h", "hour", 1],
  ["h", "second", 3600],
  ["dB", "dB", 1],
  ["dBm", "dBm", 1],
  ["dBW", "dBm", 31],
  ["kg", "t", 0.001],
  ["kg/m3", "kgPerM3", 1],
];

describe("a unit", () => {
  it.each(ones)("one %s in %s", (unit, wanted, expected) => {
    const found = fromSenmlUnit(1, unit, { name: "in1", unit: wanted }) ?? Number.NaN;

    expect(found / expected).toBeCloseTo(1, 12);
  });

  it("is one of these, or that of the field", () => {
    for (const unit of new Set(ones.map(([each]) => each))) {
      const wanted = ones.filter(([each]) => each === unit).map(([, each]) => each);
      for (const [, other] of ones)
        expect(fromSenmlUnit(1, unit, { name: "in1", unit: other }) !== undefined).toBe(
          wanted.includes(other),
        );
    }
    expect(fromSenmlUnit(5, "", { name: "in1", unit: "m3" })).toBe(5);
    expect(fromSenmlUnit(5, "lm", { name: "in1", unit: "m3" })).toBeUndefined();
  });
});
