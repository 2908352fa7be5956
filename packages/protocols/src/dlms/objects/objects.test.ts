import { expect, it } from "vitest";
import { fromHex } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";
import { serverAddress, clientTitle } from "../options.ts";
import type { DlmsData } from "../types.ts";
import { instantData, instantOf } from "./clock.ts";
import { sameType } from "./control.ts";
import { rowsOf, type ProfileLayout } from "./profile.ts";
import { unitRatio } from "./units.ts";
import { accessError } from "./values.ts";

const octets = (hex: string): DlmsData => ({ type: "octets", value: fromHex(hex) });
const noonUtc = Date.UTC(2026, 10, 20, 12) / 1000;

it("a clock is read with its deviation, with one of the wrong sign, and by the zone of the model with summer time", () => {
  const right = octets("07ea0b14050e0000 00 ff88 00");
  const wrong = octets("07ea0b14050e0000 00 0078 00");
  const local = octets("07ea0b14050e0000 00 8000 00");
  const summer = octets("07ea0b14050f0000 00 8000 80");
  const clock = { utcOffsetMinutes: 120 };

  expect(instantOf(right, clock)).toBe(noonUtc);
  expect(instantOf(wrong, { ...clock, isDeviationReversed: true })).toBe(noonUtc);
  expect(instantOf(wrong, { ...clock, isDeviationIgnored: true })).toBe(noonUtc);
  expect(instantOf(local, clock)).toBe(noonUtc);
  expect(instantOf(summer, clock)).toBe(noonUtc);
  expect(instantOf(octets("07ea0b14050e0000 00 8000 01"), clock)).toBeNull();
  for (const options of [
    clock,
    { ...clock, isDeviationReversed: true },
    { ...clock, isDeviationIgnored: true },
  ])
    expect(instantOf(instantData(noonUtc, options), options)).toBe(noonUtc);
});

it("null-data in a row repeats the row before, one period later; a row of another shape is an error", () => {
  const captures = [
    { classId: 8, obis: "0.0.1.0.0.255", attribute: 2, index: 0 },
    { classId: 3, obis: "1.0.1.8.0.255", attribute: 2, index: 0 },
  ];
  const columns = [{ at: 1, field: "tariff0", ratio: 0.001 }] as const;
  const layout: ProfileLayout = { captures, clockAt: 0, periodSec: 1800, isMonthly: false, columns };
  const clock = { utcOffsetMinutes: 0 };
  const row = (...items: DlmsData[]): DlmsData => ({ type: "structure", items });
  const nothing: DlmsData = { type: "null" };
  const first = row(instantData(noonUtc, clock), { type: "uint32", value: 5000 });
  const buffer = [
    row(nothing, nothing),
    first,
    row(nothing, nothing),
    row(nothing, { type: "uint32", value: 6000 }),
  ];

  expect(rowsOf(buffer, layout, clock)).toEqual([
    { stamp: noonUtc, values: { tariff0: 5 } },
    { stamp: noonUtc + 1800, values: { tariff0: 5 } },
    { stamp: noonUtc + 3600, values: { tariff0: 6 } },
  ]);
  expect(() => rowsOf([first, row(nothing)], layout, clock)).toThrow(ProtocolError);
});

it("units are converted, energy of an interval to its average power, and mismatches are reported", () => {
  expect(unitRatio({ scaler: 0, unit: 30 }, "kWh")).toBe(0.001);
  expect(unitRatio({ scaler: 3, unit: 27 }, "kW")).toBe(1);
  expect(unitRatio({ scaler: 0, unit: 30 }, "kW", 1800)).toBe(0.002);
  expect(unitRatio({ scaler: 0, unit: 30 }, "kW")).toBeUndefined();
  expect(unitRatio({ scaler: 0, unit: 33 }, "V")).toBeUndefined();
  expect(() => sameType({ type: "uint16", value: 1 }, 70_000)).toThrow(ProtocolError);
});

it("a float that its scaler makes infinite is refused with the name of the field", () => {
  const captures = [
    { classId: 8, obis: "0.0.1.0.0.255", attribute: 2, index: 0 },
    { classId: 3, obis: "1.0.1.8.0.255", attribute: 2, index: 0 },
  ];
  const columns = [
    { at: 1, field: "tariff0", ratio: unitRatio({ scaler: 127, unit: 30 }, "kWh") ?? 0 },
  ] as const;
  const layout: ProfileLayout = { captures, clockAt: 0, periodSec: 1800, isMonthly: false, columns };
  const clock = { utcOffsetMinutes: 0 };
  const row = (value: number): DlmsData => ({
    type: "structure",
    items: [instantData(noonUtc, clock), { type: "float64", value }],
  });

  expect(rowsOf([row(2)], layout, clock)).toEqual([{ stamp: noonUtc, values: { tariff0: 2e124 } }]);
  expect(() => rowsOf([row(1e300)], layout, clock)).toThrow(
    expect.objectContaining({ name: "ProtocolError", message: "tariff0 is too large" }),
  );
});

it("addresses follow the rule of the family, and devices that share a key do not share a title", () => {
  const device = { insideAddr: "17", deviceID: "41 200 042" };

  expect(serverAddress({ logical: 1, bytes: 4, physical: "serial" }, device)).toEqual({
    upper: 1,
    lower: 1042,
    bytes: 4,
  });
  expect(serverAddress({ logical: 1, bytes: 2, physical: "insideAddr" }, device)).toEqual({
    upper: 1,
    lower: 17,
    bytes: 2,
  });
  expect(serverAddress({ logical: 1, bytes: 1, physical: "none" }, device)).toEqual({
    upper: 1,
    lower: null,
    bytes: 1,
  });
  expect(() => serverAddress({ logical: 1, bytes: 2, physical: "serial" }, device)).toThrow(ProtocolError);
  expect(clientTitle("41200042")).toHaveLength(8);
  expect(clientTitle("41200042")).not.toEqual(clientTitle("41200043"));
});

it("POLL-023 a temporary failure is a device that is busy, and no other refusal is", () => {
  expect(accessError(2, "clock")).toMatchObject({ kind: "refused", detail: 2, isBusy: true });
  for (const code of [1, 3, 4, 250]) expect(accessError(code, "clock").isBusy).toBe(false);
});
