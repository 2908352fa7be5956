import type { Responder } from "../../core/conversation.ts";
import type { DeviceAddress, MeterState } from "../../core/driver.ts";
import type { TakeOrder } from "../../core/orders.ts";
import type { Authentication, DlmsOptions } from "../options.ts";
import type { Manners } from "../responder/meter.ts";
import { dlmsResponder } from "../responder/responder.ts";

export const now = Date.UTC(2026, 10, 20, 12, 10) / 1000;
export const day = 86_400;
export const device: DeviceAddress = {
  insideAddr: "17",
  deviceID: "41200042",
  password: "Gurux",
  keys: {
    encryption: "000102030405060708090a0b0c0d0e0f",
    authentication: "d0d1d2d3d4d5d6d7d8d9dadbdcdddedf",
  },
};

/** 2 kW, 0.5 kvar, counted since an origin. */
export const stateAt =
  (at: number): MeterState =>
  (field) => {
    const hours = (at - Date.UTC(2026, 0, 1) / 1000) / 3600;
    const shown: Record<string, number> = {
      tariff0: 2 * hours,
      tariff1: 1.5 * hours,
      tariff_reactive0: 0.5 * hours,
      power_active: 2,
      voltage1: 231.4,
      current1: 8.75,
      Frequency: 50.02,
    };
    return shown[field] ?? 0;
  };

export const authentications = {
  none: { kind: "none" },
  lls: { kind: "lls" },
  gmac: { kind: "gmac", counter: { obis: "0.0.43.1.0.255", client: 16 } },
} as const satisfies Record<string, Authentication>;

export function options(changes: Partial<DlmsOptions> = {}): DlmsOptions {
  return {
    transport: "hdlc",
    client: 32,
    authentication: authentications.lls,
    server: { logical: 1, bytes: 4, physical: "insideAddr" },
    resource: "electricity",
    registers: [
      { msgType: 1, obis: "1.0.1.8.0.255", field: "tariff0" },
      { msgType: 1, obis: "1.0.1.8.1.255", field: "tariff1" },
      { msgType: 1, obis: "1.0.3.8.0.255", field: "tariff_reactive0", classId: 4 },
      { msgType: 2, obis: "1.0.1.7.0.255", field: "power_active" },
      { msgType: 2, obis: "1.0.32.7.0.255", field: "voltage1" },
      { msgType: 2, obis: "1.0.31.7.0.255", field: "current1", classId: 5 },
      { msgType: 2, obis: "1.0.14.7.0.255", field: "Frequency" },
    ],
    profiles: [
      {
        msgType: 5,
        obis: "1.0.99.1.0.255",
        columns: [{ obis: "1.0.1.4.0.255", field: "power_a_plus" }],
        period: "asked",
        rowsAtOnce: 40,
      },
      {
        msgType: 101,
        obis: "1.0.98.2.0.255",
        columns: [{ obis: "1.0.1.8.0.255", field: "tariff0" }],
        period: day,
      },
    ],
    journals: [
      { obis: "0.0.99.98.2.255", name: "power" },
      { obis: "0.0.99.98.4.255", name: "external", byEntry: 2 },
    ],
    clock: { utcOffsetMinutes: 480 },
    ...changes,
  };
}

export function aMeter(
  of: DlmsOptions,
  manners: Manners = {},
  own: DeviceAddress = device,
  takeOrder?: TakeOrder,
): Responder {
  return dlmsResponder({
    options: of,
    device: own,
    state: stateAt(now),
    now: () => now,
    history: stateAt,
    manners,
    takeOrder,
  });
}

export const shown = {
  counters: { tariff0: 15_528.333, tariff1: 11_646.25, tariff_reactive0: 3882.083 },
  moments: { power_active: 2, voltage1: 231.4, current1: 8.75, Frequency: 50.02 },
};
export const expectNow = [
  { msgType: 1, at: null, meterAt: now, values: shown.counters },
  { msgType: 2, at: null, meterAt: now, values: shown.moments },
];
export const yesterday = {
  kind: "archive",
  msgType: 5,
  from: now - (now % day) - day,
  to: now - (now % day),
} as const;
