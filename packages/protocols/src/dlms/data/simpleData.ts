import { named } from "../../core/spans.ts";
import type { TraceName } from "@metrum/vocabulary";
import type { ByteReader } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";
import { readLength, readOctets } from "./axdr.ts";
import { dataTags, dataTypeName } from "./dataTypes.ts";
import { formatDate, formatDateTime, formatTime, readDate, readDateTime, readTime } from "./dateTime.ts";
import type { DlmsData } from "../types.ts";

type ReadSimple = (reader: ByteReader, name: TraceName) => DlmsData;

const readers: ReadonlyMap<number, ReadSimple> = new Map<number, ReadSimple>([
  [dataTags.null, () => ({ type: "null" })],
  [dataTags.dontCare, () => ({ type: "dontCare" })],
  [dataTags.bool, (reader, name) => ({ type: "bool", value: reader.u8(name) !== 0 })],
  [dataTags.bitString, readBitString],
  [dataTags.int8, (reader, name) => ({ type: "int8", value: reader.i8(name) })],
  [dataTags.int16, (reader, name) => ({ type: "int16", value: signed(reader, name, 16) })],
  [dataTags.int32, (reader, name) => ({ type: "int32", value: signed(reader, name, 32) })],
  [dataTags.uint8, (reader, name) => ({ type: "uint8", value: reader.u8(name) })],
  [dataTags.uint16, (reader, name) => ({ type: "uint16", value: reader.u16be(name) })],
  [dataTags.uint32, (reader, name) => ({ type: "uint32", value: reader.u32be(name) })],
  [dataTags.enum, (reader, name) => ({ type: "enum", value: reader.u8(name) })],
  [dataTags.bcd, (reader, name) => ({ type: "bcd", value: reader.u8(name) })],
  [dataTags.float32, (reader, name) => ({ type: "float32", value: reader.f32be(name) })],
  [dataTags.float64, readFloat64],
  [
    dataTags.int64,
    (reader, name) => ({ type: "int64", value: BigInt.asIntN(64, read64(reader, name, true)) }),
  ],
  [dataTags.uint64, (reader, name) => ({ type: "uint64", value: read64(reader, name, false) })],
  [dataTags.octets, (reader, name) => ({ type: "octets", value: readOctets(reader, name) })],
  [dataTags.visible, readVisible],
  [dataTags.utf8, readUtf8],
  [dataTags.dateTime, (reader, name) => noted(reader, name, readDateTimeValue)],
  [dataTags.date, (reader, name) => noted(reader, name, readDateValue)],
  [dataTags.time, (reader, name) => noted(reader, name, readTimeValue)],
]);

/**
 * The contents of a value that has no parts; the tag has been read.
 * Source and layout: Green Book 9.5, Blue Book 4.1.5. Visible strings are read as Latin-1, a byte a
 * character; UTF-8 that is broken gets U+FFFD.
 * Errors: ProtocolError "unexpected" (end of data), "unsupported" (unknown tag).
 */
export function readSimple(reader: ByteReader, tag: number, name: TraceName): DlmsData {
  const read = readers.get(tag);
  if (read === undefined)
    throw new ProtocolError(
      "unsupported",
      `data type ${dataTypeName(tag) ?? String(tag)} has no simple value`,
      {
        offset: reader.offset,
      },
    );
  return read(reader, name);
}

function signed(reader: ByteReader, name: TraceName, bits: 16 | 32): number {
  const start = reader.position;
  const raw = bits === 16 ? reader.u16be() : reader.u32be();
  const value = (raw << (32 - bits)) >> (32 - bits);
  reader.noteSince(start, name, value);
  return value;
}

function read64(reader: ByteReader, name: TraceName, isSigned: boolean): bigint {
  const start = reader.position;
  const value = (BigInt(reader.u32be()) << 32n) | BigInt(reader.u32be());
  reader.noteSince(start, name, String(isSigned ? BigInt.asIntN(64, value) : value));
  return value;
}

function readFloat64(reader: ByteReader, name: TraceName): DlmsData {
  const start = reader.position;
  const bytes = reader.take(8);
  const value = new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0);
  reader.noteSince(start, name, value);
  return { type: "float64", value };
}

function readBitString(reader: ByteReader, name: TraceName): DlmsData {
  const count = readLength(reader, named(name, { part: "bits" }));
  return { type: "bitString", count, bytes: reader.take(Math.ceil(count / 8), name) };
}

function readVisible(reader: ByteReader, name: TraceName): DlmsData {
  const length = readLength(reader, named(name, { part: "length" }));
  const start = reader.position;
  const value = latin1(reader.take(length));
  reader.noteSince(start, name, value);
  return { type: "visible", value };
}

function readUtf8(reader: ByteReader, name: TraceName): DlmsData {
  const length = readLength(reader, named(name, { part: "length" }));
  const start = reader.position;
  const value = new TextDecoder("utf-8", { ignoreBOM: true }).decode(reader.take(length));
  reader.noteSince(start, name, value);
  return { type: "utf8", value };
}

/** Text of bytes, one character each. */
export const latin1 = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

function noted(
  reader: ByteReader,
  name: TraceName,
  read: (reader: ByteReader) => { data: DlmsData; text: string },
): DlmsData {
  const start = reader.position;
  const { data, text } = read(reader);
  reader.noteSince(start, name, { local: text });
  return data;
}

function readDateTimeValue(reader: ByteReader): { data: DlmsData; text: string } {
  const value = readDateTime(reader);
  return { data: { type: "dateTime", value }, text: formatDateTime(value) };
}
function readDateValue(reader: ByteReader): { data: DlmsData; text: string } {
  const value = readDate(reader);
  return { data: { type: "date", value }, text: formatDate(value) };
}
function readTimeValue(reader: ByteReader): { data: DlmsData; text: string } {
  const value = readTime(reader);
  return { data: { type: "time", value }, text: formatTime(value) };
}
