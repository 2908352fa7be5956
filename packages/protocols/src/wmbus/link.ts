import type { ByteReader } from "../core/bytes.ts";
import { manufacturerLetters, mediumNameOf, mediumWord, readId } from "../mbus/header.ts";
import { diehlAddress, type DiehlAddress } from "./makers/diehl.ts";

/** Identity of a meter. */
export interface WmbusIdentity {
  /** Three letters. */
  readonly manufacturer: string;
  /** Eight digits; hexadecimal ones occur. */
  readonly id: string;
  readonly version: number;
  readonly medium: number;
  readonly mediumName: string;
  /** Manufacturer 2, number 4, version, medium in this order, as required by initialisation vectors. */
  readonly address: Uint8Array;
}

/** Header of a telegram: kind and sender. The sender may be a radio module and not the meter. */
export interface LinkHeader extends WmbusIdentity {
  readonly control: number;
}

/** Names of the control field of telegrams that a meter sends. Source: EN 13757-4, table 23. */
const controls: Readonly<Record<number, string>> = {
  0x00: "ACK",
  0x08: "RSP_UD",
  0x18: "RSP_UD",
  0x44: "SND_NR",
  0x46: "SND_IR",
  0x47: "ACC_NR",
  0x48: "ACC_DMD",
};

/**
 * Reads L, C, M and A.
 * Source: EN 13757-4, 12.5. Layout: L 1, C 1, manufacturer 2, number 4 BCD, version 1, medium 1, low byte
 * first; in telegrams of Diehl's own kinds as \`diehlAddress\` says.
 * Errors: ProtocolError "unexpected" when shorter.
 */
export function readLinkHeader(reader: ByteReader): LinkHeader {
  reader.u8("l_field");
  const start = reader.position;
  const control = reader.u8();
  reader.noteSince(start, "c_field", controls[control] ?? control);
  return { control, ...readIdentity(reader, diehlAddress(reader.bytes)) };
}

const waterMeter = 0x07;

/**
 * Manufacturer and address in the order of the link layers, or of a maker's own. Source, layout and errors:
 * as `readLinkHeader`.
 */
export function readIdentity(reader: ByteReader, order?: DiehlAddress): WmbusIdentity {
  const from = reader.position;
  const word = reader.u16le();
  const manufacturer = manufacturerLetters(word);
  reader.noteSince(from, "m_field", manufacturer);
  const before = order === "swapped" ? readVersion(reader, manufacturer) : undefined;
  const id = readId(reader);
  if (order === "number5") reader.take(2, "rest_of_number");
  const [version, medium] =
    before ?? (order === "number5" ? [0, waterMeter] : readVersion(reader, manufacturer));
  const address = reader.bytes.slice(from, reader.position);
  return { manufacturer, id, version, medium, mediumName: mediumNameOf(medium, manufacturer), address };
}

function readVersion(reader: ByteReader, manufacturer: string): [version: number, medium: number] {
  const version = reader.u8("version");
  const mediumAt = reader.position;
  const medium = reader.u8();
  reader.noteSince(mediumAt, "medium", mediumWord(medium, manufacturer));
  return [version, medium];
}
