/**
 * Lists that meters push to their owners (HAN port), as data.
 * Sources: list descriptions of NVE/NEK for the Norwegian HAN port: "Aidon HAN interface description", "Kaifa
 * KFM_001 OBIS list", "Kamstrup HAN-NVE interface description"; pairs of lists and values of the shared
 * corpus (han-push.json). Kamstrup's energy step of 10 Wh [from public readers of that list; the corpus
 * contains only zeros].
 */
export interface PushQuantity {
  readonly name: string;
  readonly unit: string;
}

/** By the groups C.D.E of the OBIS code; A and B differ between manufacturers. */
export const pushQuantities: Readonly<Record<string, PushQuantity>> = {
  "0.2.129": { name: "list_ver_id", unit: "" },
  "0.0.5": { name: "meter_id", unit: "" },
  "96.1.0": { name: "meter_id", unit: "" },
  "96.1.1": { name: "meter_type", unit: "" },
  "96.1.7": { name: "meter_type", unit: "" },
  "1.0.0": { name: "meter_datetime", unit: "-" },
  "1.7.0": { name: "active_power_import", unit: "W" },
  "2.7.0": { name: "active_power_export", unit: "W" },
  "3.7.0": { name: "reactive_power_import", unit: "var" },
  "4.7.0": { name: "reactive_power_export", unit: "var" },
  "21.7.0": { name: "active_power_import_l1", unit: "W" },
  "22.7.0": { name: "active_power_export_l1", unit: "W" },
  "41.7.0": { name: "active_power_import_l2", unit: "W" },
  "42.7.0": { name: "active_power_export_l2", unit: "W" },
  "61.7.0": { name: "active_power_import_l3", unit: "W" },
  "62.7.0": { name: "active_power_export_l3", unit: "W" },
  "23.7.0": { name: "reactive_power_import_l1", unit: "var" },
  "24.7.0": { name: "reactive_power_export_l1", unit: "var" },
  "43.7.0": { name: "reactive_power_import_l2", unit: "var" },
  "44.7.0": { name: "reactive_power_export_l2", unit: "var" },
  "63.7.0": { name: "reactive_power_import_l3", unit: "var" },
  "64.7.0": { name: "reactive_power_export_l3", unit: "var" },
  "31.7.0": { name: "current_l1", unit: "A" },
  "51.7.0": { name: "current_l2", unit: "A" },
  "71.7.0": { name: "current_l3", unit: "A" },
  "32.7.0": { name: "voltage_l1", unit: "V" },
  "52.7.0": { name: "voltage_l2", unit: "V" },
  "72.7.0": { name: "voltage_l3", unit: "V" },
  "13.7.0": { name: "power_factor", unit: "" },
  "14.7.0": { name: "frequency", unit: "Hz" },
  "1.8.0": { name: "active_power_import_total", unit: "Wh" },
  "2.8.0": { name: "active_power_export_total", unit: "Wh" },
  "3.8.0": { name: "reactive_power_import_total", unit: "varh" },
  "4.8.0": { name: "reactive_power_export_total", unit: "varh" },
};

/** Decimal exponents of the numbers of a list, by unit; default 0. */
export interface PushMaker {
  readonly maker: string;
  /** Beginning of the list's own name. */
  readonly list: string;
  readonly scalers: Readonly<Record<string, number>>;
}

export const aidon: PushMaker = { maker: "Aidon", list: "AIDON_", scalers: {} };
export const kaifa: PushMaker = { maker: "Kaifa", list: "KFM_", scalers: { A: -3, V: -1 } };
export const pushMakers: readonly PushMaker[] = [
  aidon,
  kaifa,
  { maker: "Kamstrup", list: "Kamstrup_", scalers: { A: -2, Wh: 1, varh: 1 } },
];

const head = ["1.1.0.2.129.255", "0.0.96.1.0.255", "0.0.96.1.7.255"];
const power = ["1.0.1.7.0.255", "1.0.2.7.0.255", "1.0.3.7.0.255", "1.0.4.7.0.255"];
const onePhase = ["1.0.31.7.0.255", "1.0.32.7.0.255"];
const threePhases = [
  ...["1.0.31.7.0.255", "1.0.51.7.0.255", "1.0.71.7.0.255"],
  ...["1.0.32.7.0.255", "1.0.52.7.0.255", "1.0.72.7.0.255"],
];
const totals = ["0.0.1.0.0.255", "1.0.1.8.0.255", "1.0.2.8.0.255", "1.0.3.8.0.255", "1.0.4.8.0.255"];

/** Kaifa sends values without codes: positions by the number of values. */
export const kaifaLists: ReadonlyMap<number, readonly string[]> = new Map([
  [1, ["1.0.1.7.0.255"]],
  [9, [...head, ...power, ...onePhase]],
  [13, [...head, ...power, ...threePhases]],
  [14, [...head, ...power, ...onePhase, ...totals]],
  [18, [...head, ...power, ...threePhases, ...totals]],
]);

/** Units of the enumeration that electricity meters use. Source: Blue Book 4.3.2 (unit). */
export const cosemUnits: Readonly<Record<number, string>> = {
  1: "year",
  2: "month",
  3: "week",
  4: "d",
  5: "h",
  6: "min",
  7: "s",
  9: "°C",
  13: "m³",
  14: "m³",
  27: "W",
  28: "VA",
  29: "var",
  30: "Wh",
  31: "VAh",
  32: "varh",
  33: "A",
  34: "C",
  35: "V",
  44: "Hz",
  56: "%",
  255: "",
};
