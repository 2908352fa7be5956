import { named } from "../../core/spans.ts";
import type { TraceName } from "@metrum/vocabulary";
import type { ByteReader, ByteWriter } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";

/**
 * A length or count.
 * Source: IEC 61334-6 (A-XDR), the same as BER. Layout: 00..7F itself; 81..84: that many bytes follow, high
 * byte first.
 * Errors: ProtocolError "unexpected" for more than 4 bytes or the end of the data.
 */
export function readLength(reader: ByteReader, name: TraceName = "length"): number {
  const start = reader.position;
  const first = reader.u8();
  const bytes = first & 0x7f;
  if (first >= 0x80 && (bytes === 0 || bytes > 4)) reader.fail("length is not of 1 to 4 bytes");
  let length = first;
  if (first >= 0x80) {
    length = 0;
    for (let at = 0; at < bytes; at++) length = length * 256 + reader.u8();
  }
  reader.noteSince(start, name, length);
  return length;
}

/** The shortest form of a length; see `readLength`. */
export function writeLength(writer: ByteWriter, length: number): ByteWriter {
  if (length < 0x80) return writer.u8(length);
  if (length < 0x100) return writer.u8(0x81).u8(length);
  if (length < 0x10000) return writer.u8(0x82).u16be(length);
  return writer.u8(0x84).u32be(length);
}

/** Octets with their length in front. Errors: ProtocolError "unexpected" when they do not fit. */
export function readOctets(reader: ByteReader, name: TraceName): Uint8Array {
  const length = readLength(reader, named(name, { part: "length" }));
  return reader.take(length, name);
}

export function writeOctets(writer: ByteWriter, octets: Uint8Array): ByteWriter {
  return writeLength(writer, octets.length).raw(octets);
}

/** An optional part: 00 absent, anything else present (01 by the standard). */
export function readOptional<Part>(reader: ByteReader, name: TraceName, read: () => Part): Part | null {
  return reader.u8(named(name, { part: "presence" })) === 0 ? null : read();
}

/**
 * List of parts. Errors: ProtocolError "unexpected" when the count exceeds the remaining bytes: each part has
 * at least one.
 */
export function readList<Part>(reader: ByteReader, name: TraceName, read: () => Part): Part[] {
  const count = readLength(reader, named(name, { part: "elements" }));
  if (count > reader.remaining) reader.fail(`${String(count)} elements in ${String(reader.remaining)} bytes`);
  return Array.from({ length: count }, read);
}

/** OBIS code of 6 bytes as "1.0.1.8.0.255". */
export const formatObis = (bytes: Uint8Array): string => Array.from(bytes, String).join(".");

/**
 * Six bytes of "1.0.1.8.0.255"; dashes, colons and stars of the long spelling ("1-0:1.8.0*255") are accepted
 * too.
 * Errors: ProtocolError "unsupported" when it is not six numbers up to 255 (an OBIS code comes from settings,
 * not from the line).
 */
export function parseObis(text: string): Uint8Array {
  const parts = text.split(/[-.:*]/).map((part) => (/^\d{1,3}$/.test(part) ? Number(part) : Number.NaN));
  if (parts.length !== 6 || !parts.every((part) => part <= 255))
    throw new ProtocolError("unsupported", `"${text}" is not an OBIS code of six numbers`);
  return Uint8Array.from(parts);
}
