import { fieldOf, type FieldName, type ResourceKey, type UnitKey } from "@metrum/vocabulary";

const gigacalorieKwh = 1163;

/** Size of a unit as meters write it, in the base of its kind; the case of letters does not count. */
const written: Readonly<Record<string, readonly [kind: string, size: number]>> = {
  wh: ["energy", 0.001],
  kwh: ["energy", 1],
  mwh: ["energy", 1000],
  gj: ["energy", 1000 / 3.6],
  mj: ["energy", 1 / 3.6],
  gcal: ["energy", gigacalorieKwh],
  varh: ["reactive energy", 0.001],
  kvarh: ["reactive energy", 1],
  mvarh: ["reactive energy", 1000],
  w: ["power", 0.001],
  kw: ["power", 1],
  mw: ["power", 1000],
  var: ["reactive power", 0.001],
  kvar: ["reactive power", 1],
  mvar: ["reactive power", 1000],
  va: ["apparent power", 0.001],
  kva: ["apparent power", 1],
  mva: ["apparent power", 1000],
  v: ["voltage", 1],
  mv: ["voltage", 0.001],
  kv: ["voltage", 1000],
  a: ["current", 1],
  ma: ["current", 0.001],
  ka: ["current", 1000],
  hz: ["frequency", 1],
  khz: ["frequency", 1000],
  deg: ["angle", 1],
  "°": ["angle", 1],
  m3: ["volume", 1],
  dm3: ["volume", 0.001],
  l: ["volume", 0.001],
  "m3/h": ["flow", 1],
  c: ["temperature", 1],
  "°c": ["temperature", 1],
  k: ["difference", 1],
  bar: ["pressure", 1],
  h: ["duration", 1],
  s: ["duration", 1 / 3600],
  "%": ["share", 1],
};

/** The vocabulary's units as written on the wire. */
const wireNames: Readonly<Partial<Record<UnitKey, string>>> = {
  kWh: "kWh",
  kvarh: "kvarh",
  kW: "kW",
  kvar: "kvar",
  kVA: "kVA",
  V: "V",
  A: "A",
  Hz: "Hz",
  degree: "deg",
  percent: "%",
  Gcal: "Gcal",
  GJ: "GJ",
  m3: "m3",
  m3PerHour: "m3/h",
  celsius: "C",
  kelvin: "K",
  bar: "bar",
  hour: "h",
};

/** How the unit of a field is written in a data line; "" for a field without one. */
export function wireUnit(field: FieldName, resource: ResourceKey): string {
  return wireNames[fieldOf(field, resource).unit] ?? "";
}

/**
 * Factor from a written unit to the unit of a field; undefined when they measure different things or the unit
 * is unknown.
 * Source: units of IEC 62056-61 as meters print them (kVArh, kvarh, kVAR). No unit means the field's own.
 */
export function ratioTo(unit: string, field: FieldName, resource: ResourceKey): number | undefined {
  const target = wireUnit(field, resource);
  if (unit === "" || unit === target) return 1;
  const from = sizeOf(unit);
  const to = sizeOf(target);
  return from && to && from[0] === to[0] ? from[1] / to[1] : undefined;
}

function sizeOf(unit: string): readonly [string, number] | undefined {
  const key = unit.toLowerCase();
  return Object.hasOwn(written, key) ? written[key] : undefined;
}
