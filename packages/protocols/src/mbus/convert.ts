import type { UnitKey } from "@metrum/vocabulary";

type Kind =
  | "energy"
  | "reactiveEnergy"
  | "power"
  | "reactivePower"
  | "apparentPower"
  | "volume"
  | "flow"
  | "mass"
  | "temperature"
  | "difference"
  | "pressure"
  | "duration"
  | "voltage"
  | "current"
  | "frequency"
  | "angle"
  | "share"
  | "level";

type Scale = readonly [kind: Kind, factor: number];

const hour = 3600;
const gallon = 0.003785411784;
/** Heat meters count the international calorie: 1 Gcal = 1163 kWh. */
const gigacalorieWh = 1.163e6;

/** Units of records, by kind and size in the base unit of the kind. */
const recordUnits: Readonly<Record<string, Scale>> = {
  Wh: ["energy", 1],
  J: ["energy", 1 / hour],
  cal: ["energy", gigacalorieWh / 1e9],
  varh: ["reactiveEnergy", 1],
  W: ["power", 1],
  "J/h": ["power", 1 / hour],
  var: ["reactivePower", 1],
  VA: ["apparentPower", 1],
  "m^3": ["volume", 1],
  "ft^3": ["volume", 0.028316846592],
  gal: ["volume", gallon],
  "m^3/h": ["flow", 1],
  "m^3/min": ["flow", 60],
  "m^3/s": ["flow", hour],
  "gal/min": ["flow", gallon * 60],
  "gal/h": ["flow", gallon],
  kg: ["mass", 1],
  "°C": ["temperature", 1],
  K: ["difference", 1],
  bar: ["pressure", 1],
  s: ["duration", 1],
  min: ["duration", 60],
  h: ["duration", hour],
  d: ["duration", 24 * hour],
  V: ["voltage", 1],
  A: ["current", 1],
  Hz: ["frequency", 1],
  "°": ["angle", 1],
  "%": ["share", 1],
  dBm: ["level", 1],
  // Units of the fixed data structure that are not base units.
  kWh: ["energy", 1e3],
  MWh: ["energy", 1e6],
  kJ: ["energy", 1e3 / hour],
  MJ: ["energy", 1e6 / hour],
  GJ: ["energy", 1e9 / hour],
  kW: ["power", 1e3],
  MW: ["power", 1e6],
  ml: ["volume", 1e-6],
  l: ["volume", 1e-3],
  "ml/h": ["flow", 1e-6],
  "l/h": ["flow", 1e-3],
};

/** Units of the vocabulary, in the same base units. */
const fieldUnits: Readonly<Partial<Record<UnitKey, Scale>>> = {
  kWh: ["energy", 1e3],
  GJ: ["energy", 1e9 / hour],
  Gcal: ["energy", gigacalorieWh],
  kvarh: ["reactiveEnergy", 1e3],
  kW: ["power", 1e3],
  GcalPerHour: ["power", gigacalorieWh],
  kvar: ["reactivePower", 1e3],
  kVA: ["apparentPower", 1e3],
  m3: ["volume", 1],
  m3PerHour: ["flow", 1],
  t: ["mass", 1e3],
  celsius: ["temperature", 1],
  kelvin: ["difference", 1],
  bar: ["pressure", 1],
  hour: ["duration", hour],
  second: ["duration", 1],
  V: ["voltage", 1],
  A: ["current", 1],
  Hz: ["frequency", 1],
  degree: ["angle", 1],
  percent: ["share", 1],
  dBm: ["level", 1],
};

/** Records without a unit (texts, counts): the model defines their meaning. */
const isUnitless = (unit: string): boolean => unit === "" || unit === "-" || unit === "Units for H.C.A.";

/**
 * Number of vocabulary units in one unit of a record; undefined when the two measure different things.
 * Source: SI; 1 Gcal = 1.163 MWh (international calorie, EN 1434 meters). Errors: none.
 */
export function unitRatio(recordUnit: string, fieldUnit: UnitKey): number | undefined {
  if (isUnitless(recordUnit)) return 1;
  const from = recordUnits[recordUnit];
  const to = fieldUnits[fieldUnit];
  return from === undefined || to === undefined || from[0] !== to[0] ? undefined : from[1] / to[1];
}
