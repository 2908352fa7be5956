import type { UnitKey } from "@metrum/vocabulary";
import { finite } from "../core/finite.ts";

/** Conversion of a SenML unit: value x factor + offset. */
interface Way {
  readonly to: UnitKey;
  readonly factor: number;
  readonly offset?: number;
}

const of = (to: UnitKey, factor = 1, offset = 0): Way => ({ to, factor, offset });

/** One kWh in joules, one GJ in Gcal (the international table calorie, 4.1868 J). */
const joules = 3_600_000;
const gcal = 4.1868e9;

/**
 * SenML units and the vocabulary units into which they can be converted. Source: RFC 8428, section 12.1, and
 * RFC 8798, section 3 (secondary units); only those used by a field.
 */
const ways: Readonly<Record<string, readonly Way[]>> = {
  m3: [of("m3")],
  l: [of("m3", 1e-3)],
  "m3/s": [of("m3PerHour", 3600)],
  "m3/h": [of("m3PerHour")],
  "l/s": [of("m3PerHour", 3.6)],
  J: [of("kWh", 1 / joules), of("Gcal", 1 / gcal), of("GJ", 1e-9)],
  Wh: [of("kWh", 1e-3)],
  kWh: [of("kWh"), of("Gcal", joules / gcal), of("GJ", 3.6e-3)],
  W: [of("kW", 1e-3), of("GcalPerHour", 3600 / gcal)],
  kW: [of("kW"), of("GcalPerHour", 3.6e6 / gcal)],
  var: [of("kvar", 1e-3)],
  kvar: [of("kvar")],
  vars: [of("kvarh", 1 / joules)],
  varh: [of("kvarh", 1e-3)],
  kvarh: [of("kvarh")],
  VA: [of("kVA", 1e-3)],
  kVA: [of("kVA")],
  V: [of("V")],
  mV: [of("V", 1e-3)],
  A: [of("A")],
  mA: [of("A", 1e-3)],
  Hz: [of("Hz")],
  rad: [of("degree", 180 / Math.PI)],
  deg: [of("degree")],
  "%": [of("percent")],
  "/": [of("percent", 100), of("none")],
  "%RH": [of("percent")],
  "%EL": [of("percent")],
  Cel: [of("celsius"), of("kelvin", 1, 273.15)],
  K: [of("kelvin"), of("celsius", 1, -273.15)],
  Pa: [of("bar", 1e-5)],
  kPa: [of("bar", 1e-2)],
  hPa: [of("bar", 1e-3)],
  s: [of("second"), of("hour", 1 / 3600)],
  min: [of("hour", 1 / 60), of("second", 60)],
  h: [of("hour"), of("second", 3600)],
  dB: [of("dB")],
  dBm: [of("dBm")],
  dBW: [of("dBm", 1, 30)],
  kg: [of("t", 1e-3)],
  "kg/m3": [of("kgPerM3")],
};

/** The target field of a value, and its unit. */
export interface SenmlTarget {
  readonly name: string;
  readonly unit: UnitKey;
}

/**
 * A value in the unit of its field; undefined when the SenML unit cannot be converted. An empty unit is that
 * of the field. Errors: ProtocolError "unexpected" that names the field, when the value is too large in that
 * unit.
 */
export function fromSenmlUnit(value: number, unit: string, field: SenmlTarget): number | undefined {
  if (unit === "") return value;
  const way = Object.hasOwn(ways, unit) ? ways[unit]?.find(({ to }) => to === field.unit) : undefined;
  return way && finite(value * way.factor + (way.offset ?? 0), field.name);
}
