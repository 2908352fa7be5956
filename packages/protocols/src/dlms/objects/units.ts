import { withoutNoise, type UnitKey } from "@metrum/vocabulary";
import { finite } from "../../core/finite.ts";

/** Decimal exponent and unit code, as attribute 3 of a register gives them. */
export interface ScalerUnit {
  readonly scaler: number;
  readonly unit: number;
}

type Kind =
  | "time"
  | "angle"
  | "temperature"
  | "difference"
  | "volume"
  | "flow"
  | "mass"
  | "pressure"
  | "energy"
  | "power"
  | "apparentPower"
  | "reactivePower"
  | "reactiveEnergy"
  | "current"
  | "voltage"
  | "frequency"
  | "share"
  | "level"
  | "count";
type Scale = readonly [symbol: string, kind: Kind | null, factor: number];

const hour = 3600;

/**
 * Unit codes of the Blue Book, 4.3.2 (table of physical units), with their size in the base unit of the kind.
 */
const codes: Readonly<Record<number, Scale>> = {
  4: ["d", "time", 86_400],
  5: ["h", "time", hour],
  6: ["min", "time", 60],
  7: ["s", "time", 1],
  8: ["°", "angle", 1],
  9: ["°C", "temperature", 1],
  13: ["m3", "volume", 1],
  14: ["m3", "volume", 1],
  15: ["m3/h", "flow", 1],
  16: ["m3/h", "flow", 1],
  17: ["m3/d", "flow", 1 / 24],
  18: ["m3/d", "flow", 1 / 24],
  19: ["l", "volume", 1e-3],
  20: ["kg", "mass", 1],
  23: ["Pa", "pressure", 1e-5],
  24: ["bar", "pressure", 1],
  25: ["J", "energy", 1 / hour],
  26: ["J/h", "power", 1 / hour],
  27: ["W", "power", 1],
  28: ["VA", "apparentPower", 1],
  29: ["var", "reactivePower", 1],
  30: ["Wh", "energy", 1],
  31: ["VAh", null, 1],
  32: ["varh", "reactiveEnergy", 1],
  33: ["A", "current", 1],
  35: ["V", "voltage", 1],
  44: ["Hz", "frequency", 1],
  52: ["K", "difference", 1],
  56: ["%", "share", 1],
  70: ["dBm", "level", 1],
  255: ["", "count", 1],
};

/** 1 Gcal = 1.163 MWh, the international calorie of heat meters. */
const gigacalorieWh = 1.163e6;

const fieldUnits: Readonly<Partial<Record<UnitKey, readonly [Kind, number]>>> = {
  none: ["count", 1],
  kWh: ["energy", 1e3],
  Gcal: ["energy", gigacalorieWh],
  GJ: ["energy", 1e9 / hour],
  kvarh: ["reactiveEnergy", 1e3],
  kW: ["power", 1e3],
  GcalPerHour: ["power", gigacalorieWh],
  kvar: ["reactivePower", 1e3],
  kVA: ["apparentPower", 1e3],
  V: ["voltage", 1],
  A: ["current", 1],
  Hz: ["frequency", 1],
  degree: ["angle", 1],
  percent: ["share", 1],
  m3: ["volume", 1],
  m3PerHour: ["flow", 1],
  t: ["mass", 1e3],
  celsius: ["temperature", 1],
  kelvin: ["difference", 1],
  bar: ["pressure", 1],
  hour: ["time", hour],
  second: ["time", 1],
  dBm: ["level", 1],
};

/** Energies whose interval value becomes an average power: divided by the length of the interval. */
const powerOf: Readonly<Partial<Record<Kind, Kind>>> = { energy: "power", reactiveEnergy: "reactivePower" };

/** Whether a value of one kind is one of another: differences of temperature may be in °C, temperatures not in K. */
const isOfKind = (kind: Kind, wanted: Kind): boolean =>
  kind === wanted || (kind === "temperature" && wanted === "difference");

/** Symbol of a unit code; empty for a plain number, "unit 31" style for a code that is not in the table. */
export const unitSymbol = (code: number): string => codes[code]?.[0] ?? `unit ${String(code)}`;

/**
 * Vocabulary units in one raw step of a value; undefined when value and field measure different things.
 * Source: Blue Book 4.3.2. An energy of an interval becomes its mean power when `periodSec` is given and the
 * field is a power. A plain number (255) fits any field: the model says what it is. Errors: none.
 */
export function unitRatio(
  { scaler, unit }: ScalerUnit,
  fieldUnit: UnitKey,
  periodSec?: number,
): number | undefined {
  const [, kind, factor] = codes[unit] ?? ["", null, 1];
  const to = fieldUnits[fieldUnit];
  const step = 10 ** scaler;
  if (kind === "count" || (to?.[0] === "count" && kind === null)) return step;
  if (kind === null || to === undefined) return undefined;
  if (isOfKind(kind, to[0])) return (step * factor) / to[1];
  return powerOf[kind] === to[0] && periodSec !== undefined && periodSec > 0
    ? (step * factor * hour) / periodSec / to[1]
    : undefined;
}

/**
 * A raw value in the unit of its field. Errors: ProtocolError "unexpected" that names the field, when a float
 * and its scaler make it infinite.
 */
export const inUnitOf = (field: string, raw: number, ratio: number): number =>
  finite(withoutNoise(raw * ratio), field);
