import type { StepName } from "@metrum/vocabulary";

/** Momentary values of the trace. */
export type InstantCode =
  | "active_power"
  | "reactive_power"
  | "apparent_power"
  | "voltage"
  | "current"
  | "cos_phi"
  | "frequency"
  | "angle";

/**
 * Momentary values by number of the parameter (BWRI): names, divisor to the unit, and which direction bit is
 * the sign.
 */
export interface InstantKind {
  readonly bwri: number;
  readonly name: string;
  /** Its code in the trace. */
  readonly code: InstantCode;
  readonly count: 1 | 3 | 4;
  readonly divisor: number;
  readonly unit: string;
  readonly sign?: "active" | "reactive";
}

/**
 * Source: Incotex protocol, 08 16; all but temperature checked with an independent client.
 * Layout: `count` three-byte values; 4 are sum, phase 1, 2, 3. The angles are those between voltages 1 and 2,
 * 1 and 3, 2 and 3.
 */
export const instants = {
  power_active: {
    bwri: 0x00,
    name: "active power",
    code: "active_power",
    count: 4,
    divisor: 100,
    unit: "W",
    sign: "active",
  },
  power_reactive: {
    bwri: 0x04,
    name: "reactive power",
    code: "reactive_power",
    count: 4,
    divisor: 100,
    unit: "var",
    sign: "reactive",
  },
  power_apparent: {
    bwri: 0x08,
    name: "apparent power",
    code: "apparent_power",
    count: 4,
    divisor: 100,
    unit: "VA",
  },
  voltage: { bwri: 0x11, name: "voltage", code: "voltage", count: 3, divisor: 100, unit: "V" },
  current: { bwri: 0x21, name: "current", code: "current", count: 3, divisor: 1000, unit: "A" },
  cos: { bwri: 0x30, name: "cos phi", code: "cos_phi", count: 4, divisor: 1000, unit: "", sign: "active" },
  frequency: { bwri: 0x40, name: "frequency", code: "frequency", count: 1, divisor: 100, unit: "Hz" },
  angles: { bwri: 0x51, name: "angle", code: "angle", count: 3, divisor: 100, unit: "deg" },
} as const satisfies Record<string, InstantKind>;

export type InstantName = keyof typeof instants;
export const instantNames = Object.keys(instants).filter((name): name is InstantName => name in instants);

/**
 * Arrays of energy of code 05. Source: Incotex protocol [public clients]; 9 to 13 (beginnings of periods)
 * only on newer meters, not verified.
 */
export const periods = {
  sinceReset: 0,
  currentYear: 1,
  previousYear: 2,
  month: 3,
  today: 4,
  yesterday: 5,
  perPhase: 6,
} as const;

/**
 * A request: the bytes after the address, and the number of data bytes in the answer (undefined: only silence
 * ends it).
 */
export interface MercuryRequest {
  readonly label: StepName;
  readonly body: Uint8Array;
  readonly dataBytes: number | undefined;
}

const request = (
  label: StepName,
  dataBytes: number | undefined,
  ...bytes: readonly number[]
): MercuryRequest => ({
  label,
  body: Uint8Array.from(bytes),
  dataBytes,
});

/** Period and month 0 are since the reset, tariff 0 is the sum. */
function energyStep(period: number, month: number, tariff: number): StepName {
  if (period !== 0 || month !== 0) return { code: "read_energy", period, month, tariff };
  return tariff === 0 ? "read_energy_sum" : { code: "read_energy_since_reset", tariff };
}

const energyBytes = (period: number): number => (period === periods.perPhase ? 12 : 16);

/**
 * Requests of the protocol. Source: the manufacturer's protocols as public clients use them; parts known only
 * from experience are marked where they are read.
 */
export const requests = {
  test: () => request("test_channel", 1, 0x00),
  open: (level: 1 | 2, password: Uint8Array) =>
    request({ code: "open_channel", level }, 1, 0x01, level, ...password),
  close: () => request("close_channel", 1, 0x02),
  clock: () => request({ code: "read", what: "clock" }, 8, 0x04, 0x00),
  journal: (journal: number, index: number) =>
    request(
      { code: "read_journal", n: journal.toString(16).padStart(2, "0"), record: index },
      undefined,
      0x04,
      journal,
      index,
    ),
  energy: (period: number, month: number, tariff: number) =>
    request(energyStep(period, month, tariff), energyBytes(period), 0x05, (period << 4) | month, tariff),
  memory: (bank: number, address: number, length: number) =>
    request(
      { code: "read_power_profile", n: address.toString(16).padStart(4, "0") },
      length,
      0x06,
      bank,
      address >> 8,
      address & 0xff,
      length,
    ),
  serial: () => request("read_serial", 7, 0x08, 0x00),
  transformers: () => request("read_transformers", 4, 0x08, 0x02),
  firmware: () => request({ code: "read", what: "firmware" }, 3, 0x08, 0x03),
  variant: () => request("read_variant", undefined, 0x08, 0x12),
  lastProfile: () => request("find_last_profile", 9, 0x08, 0x13),
  loadControl: () => request("read_load_control", 2, 0x08, 0x18),
  powerLimit: () => request("read_power_limit", 3, 0x08, 0x19),
  instant: (kind: InstantKind) =>
    request(
      { code: "read", what: kind.code === "angle" ? "angles" : kind.code },
      kind.count * 3,
      0x08,
      0x16,
      kind.bwri,
    ),
  write: (label: StepName, parameter: number, ...values: readonly number[]) =>
    request(label, 1, 0x03, parameter, ...values),
} as const;
