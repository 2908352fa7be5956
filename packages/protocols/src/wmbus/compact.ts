import { ByteReader, ByteWriter, fromHex, type Span } from "../core/bytes.ts";
import type { RecordFormat, RecordFormats } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { readDataInformation, readValueInformation } from "../mbus/information.ts";
import { decodeRecords, recordDataBytes, type RecordList } from "../mbus/records.ts";
import { placedSpans } from "./blocks.ts";
import { crcEn13757 } from "./crc.ts";

const filler = 0x2f;

/** Formats of received full frames, by their signature, for decoding compact frames. */
export type FormatCache = RecordFormats;

/**
 * Formats of full frames, kept by the caller; the oldest goes when there are more than `limit`.
 * `known`: record heads of full frames that the manufacturer's meters send, in hexadecimal.
 * Source: EN 13757-3, annex G (compact frames). Errors: ProtocolError "unexpected" for a broken `known`.
 */
export function formatCache(known: readonly string[] = [], limit = 256): FormatCache {
  const formats = new Map<number, RecordFormat>();
  const learn = (format: RecordFormat): void => {
    const signature = signatureOf(format);
    formats.delete(signature);
    formats.set(signature, format);
    const [oldest] = formats.keys();
    if (formats.size > limit && oldest !== undefined) formats.delete(oldest);
  };
  for (const heads of known) learn(splitHeads(fromHex(heads)));
  return { find: (signature) => formats.get(signature), learn };
}

/**
 * Signature of a format. Source: EN 13757-3, annex G. Layout: check sum of EN 13757-4 over all heads. Errors:
 * none.
 */
export function signatureOf(format: RecordFormat): number {
  return crcEn13757(format.reduce((writer, head) => writer.raw(head), new ByteWriter()).finish());
}

/** Consecutive heads without data. Errors: ProtocolError "unexpected" when the last one ends early. */
export function splitHeads(bytes: Uint8Array): RecordFormat {
  const reader = new ByteReader(bytes);
  const heads: Uint8Array[] = [];
  while (!reader.done) heads.push(readHead(reader));
  return heads;
}

function readHead(reader: ByteReader): Uint8Array {
  const start = reader.position;
  readDataInformation(reader);
  readValueInformation(reader);
  return reader.bytes.slice(start, reader.position);
}

/**
 * Format of the records of a full frame; undefined when special DIFs stand between them, as no compact frame
 * can represent those. Fillers that verify a key or pad a block belong to the encryption and not to the
 * records.
 * Source: EN 13757-3, annex G. Errors: ProtocolError as `decodeRecords`.
 */
export function formatOf(records: Uint8Array): RecordFormat | undefined {
  const reader = new ByteReader(withoutFillers(records));
  const heads: Uint8Array[] = [];
  while (!reader.done) {
    const dif = reader.peek() ?? 0;
    if ((dif & 0x0f) === 0x0f) return undefined;
    heads.push(readHead(reader));
    reader.take(recordDataBytes(dif, reader.peek()));
  }
  return heads;
}

function withoutFillers(records: Uint8Array): Uint8Array {
  let [from, to] = [0, records.length];
  while (records[from] === filler) from += 1;
  while (to > from && records[to - 1] === filler) to -= 1;
  // A last record whose data ends in 2F is whole only with it; its reader reports missing bytes.
  while (to < records.length && !isWholeList(records.subarray(from, to))) to += 1;
  return records.subarray(from, to);
}

function isWholeList(records: Uint8Array): boolean {
  try {
    decodeRecords(records);
    return true;
  } catch (error) {
    if (error instanceof ProtocolError) return false;
    throw error;
  }
}

/**
 * Decodes the records of a compact frame with the format of the full frame that it shortens.
 * Source: EN 13757-3, annex G. Layout: signature of the format 2, check sum of the full frame's records 2,
 * low byte first, then the data of the records without their heads.
 * Errors: ProtocolError "unsupported" when no such full frame was seen, "checksum" when the rebuilt frame is
 * not the one that was meant, "unexpected" when data is missing or left over.
 */
export function decodeCompact(
  bytes: Uint8Array,
  options: { formats: FormatCache | undefined; trace: Span[] | undefined; base: number },
): RecordList {
  const reader = new ByteReader(bytes, { trace: options.trace, base: options.base });
  // Encrypted ones begin with the two filler bytes that verify the key.
  if (reader.peek() === filler && reader.peek(1) === filler) reader.take(2, "filler");
  const at = reader.offset;
  const signature = reader.u16le("format_signature");
  const checkAt = reader.offset;
  const check = reader.u16le("full_frame_check");
  const format = options.formats?.find(signature);
  if (format === undefined)
    throw new ProtocolError("unsupported", `no full frame of format ${hex4(signature)} was seen before`, {
      offset: at,
      detail: signature,
    });
  const full = rebuild(reader, format);
  if (crcEn13757(full.bytes) !== check)
    throw new ProtocolError("checksum", "the records do not give the check sum of the full frame", {
      offset: checkAt,
    });
  const inner: Span[] | undefined = options.trace && [];
  const list = decodeRecords(full.bytes, { trace: inner });
  if (inner) options.trace?.push(...placedSpans(inner, full.origins));
  return list;
}

const hex4 = (value: number): string => value.toString(16).toUpperCase().padStart(4, "0");

/** The full frame; heads have no position in the received bytes. */
function rebuild(reader: ByteReader, format: RecordFormat): { bytes: Uint8Array; origins: number[] } {
  const writer = new ByteWriter();
  const origins: number[] = [];
  for (const head of format) {
    writer.raw(head);
    for (let n = 0; n < head.length; n++) origins.push(-1);
    const data = reader.take(recordDataBytes(head[0] ?? 0, reader.peek()));
    writer.raw(data);
    for (let n = data.length; n > 0; n--) origins.push(reader.offset - n);
  }
  while (reader.peek() === filler) reader.u8("filler");
  if (!reader.done) reader.fail("bytes behind the last record of the format");
  return { bytes: writer.finish(), origins };
}
