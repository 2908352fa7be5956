/** Quantities of electricity by group C. */
const energies: Readonly<Record<number, string>> = {
  1: "active +",
  2: "active -",
  3: "reactive +",
  4: "reactive -",
  9: "apparent +",
  10: "apparent -",
};
/** Quantities of one phase by what C leaves over 20, 40 or 60. */
const ofPhase: Readonly<Record<number, string>> = {
  1: "active power +",
  2: "active power -",
  3: "reactive power +",
  4: "reactive power -",
  9: "apparent power +",
  11: "current",
  12: "voltage",
  13: "power factor",
};
const single: Readonly<Record<string, string>> = {
  "0.0.0": "number of the device",
  "0.2.0": "firmware",
  "0.2.8": "version of the telegram",
  "0.9.1": "time",
  "0.9.2": "date",
  "1.0.0": "clock",
  "13.7.0": "power factor",
  "14.7.0": "frequency",
  "11.0.0": "special days",
  "13.0.0": "activity calendar",
  "17.0.0": "limiter",
  "24.2.1": "value of a connected meter with its time",
  "40.0.0": "association",
  "42.0.0": "logical device name",
  "94.7.0": "values of this moment",
  "96.1.0": "serial number",
  "96.3.10": "disconnect control",
  "96.9.0": "temperature",
  "96.14.0": "tariff in force",
  "96.7.21": "power failures",
  "96.7.9": "long power failures",
  "98.1.0": "monthly values",
  "98.2.0": "daily values",
  "99.1.0": "load profile",
  "99.2.0": "second load profile",
};

/**
 * Meaning of an OBIS code in words, for a trace; undefined for one that is not in the table.
 * Source: IEC 62056-61 (groups C, D, E of electricity) and the Blue Book, 6.2 (abstract objects). `code` is
 * "1.0.1.8.0.255", "1-0:1.8.0*255" or "1.8.0"; groups A, B and F are ignored. Errors: none.
 */
export function obisName(code: string): string | undefined {
  const groups = /^(?:\d+-\d+:)?(\d+(?:\.\d+)*)(?:\*\d+)?$/.exec(code)?.[1]?.split(".").map(Number);
  if (!groups) return undefined;
  const [c, d, e] = groups.length === 6 ? groups.slice(2, 5) : groups;
  if (c === undefined || d === undefined) return undefined;
  const known = single[`${String(c)}.${String(d)}.${String(e ?? 0)}`];
  if (known !== undefined) return known;
  if (c === 99 && d === 98) return `event log ${String(e ?? 0)}`;
  if (c === 43 && d === 1) return "invocation counter";
  return quantityName(c, d, e ?? 0);
}

function quantityName(c: number, d: number, e: number): string | undefined {
  const energy = energies[c];
  const tariff = e === 0 ? "total" : `tariff ${String(e)}`;
  if (energy !== undefined && d === 8) return `${energy} energy, ${tariff}`;
  if (energy !== undefined && d === 29) return `${energy} energy of the interval`;
  if (energy !== undefined && d === 6) return `${energy} power, maximum, ${tariff}`;
  if (energy !== undefined && d === 7) return energy.replace(" ", " power ");
  const phase = Math.floor(c / 20);
  const quantity = phase >= 1 && phase <= 3 ? ofPhase[c % 20] : undefined;
  return quantity !== undefined && d === 7 ? `${quantity}, phase ${String(phase)}` : undefined;
}
