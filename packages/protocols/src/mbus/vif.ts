import type { QuantityName } from "./quantities.ts";

/**
 * Meaning of a value information field. A value is `number x factor x 10^exponent` in `unit`. `form`:
 * interpretation of the data if the data field alone does not determine it.
 */
export interface ValueMeaning {
  readonly quantity: string;
  /**
   * Unit as text: SI-like, "-" where the value has none by nature (dates, texts), empty for codes and counts.
   */
  readonly unit: string;
  readonly exponent: number;
  readonly factor: number;
  readonly form: "number" | "bits" | "date" | "dateTime";
}

type Row = readonly [
  from: number,
  count: number,
  quantity: QuantityName,
  unit: string,
  /** A number is the exponent of the first code, growing by one; the others are series of units of time. */
  scale: number | "seconds" | "hours" | "months",
  form?: ValueMeaning["form"],
];

const secondsOf = [1, 60, 3600, 86_400] as const;

/** Codes n = 0..3 in seconds, minutes, hours, days; in hours, days, months, years; or in months, years. */
const timeSeries = {
  seconds: secondsOf.map((factor) => ({ unit: "s", factor })),
  hours: [
    { unit: "s", factor: 3600 },
    { unit: "s", factor: 86_400 },
    { unit: "month", factor: 1 },
    { unit: "year", factor: 1 },
  ],
  months: [
    { unit: "month", factor: 1 },
    { unit: "year", factor: 1 },
  ],
} as const;

function table(rows: readonly Row[]): readonly (ValueMeaning | undefined)[] {
  const codes = new Array<ValueMeaning | undefined>(128).fill(undefined);
  for (const [from, count, quantity, unit, scale, form = "number"] of rows)
    for (let n = 0; n < count; n++)
      codes[from + n] =
        typeof scale === "number"
          ? { quantity, unit, exponent: scale + n, factor: 1, form }
          : { quantity, exponent: 0, form, ...(timeSeries[scale][n] ?? { unit, factor: 1 }) };
  return codes;
}

/** Codes that name one thing each, without unit or scale. */
const named = (
  form: ValueMeaning["form"],
  unit: string,
  codes: Readonly<Record<number, QuantityName>>,
): Row[] => Object.entries(codes).map(([code, quantity]) => [Number(code), 1, quantity, unit, 0, form]);

/** Primary VIF. Source: EN 13757-3, table 10. */
export const primaryTable = table([
  [0x00, 8, "Energy", "Wh", -3],
  [0x08, 8, "Energy", "J", 0],
  [0x10, 8, "Volume", "m^3", -6],
  [0x18, 8, "Mass", "kg", -3],
  [0x20, 4, "On time", "s", "seconds"],
  [0x24, 4, "Operating time", "s", "seconds"],
  [0x28, 8, "Power", "W", -3],
  [0x30, 8, "Power", "J/h", 0],
  [0x38, 8, "Volume flow", "m^3/h", -6],
  [0x40, 8, "Volume flow", "m^3/min", -7],
  [0x48, 8, "Volume flow", "m^3/s", -9],
  [0x50, 8, "Mass flow", "kg/h", -3],
  [0x58, 4, "Flow temperature", "°C", -3],
  [0x5c, 4, "Return temperature", "°C", -3],
  [0x60, 4, "Temperature difference", "K", -3],
  [0x64, 4, "External temperature", "°C", -3],
  [0x68, 4, "Pressure", "bar", -3],
  [0x6c, 1, "Time point (date)", "-", 0, "date"],
  [0x6d, 1, "Time point (date & time)", "-", 0, "dateTime"],
  [0x6e, 1, "H.C.A.", "Units for H.C.A.", 0],
  [0x70, 4, "Averaging Duration", "s", "seconds"],
  [0x74, 4, "Actuality Duration", "s", "seconds"],
  ...named("number", "", {
    0x78: "Fabrication No",
    0x79: "(Enhanced) Identification",
    0x7a: "Bus Address",
    0x7e: "Any VIF",
    0x7f: "Manufacturer specific",
  }),
]);

/**
 * Second code after FB: the larger and the rarer units. Source: EN 13757-3, table 14; kept in the same base
 * units as above.
 */
export const fbTable = table([
  [0x00, 2, "Energy", "Wh", 5],
  [0x02, 2, "Reactive energy", "varh", 3],
  [0x04, 2, "Apparent energy", "VAh", 3],
  [0x08, 2, "Energy", "J", 8],
  [0x0c, 4, "Energy", "cal", 5],
  [0x10, 2, "Volume", "m^3", 2],
  [0x14, 4, "Reactive power", "var", 0],
  [0x18, 2, "Mass", "kg", 5],
  [0x1a, 2, "Relative humidity", "%", -1],
  [0x20, 1, "Volume", "ft^3", 0],
  [0x21, 1, "Volume", "ft^3", -1],
  [0x22, 2, "Volume", "gal", -1],
  [0x24, 1, "Volume flow", "gal/min", -3],
  [0x25, 1, "Volume flow", "gal/min", 0],
  [0x26, 1, "Volume flow", "gal/h", 0],
  [0x28, 2, "Power", "W", 5],
  [0x2a, 1, "Phase U-U", "°", -1],
  [0x2b, 1, "Phase U-I", "°", -1],
  [0x2c, 4, "Frequency", "Hz", -3],
  [0x30, 2, "Power", "J/h", 8],
  [0x34, 4, "Apparent power", "VA", 0],
  [0x58, 4, "Flow temperature", "°F", -3],
  [0x5c, 4, "Return temperature", "°F", -3],
  [0x60, 4, "Temperature difference", "°F", -3],
  [0x64, 4, "External temperature", "°F", -3],
  [0x70, 4, "Temperature limit", "°F", -3],
  [0x74, 4, "Temperature limit", "°C", -3],
  [0x78, 8, "Cumulative maximum power", "W", -3],
]);

/** Second code after FD: the device itself, and electricity. Source: EN 13757-3, table 12. */
export const fdTable = table([
  [0x00, 4, "Credit", "currency", -3],
  [0x04, 4, "Debit", "currency", -3],
  ...named("number", "", {
    0x09: "Medium",
    0x0a: "Manufacturer",
    0x0b: "Parameter set identification",
    0x0c: "Model / Version",
    0x0d: "Hardware version",
    0x0e: "Firmware version",
    0x0f: "Software version",
    0x10: "Customer location",
    0x11: "Customer",
    0x12: "Access code user",
    0x13: "Access code operator",
    0x14: "Access code system operator",
    0x15: "Access code developer",
    0x16: "Password",
    0x19: "Security key",
    0x1c: "Baud rate",
    0x1d: "Response delay time",
    0x1e: "Retry",
    0x20: "First storage number",
    0x21: "Last storage number",
    0x22: "Size of storage block",
    0x23: "Tariff and subunit descriptor",
    0x2a: "Operator specific data",
    0x2b: "Time point second",
    0x3a: "Dimensionless",
    0x3b: "Wireless container",
    0x60: "Reset counter",
    0x61: "Cumulation counter",
    0x62: "Control signal",
    0x63: "Day of week",
    0x64: "Week number",
    0x65: "Time point of day change",
    0x66: "State of parameter activation",
    0x67: "Special supplier information",
    0x72: "Daylight saving",
    0x73: "Listening window management",
    0x75: "Times the meter was stopped",
    0x76: "Manufacturer data container",
  }),
  ...named("bits", "", {
    0x08: "Access Number",
    0x17: "Error flags",
    0x18: "Error mask",
    0x1a: "Digital Output",
    0x1b: "Digital Input",
    0x1f: "Remote control",
  }),
  ...named("dateTime", "-", { 0x30: "Start of tariff", 0x70: "Battery change" }),
  [0x24, 4, "Storage interval", "s", "seconds"],
  [0x28, 2, "Storage interval", "", "months"],
  [0x2c, 4, "Duration since last readout", "s", "seconds"],
  [0x31, 1, "Duration of tariff", "min", 0],
  [0x32, 1, "Duration of tariff", "h", 0],
  [0x33, 1, "Duration of tariff", "d", 0],
  [0x34, 4, "Period of tariff", "s", "seconds"],
  [0x38, 2, "Period of tariff", "", "months"],
  [0x3c, 4, "Period of transmission", "s", "seconds"],
  [0x40, 16, "Voltage", "V", -9],
  [0x50, 16, "Current", "A", -12],
  [0x68, 4, "Duration since last cumulation", "s", "hours"],
  [0x6c, 4, "Operating time of battery", "s", "hours"],
  [0x71, 1, "RF level", "dBm", 0],
  [0x74, 1, "Remaining battery life", "d", 0],
]);

const countedQuantities = ["Energy", "Reactive energy", "Apparent energy", "Volume", "Mass", "H.C.A."];

/** Whether a quantity is cumulative. Errors: none. */
export const isCounted = (quantity: string): boolean => countedQuantities.includes(quantity);

/** An unknown code; shown, and never stored as a reading. */
export const reserved: ValueMeaning = {
  quantity: "Reserved",
  unit: "Reserved",
  exponent: 0,
  factor: 1,
  form: "number",
};

/**
 * Effect of a combinable VIFE on the preceding meaning: a word, a power of ten, another form of data.
 * `error`: reason of the meter for a missing value. `isMaker`: the rest of the chain is manufacturer
 * specific.
 */
export interface Modifier {
  readonly label?: string;
  readonly exponent?: number;
  readonly addExponent?: number;
  /** The data is a date, a duration (in `factor` seconds) or a count instead of the quantity. */
  readonly becomes?:
    | { readonly form: "dateTime" }
    | { readonly form: "number"; readonly unit: string; readonly factor: number };
  readonly error?: string;
  readonly isMaker?: true;
}

const recordErrors: Readonly<Record<number, string>> = {
  0x01: "too many DIFE",
  0x02: "storage number not implemented",
  0x03: "subunit not implemented",
  0x04: "tariff not implemented",
  0x05: "function not implemented",
  0x06: "data class not implemented",
  0x07: "data size not implemented",
  0x0b: "too many VIFE",
  0x0c: "illegal VIF group",
  0x0d: "illegal VIF exponent",
  0x0e: "VIF and DIF do not match",
  0x0f: "unimplemented action",
  0x15: "no data available",
  0x16: "data overflow",
  0x17: "data underflow",
  0x18: "data error",
  0x1c: "premature end of record",
};

const divisors = [
  ...["s", "min", "h", "d", "week", "month", "year", "measurement"],
  ...["input pulse 0", "input pulse 1", "output pulse 0", "output pulse 1"],
  ...["l", "m^3", "kg", "K", "kWh", "GJ", "kW", "(K l)", "V", "A"],
];
const factors = ["s", "s/V", "s/A"];
const words: Readonly<Record<number, string>> = {
  0x12: "average",
  0x13: "inverse compact profile",
  0x14: "relative deviation",
  0x1d: "standard conform data",
  0x1e: "compact profile with registers",
  0x1f: "compact profile",
  0x3a: "uncorrected",
  0x3b: "forward",
  0x3c: "backward",
  0x3d: "non-metric",
  0x3e: "at base conditions",
  0x3f: "OBIS declaration",
  0x68: "during lower limit exceed",
  0x6c: "during upper limit exceed",
  0x69: "leakage",
  0x6d: "overflow",
  0x7e: "future",
};

const bit = (code: number, mask: number, set: string, clear: string): string =>
  (code & mask) !== 0 ? set : clear;

/**
 * Meaning of one combinable VIFE.
 * Source: EN 13757-3, table 15. Layout: the seven low bits of the byte. Returns an empty modifier with a
 * label for reserved codes.
 * Errors: none.
 */
export function combinable(code: number): Modifier {
  const error = recordErrors[code];
  if (error !== undefined) return { error };
  const word = words[code];
  if (word !== undefined) return { label: word };
  if (code === 0) return {};
  if (code >= 0x20 && code <= 0x38) return perUnit(code);
  if (code === 0x39) return { label: "start of", becomes: { form: "dateTime" } };
  if (code >= 0x40 && code <= 0x6f) return limit(code);
  if (code >= 0x70 && code <= 0x77) return { exponent: code - 0x76 };
  if (code >= 0x78 && code <= 0x7b) return { addExponent: code - 0x7b };
  if (code === 0x7d) return { exponent: 3 };
  if (code === 0x7f) return { isMaker: true };
  return { label: `reserved ${code.toString(16)}` };
}

function perUnit(code: number): Modifier {
  if (code <= 0x35) return { label: `per ${divisors[code - 0x20] ?? ""}` };
  return { label: `times ${factors[code - 0x36] ?? ""}` };
}

function limit(code: number): Modifier {
  const side = bit(code, 0x08, "upper limit", "lower limit");
  if ((code & 0x77) === 0x40) return { label: side };
  if ((code & 0x77) === 0x41)
    return { label: `exceeds of ${side}`, becomes: { form: "number", unit: "", factor: 1 } };
  const order = bit(code, 0x04, "last", "first");
  if (code >= 0x50 && code <= 0x67) {
    const factor = secondsOf[code & 3] ?? 1;
    const isLimit = code <= 0x5f;
    const of = isLimit ? `${order} ${side} exceed` : `${order} occurrence`;
    return { label: `duration of ${of}`, becomes: { form: "number", unit: "s", factor } };
  }
  if ((code & 0x02) === 0) return { label: `reserved ${code.toString(16)}` };
  const end = bit(code, 0x01, "end", "begin");
  const of = code < 0x50 ? `${order} ${side} exceed` : `${order} occurrence`;
  return { label: `${end} of ${of}`, becomes: { form: "dateTime" } };
}

const extensionWords: Readonly<Record<number, string>> = {
  0x01: "phase L1",
  0x02: "phase L2",
  0x03: "phase L3",
  0x04: "neutral",
  0x05: "between L1 and L2",
  0x06: "between L2 and L3",
  0x07: "between L3 and L1",
  0x08: "quadrant 1",
  0x09: "quadrant 2",
  0x0a: "quadrant 3",
  0x0b: "quadrant 4",
  0x0c: "import less export",
  0x10: "absolute value of both directions",
  0x11: "type C",
  0x12: "type D",
  0x13: "to the meter",
  0x14: "from the meter",
};

/** Meaning of the code after a VIFE FC. Source: EN 13757-3, table 16. Errors: none. */
export function combinableExtension(code: number): Modifier {
  return { label: extensionWords[code] ?? `reserved fc ${code.toString(16)}` };
}
