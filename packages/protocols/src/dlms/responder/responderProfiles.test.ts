import { fieldNames, fieldOf, type UnitKey } from "@metrum/vocabulary";
import { describe, expect, it } from "vitest";
import { instantData } from "../objects/clock.ts";
import type { ProfileTable } from "../objects/profile.ts";
import { meterTitle } from "./objects.ts";
import { rawOf, scaleOf } from "./scales.ts";
import { dlmsResponder } from "./responder.ts";
import { toHex } from "../../core/bytes.ts";
import { decodeApdu, encodeApdu } from "../apdu/apdu.ts";
import { device, now, options, stateAt } from "../testing/testMeter.ts";
import { aarq, attributeOf, connected, testInvoke as invoke } from "../testing/testServer.ts";
import type { Apdu, DlmsData } from "../types.ts";
import { encodeWrapper, parseWrapper } from "../link/wrapper.ts";

const uint = (value: number): DlmsData => ({ type: "uint32", value });
const rowsOf = (value: DlmsData | undefined) => (value && "items" in value ? value.items : []);
const clock = { utcOffsetMinutes: 180 };

/** Rows of a profile of a simulated meter whose clock is three hours east. */
function rows(table: Partial<ProfileTable>) {
  const profile: ProfileTable = {
    ...{ msgType: 101, obis: "1.0.98.2.0.255", columns: [{ obis: "1.0.1.8.0.255", field: "tariff0" }] },
    ...{ period: 3600, ...table },
  };
  const own = connected({ profiles: [profile], clock }, { maxPdu: 0xffff });
  return { own, key: (part: number) => `7 ${profile.obis} ${String(part)}` };
}
const columns: readonly DlmsData[] = [
  { type: "uint16", value: 1 },
  { type: "uint16", value: 0 },
];
const last = (count: number, of: ReturnType<typeof rows>) => {
  const inUse = of.own.read(of.key(7));
  const end = inUse?.type === "uint32" ? inUse.value : 0;
  const parameters: DlmsData = {
    type: "structure",
    items: [uint(end - count + 1), uint(0), ...columns],
  };
  const access = { selector: 2, parameters };
  return rowsOf(of.own.read(of.key(2), access)).map(rowsOf);
};
const stamp = (...utc: [number, number, number, number?]) => instantData(Date.UTC(...utc) / 1000, clock);

describe("rows of a simulated profile", () => {
  it("have the hours, days and months of the clock of the meter", () => {
    expect(last(2, rows({})).map(([time]) => time)).toEqual([
      stamp(2026, 10, 20, 11),
      stamp(2026, 10, 20, 12),
    ]);
    expect(last(2, rows({ period: 86_400 })).map(([time]) => time)).toEqual([
      ...[stamp(2026, 10, 18, 21), stamp(2026, 10, 19, 21)],
    ]);
    const months = rows({ msgType: 103, period: "month" });
    expect(last(2, months).map(([time]) => time)).toEqual([stamp(2026, 8, 30, 21), stamp(2026, 9, 31, 21)]);
    expect([months.own.read(months.key(4)), months.own.read(months.key(7))]).toEqual([uint(0), uint(36)]);
    const asked = rows({ period: "asked" });
    expect(asked.own.read(asked.key(4))).toEqual(uint(1800));
  });

  it("have the counters of their time, and the mean power of their interval", () => {
    const noon = Date.UTC(2026, 10, 20, 12) / 1000;
    const load = { msgType: 5, columns: [{ obis: "1.0.1.4.0.255", field: "power_a_plus" }] } as const;
    const counter = Math.round(stateAt(noon)("tariff0") * 1000);

    expect(last(1, rows({}))[0]?.[1]).toEqual(uint(counter));
    expect(last(1, rows(load))[0]?.[1]).toEqual(uint(2000));
    expect(last(1, rows({ ...load, stamp: "start" }))[0]?.[1]).toEqual(uint(2000));
    expect(last(1, rows({ ...load, period: 900, scalerProfile: "1.0.94.7.4.255" }))[0]?.[1]).toEqual(
      uint(500),
    );
  });

  it("are told in the scale of the counter, if their profile has one of scales", () => {
    const scaled = rows({
      ...{ msgType: 5, scalerProfile: "1.0.94.7.4.255" },
      columns: [
        { obis: "1.0.1.29.0.255", field: "power_a_plus" },
        { obis: "1.0.32.7.0.255", field: "voltage1" },
      ],
    });
    const scale = (scaler: number, unit: number): DlmsData => ({
      type: "structure",
      items: [
        { type: "int8", value: scaler },
        { type: "enum", value: unit },
      ],
    });

    expect(rowsOf(scaled.own.read("7 1.0.94.7.4.255 2"))).toEqual([
      { type: "structure", items: [scale(0, 30), scale(-1, 35)] },
    ]);
    expect(scaled.own.read("7 1.0.94.7.4.255 3")).toMatchObject({
      items: [
        { items: [{ value: 3 }, {}, { value: 3 }, { value: 0 }] },
        { items: [{}, {}, { value: 3 }, { value: 0 }] },
      ],
    });
    expect([4, 7, 8].map((part) => scaled.own.read(`7 1.0.94.7.4.255 ${String(part)}`))).toEqual(
      [0, 1, 1].map(uint),
    );
    expect(scaled.own.read("3 1.0.1.29.0.255 3")).toEqual(scale(0, 30));
  });

  it("are none of a meter without a past", () => {
    const own = dlmsResponder({
      ...{ options: options({ transport: "wrapper" }), device, state: stateAt(now), now: () => now },
    });
    const ask = (apdu: Apdu) => {
      const [reply] = own.receive(encodeWrapper({ source: 32, destination: 1, payload: encodeApdu(apdu) }));
      return reply && decodeApdu(parseWrapper(reply).payload);
    };
    const get = (part: number) =>
      ask({
        type: "getRequest",
        invoke,
        attribute: attributeOf(`7 1.0.99.1.0.255 ${String(part)}`),
        access: null,
      });
    ask(aarq());

    expect([get(2), get(7)]).toMatchObject([
      { result: { value: { type: "array", items: [] } } },
      { result: { value: uint(0) } },
    ]);
  });
});

describe("a register of a simulated meter", () => {
  it.each<[UnitKey, number, number]>([
    ["kWh", 0, 30],
    ["kvarh", 0, 32],
    ["kW", 0, 27],
    ["kvar", 0, 29],
    ["kVA", 0, 28],
    ["V", -1, 35],
    ["A", -3, 33],
    ["Hz", -2, 44],
    ["celsius", -1, 9],
    ["m3", -3, 13],
    ["m3PerHour", -3, 15],
    ["hour", 0, 5],
    ["second", 0, 7],
    ["degree", -1, 8],
    ["GcalPerHour", 0, 27],
    ["percent", 0, 56],
    ["bar", -3, 255],
    ["none", -3, 255],
  ])("of a field in %s has the scale %i and the unit %i", (unit, scaler, code) => {
    const field = fieldNames.find((name) => fieldOf(name, "electricity").unit === unit);

    expect(field && scaleOf(field, "electricity")).toEqual({ scaler, unit: code });
    const own = { scaler: 7, unit: 1 };
    expect(field && scaleOf(field, "electricity", own)).toBe(own);
  });

  it("of heat is in joules", () => {
    expect(scaleOf("tariff1", "heat")).toEqual({ scaler: 6, unit: 25 });
  });

  it.each<[number, DlmsData]>([
    [0, uint(0)],
    [231.44, uint(2314)],
    [231.45, uint(2315)],
    [429_496_729.5, uint(0xffff_ffff)],
    [429_496_729.6, { type: "int64", value: 0x1_0000_0000n }],
    [-0.1, { type: "int32", value: -1 }],
    [-214_748_364.8, { type: "int32", value: -0x8000_0000 }],
    [-214_748_364.9, { type: "int64", value: -0x8000_0001n }],
    [Number.NaN, { type: "null" }],
    [Number.POSITIVE_INFINITY, { type: "null" }],
  ])("keeps %d as %o", (value, kept) => {
    const of = { field: "voltage1", resource: "electricity", scale: { scaler: -1, unit: 35 } } as const;

    expect(rawOf(value, of)).toEqual(kept);
  });

  it("keeps a power as the energy of an interval, and a number whose unit it does not know", () => {
    const of = { field: "power_a_plus", resource: "electricity", scale: { scaler: 0, unit: 30 } } as const;

    expect(rawOf(2, { ...of, periodSec: 1800 })).toEqual(uint(1000));
    expect(rawOf(2, { ...of, scale: { scaler: 0, unit: 35 } })).toEqual(uint(2));
  });

  it("of a long number is named by its last 13 digits", () => {
    const own = dlmsResponder({
      ...{ options: options({ transport: "wrapper" }), device: { ...device, deviceID: "1234567890123456" } },
      ...{ state: stateAt(now), now: () => now },
    });
    const ask = (apdu: Apdu) => {
      const [reply] = own.receive(encodeWrapper({ source: 32, destination: 1, payload: encodeApdu(apdu) }));
      return reply && decodeApdu(parseWrapper(reply).payload);
    };
    ask(aarq());

    expect(
      ask({ type: "getRequest", invoke, attribute: attributeOf("1 0.0.42.0.0.255 2"), access: null }),
    ).toMatchObject({ result: { value: { value: new TextEncoder().encode("MTR4567890123456") } } });
  });

  it.each([
    ["41200042", "53494d000274a9aa"],
    ["A12-B3", "53494d000000007b"],
    ["1234567890", "53494d000dfb38d2"],
    ["none", "53494d0000000000"],
  ])("of the number %s has the title %s", (deviceID, title) => {
    expect(toHex(meterTitle(deviceID))).toBe(title);
  });
});
