import type { UnitKey } from "./units.ts";

/** Unit of a pulse count, converted to a reading with weight and start of the device. */
export const pulses = "pulses";

/** Conversion factors to vocabulary units. Heat: 1 Gcal = 4.1868 GJ (international calorie). */
const factors: Readonly<Partial<Record<UnitKey, Readonly<Record<string, number>>>>> = {
  m3: { L: 1e-3, dm3: 1e-3, ft3: 0.028316846592 },
  m3PerHour: { "L/h": 1e-3, "L/min": 0.06, "L/s": 3.6 },
  t: { kg: 1e-3 },
  kWh: { Wh: 1e-3, MWh: 1e3, MJ: 1 / 3.6, GJ: 1e3 / 3.6 },
  kvarh: { varh: 1e-3, Mvarh: 1e3 },
  kW: { W: 1e-3, MW: 1e3 },
  kvar: { var: 1e-3 },
  kVA: { VA: 1e-3 },
  V: { mV: 1e-3, kV: 1e3 },
  A: { mA: 1e-3 },
  Gcal: { GJ: 1 / 4.1868, MJ: 1e-3 / 4.1868, kWh: 3.6e-3 / 4.1868, MWh: 3.6 / 4.1868 },
  GcalPerHour: { kW: 3.6e-3 / 4.1868, MW: 3.6 / 4.1868 },
  bar: { Pa: 1e-5, hPa: 1e-3, kPa: 1e-2, MPa: 10, mbar: 1e-3, psi: 0.0689475729 },
  percent: { fraction: 100 },
  hour: { s: 1 / 3600, min: 1 / 60, day: 24 },
  second: { ms: 1e-3, min: 60 },
};

/** Further units in which a value of this unit may be received. */
export function otherUnits(unit: UnitKey): readonly string[] {
  return Object.keys(factors[unit] ?? {});
}

/** Factor from a unit to that of the key; "" and the key itself are 1; undefined for incompatible units. */
export function factorOf(from: string, unit: UnitKey): number | undefined {
  if (from === "" || from === unit) return 1;
  const known = factors[unit] ?? {};
  return Object.hasOwn(known, from) ? known[from] : undefined;
}
