import { ByteReader, toHex, type Span } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";

/** What the header in front of the records says of the meter. A short header has no identity. */
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
const media: Readonly<Record<number, string>> = {
  0x00: "Other",
  0x01: "Oil",
  0x02: "Electricity",
  0x03: "Gas",
  0x04: "Heat: Outlet",
  0x05: "Steam",
  0x06: "Warm water",
  0x07: "Water",
  0x08: "Heat Cost Allocator",
  0x09: "Compressed air",
  0x0a: "Cooling: Outlet",
  0x0b: "Cooling: Inlet",
  0x0c: "Heat: Inlet",
  0x0d: "Heat and cooling",
  0x0e: "Bus/System",
  0x0f: "Unknown",
  0x14: "Calorific value",
  0x15: "Hot water",
  0x16: "Cold water",
  0x17: "Dual water",
  0x18: "Pressure",
  0x19: "A/D converter",
  0x1a: "Smoke detector",
  0x1b: "Room sensor",
  0x1c: "Gas detector",
  0x20: "Breaker: Electricity",
  0x21: "Valve: Gas or water",
  0x25: "Customer unit",
  0x28: "Waste water",
  0x29: "Garbage",
  0x31: "Communication controller",
  0x32: "Repeater, one way",
  0x33: "Repeater, two ways",
  0x36: "Radio converter, system side",
  0x37: "Radio converter, meter side",
};

/** Name of a device type. Source: EN 13757-7, table 13. */
export const mediumNameOf = (medium: number): string => media[medium] ?? "Reserved";

/**
 * Letters of a manufacturer word. Source: EN 13757-3, 5.6. Layout: 15 bits, five a letter, first letter highest, A is 1.
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
 * Source: EN 13757-3, 5.4 (CI 72). Layout, 12 bytes: id 4 BCD, manufacturer 2, version 1, medium 1, access number 1, status 1,
 * configuration 2; low byte first, or high byte first with CI 76. Errors: ProtocolError "unexpected" when shorter.
 */
export function readLongHeader(reader: ByteReader, isHighFirst = false): ApplicationHeader {
  const id = readId(reader, isHighFirst);
  const start = reader.position;
  const word = isHighFirst ? reader.u16be() : reader.u16le();
  const manufacturer = manufacturerLetters(word);
  reader.noteSince(start, "Manufacturer", manufacturer);
  const version = reader.u8("Version");
  const mediumAt = reader.position;
  const medium = reader.u8();
  const mediumName = mediumNameOf(medium);
  reader.noteSince(mediumAt, "Medium", mediumName);
  return { id, manufacturer, version, medium, mediumName, ...readShortHeader(reader, isHighFirst) };
}

/**
 * Reads the short header. Source: EN 13757-3, 5.5 (CI 7A). Layout: access number 1, status 1, configuration 2.
 * Errors: ProtocolError "unexpected" when shorter.
 */
export function readShortHeader(
  reader: ByteReader,
  isHighFirst = false,
): Pick<ApplicationHeader, "accessNumber" | "status" | "configuration"> {
  const accessNumber = reader.u8("Access number");
  const status = reader.u8("Status");
  const configuration = isHighFirst ? reader.u16be("Configuration") : reader.u16le("Configuration");
  return { accessNumber, status, configuration };
}

/** Bytes of a cipher block by security mode; 0: the configuration word does not say how much is encrypted. */
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
 * Security mode of a configuration word; 0 when nothing is encrypted. Old meters put a signature of their own there, which is no mode: a
 * number without a mode, no encrypted block, half a block or more of them than there are bytes.
 * Source: EN 13757-7, clause 7 (modes; the number of blocks of AES-CBC in bits 4-7) and EN 13757-3:2004, 5.10 (the number of encrypted bytes
 * of DES in bits 0-7, the signature of EN 1434-3 in its place) [from memory]. `dataBytes`: those behind the header. Errors: none.
 */
export function securityModeOf(configuration: number, dataBytes: number): number {
  const mode = (configuration >> 8) & 0x1f;
  const block = cipherBlocks[mode];
  if (block === undefined) return 0;
  if (block === 0) return mode;
  const encrypted = block === 8 ? configuration & 0xff : ((configuration >> 4) & 0x0f) * block;
  return encrypted > 0 && encrypted % block === 0 && encrypted <= dataBytes ? mode : 0;
}

/** Identification number as eight digits. Layout: 4 bytes BCD. Errors: ProtocolError "unexpected" when shorter. */
export function readId(reader: ByteReader, isHighFirst = false): string {
  const start = reader.position;
  const bytes = reader.take(4);
  const id = toHex(isHighFirst ? bytes : bytes.toReversed());
  reader.noteSince(start, "Identification number", id);
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

/**
 * The meter's report of an error: always throws it.
 * Source: EN 13757-3, 5.7 (CI 70). Layout: nothing (unspecified), or one byte with the code, which is in `detail`.
 * Errors: ProtocolError "refused".
 */
export function throwApplicationError(
  bytes: Uint8Array,
  options: { trace?: Span[] | undefined; base: number },
): never {
  const reader = new ByteReader(bytes, options);
  const code = reader.done ? 0 : reader.u8("Application error");
  const text = applicationErrors[code] ?? "unknown error";
  throw new ProtocolError("refused", `the meter reports: ${text}`, { offset: options.base, detail: code });
}

/** Words for the status byte. Source: EN 13757-3, 5.9. Empty when all is well. */
export function statusWords(status: number): string[] {
  const state = [undefined, "application busy", "application error", "abnormal condition"][status & 3];
  const flags = [
    [0x04, "power low"],
    [0x08, "permanent error"],
    [0x10, "temporary error"],
  ] as const;
  return [
    ...(state === undefined ? [] : [state]),
    ...flags.flatMap(([mask, word]) => ((status & mask) === 0 ? [] : [word])),
  ];
}
