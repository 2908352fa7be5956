import type { TraceName, TraceValue } from "@metrum/vocabulary";
import { ByteReader, toHex, type Span } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";

/** Identification of the meter in the header before the records. A short header has none. */
export interface ApplicationHeader {
  /** Eight digits; hexadecimal digits occur in meters with a wrong number. */
  readonly id?: string;
  /** Three letters. */
  readonly manufacturer?: string;
  readonly version?: number;
  readonly medium?: number;
  readonly mediumName?: string;
  readonly accessNumber: number;
  readonly status: number;
  readonly configuration: number;
}

/** Names of device types ("medium"). Source: EN 13757-7, table 13. */
const media: Readonly<Record<number, readonly [name: string, code: TraceName]>> = {
  0x00: ["Other", "medium_other"],
  0x01: ["Oil", "medium_oil"],
  0x02: ["Electricity", "medium_electricity"],
  0x03: ["Gas", "medium_gas"],
  0x04: ["Heat: Outlet", "medium_heat_outlet"],
  0x05: ["Steam", "medium_steam"],
  0x06: ["Warm water", "medium_warm_water"],
  0x07: ["Water", "medium_water"],
  0x08: ["Heat Cost Allocator", "medium_heat_cost_allocator"],
  0x09: ["Compressed air", "medium_compressed_air"],
  0x0a: ["Cooling: Outlet", "medium_cooling_outlet"],
  0x0b: ["Cooling: Inlet", "medium_cooling_inlet"],
  0x0c: ["Heat: Inlet", "medium_heat_inlet"],
  0x0d: ["Heat and cooling", "medium_heat_and_cooling"],
  0x0e: ["Bus/System", "medium_bus_system"],
  0x0f: ["Unknown", "medium_unknown"],
  0x14: ["Calorific value", "medium_calorific_value"],
  0x15: ["Hot water", "medium_hot_water"],
  0x16: ["Cold water", "medium_cold_water"],
  0x17: ["Dual water", "medium_dual_water"],
  0x18: ["Pressure", "medium_pressure"],
  0x19: ["A/D converter", "medium_a_d_converter"],
  0x1a: ["Smoke detector", "medium_smoke_detector"],
  0x1b: ["Room sensor", "medium_room_sensor"],
  0x1c: ["Gas detector", "medium_gas_detector"],
  0x20: ["Breaker: Electricity", "medium_breaker_electricity"],
  0x21: ["Valve: Gas or water", "medium_valve_gas_or_water"],
  0x25: ["Customer unit", "medium_customer_unit"],
  0x28: ["Waste water", "medium_waste_water"],
  0x29: ["Garbage", "medium_garbage"],
  0x31: ["Communication controller", "medium_communication_controller"],
  0x32: ["Repeater, one way", "medium_repeater_one_way"],
  0x33: ["Repeater, two ways", "medium_repeater_two_ways"],
  0x36: ["Radio converter, system side", "medium_radio_converter_system_side"],
  0x37: ["Radio converter, meter side", "medium_radio_converter_meter_side"],
};

/**
 * Device types of makers that number theirs themselves, as those of the standard. Source: the public reader
 * wmbusmeters [no document of the maker was at hand].
 */
const ownMedia: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  TCH: { 0x43: 0x04, 0xc3: 0x04, 0x62: 0x06, 0x72: 0x07, 0x80: 0x08, 0xf0: 0x1a },
};

/**
 * Device type of the standard for what a meter sends: a maker's own number counts only where the standard
 * reserves it. Source: EN 13757-7, table 13.
 */
export const mediumOf = (medium: number, manufacturer = ""): number =>
  media[medium] === undefined ? (ownMedia[manufacturer]?.[medium] ?? medium) : medium;

/** Name of a device type. Source: EN 13757-7, table 13. */
export const mediumNameOf = (medium: number, manufacturer?: string): string =>
  media[mediumOf(medium, manufacturer)]?.[0] ?? "Reserved";

/** The same for the trace. */
export const mediumWord = (medium: number, manufacturer?: string): TraceValue => ({
  word: media[mediumOf(medium, manufacturer)]?.[1] ?? "medium_reserved",
});

/**
 * Letters of a manufacturer word. Source: EN 13757-3, 5.6. Layout: 15 bits, five a letter, first letter
 * highest, A is 1.
 * Errors: none; five bits outside the alphabet give the neighbouring characters.
 */
export function manufacturerLetters(word: number): string {
  return String.fromCharCode(...[10, 5, 0].map((shift) => ((word >> shift) & 0x1f) + 64));
}

/** Manufacturer word of three capital letters; see `manufacturerLetters`. */
export function manufacturerWord(letters: string): number {
  return [0, 1, 2].reduce((word, at) => (word << 5) | ((letters.charCodeAt(at) - 64) & 0x1f), 0);
}

/**
 * Reads the long header.
 * Source: EN 13757-3, 5.4 (CI 72). Layout, 12 bytes: id 4 BCD, manufacturer 2, version 1, medium 1, access
 * number 1, status 1, configuration 2; low byte first, or high byte first with CI 76. Errors: ProtocolError
 * "unexpected" when shorter.
 */
export function readLongHeader(reader: ByteReader, isHighFirst = false): ApplicationHeader {
  const id = readId(reader, isHighFirst);
  const start = reader.position;
  const word = isHighFirst ? reader.u16be() : reader.u16le();
  const manufacturer = manufacturerLetters(word);
  reader.noteSince(start, "manufacturer", manufacturer);
  const version = reader.u8("version");
  const mediumAt = reader.position;
  const medium = reader.u8();
  const mediumName = mediumNameOf(medium, manufacturer);
  reader.noteSince(mediumAt, "medium", mediumWord(medium, manufacturer));
  return { id, manufacturer, version, medium, mediumName, ...readShortHeader(reader, isHighFirst) };
}

/**
 * Reads the short header. Source: EN 13757-3, 5.5 (CI 7A). Layout: access number 1, status 1, configuration
 * 2.
 * Errors: ProtocolError "unexpected" when shorter.
 */
export function readShortHeader(
  reader: ByteReader,
  isHighFirst = false,
): Pick<ApplicationHeader, "accessNumber" | "status" | "configuration"> {
  const accessNumber = reader.u8("access_number");
  const status = reader.u8("status");
  const configuration = isHighFirst ? reader.u16be("configuration") : reader.u16le("configuration");
  return { accessNumber, status, configuration };
}

/** Bytes of a cipher block by security mode; 0: the configuration word does not give the encrypted length. */
const cipherBlocks: Readonly<Record<number, number>> = {
  2: 8,
  3: 8,
  4: 16,
  5: 16,
  7: 16,
  8: 0,
  9: 0,
  10: 0,
  13: 0,
};

/**
 * Security mode of a configuration word; 0 when nothing is encrypted. Old meters put their own signature
 * there, which is no mode: a number without a mode, no encrypted block, half a block or more of them than
 * there are bytes.
 * Source: EN 13757-7, clause 7 (modes; the number of blocks of AES-CBC in bits 4-7) and EN 13757-3:2004, 5.10
 * (the number of encrypted bytes of DES in bits 0-7, the signature of EN 1434-3 in its place) [from memory].
 * `dataBytes`: those behind the header. Errors: none.
 */
export function securityModeOf(configuration: number, dataBytes: number): number {
  const mode = (configuration >> 8) & 0x1f;
  const block = cipherBlocks[mode];
  if (block === undefined) return 0;
  if (block === 0) return mode;
  const encrypted = block === 8 ? configuration & 0xff : ((configuration >> 4) & 0x0f) * block;
  return encrypted > 0 && encrypted % block === 0 && encrypted <= dataBytes ? mode : 0;
}

/**
 * Identification number as eight digits. Layout: 4 bytes BCD. Errors: ProtocolError "unexpected" when
 * shorter.
 */
export function readId(reader: ByteReader, isHighFirst = false): string {
  const start = reader.position;
  const bytes = reader.take(4);
  const id = toHex(isHighFirst ? bytes : bytes.toReversed());
  reader.noteSince(start, "identification_number", id);
  return id;
}

const applicationErrors = [
  "unspecified error",
  "CI field not implemented",
  "buffer too long, truncated",
  "too many records",
  "premature end of record",
  "more than 10 DIFE",
  "more than 10 VIFE",
  "reserved error",
  "application busy",
  "too many readouts",
] as const;

const applicationBusy = 8;

/**
 * The meter's report of an error: always throws it.
 * Source: EN 13757-3, 5.7 (CI 70). Layout: nothing (unspecified), or one byte with the code, which is in
 * `detail`.
 * Errors: ProtocolError "refused".
 */
export function throwApplicationError(
  bytes: Uint8Array,
  options: { trace?: Span[] | undefined; base: number },
): never {
  const reader = new ByteReader(bytes, options);
  const code = reader.done ? 0 : reader.u8("application_error");
  const text = applicationErrors[code] ?? "unknown error";
  throw new ProtocolError("refused", `the meter reports: ${text}`, {
    offset: options.base,
    detail: code,
    isBusy: code === applicationBusy,
  });
}

/**
 * What makers say with the upper bits of the status byte, by their medium. Source: public reader wmbusmeters
 * (water meters of Kaden and Ecomess, whose specification it quotes).
 */
const leakBits = [
  [0x03, "leak"],
  [0x20, "flow below 100 l/h during the leak"],
  [0x40, "flow above 100 l/h during the leak"],
] as const;
const ownBits: Readonly<Record<string, readonly (readonly [mask: number, word: string])[]>> = {
  "KDN 7": leakBits,
  "VIP 7": leakBits,
};

/**
 * Words for the status byte; empty without errors. `meter`: whose own bits are named too. Source: EN 13757-3,
 * 5.9.
 */
export function statusWords(
  status: number,
  meter: { readonly manufacturer?: string; readonly medium?: number } = {},
): string[] {
  const state = [undefined, "application busy", "application error", "abnormal condition"][status & 3];
  const flags = [
    [0x04, "power low"],
    [0x08, "permanent error"],
    [0x10, "temporary error"],
  ] as const;
  const own = ownBits[`${meter.manufacturer ?? ""} ${String(meter.medium ?? "")}`] ?? [];
  return [
    ...(state === undefined ? [] : [state]),
    ...[...flags, ...own].flatMap(([mask, word]) => ((status & mask) === mask ? [word] : [])),
  ];
}
