import type { TraceName } from "@metrum/vocabulary";
import { ByteReader, ByteWriter, type Span } from "../../core/bytes.ts";
import type { Match } from "../../core/conversation.ts";
import { isLeftUnchecked } from "../../core/masking.ts";
import { ProtocolError } from "../../core/errors.ts";
import { crcX25 } from "./crc.ts";
import { hdlcControl, hdlcControlName, parseHdlcControl } from "./hdlcControl.ts";
import type { HdlcAddress, HdlcFrame } from "./frames.ts";

export const hdlcFlag = 0x7e;
const formatType3 = 0xa0;
const segmented = 0x08;

/** LLC headers in front of a message, in its first (or only) frame. Source: IEC 62056-46, 5.3. */
export const llc = {
  toServer: Uint8Array.of(0xe6, 0xe6, 0),
  fromServer: Uint8Array.of(0xe6, 0xe7, 0),
} as const;

/** A message without the LLC header, if it starts with one of the two. */
export const withoutLlc = (bytes: Uint8Array): Uint8Array => (hasLlc(bytes) ? bytes.subarray(3) : bytes);

export const hasLlc = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xe6 && (bytes[1] === 0xe6 || bytes[1] === 0xe7) && bytes[2] === 0;

/** Address of a client (16 public, 1 management, 32 reader, 48 configurator), 1 byte. */
export const clientAddress = (id: number): HdlcAddress => ({ upper: id, lower: null, bytes: 1 });

/** Text of an address: "16", or "1/17" for logical and physical device. */
export const formatHdlcAddress = ({ upper, lower }: HdlcAddress): string =>
  lower === null ? String(upper) : `${String(upper)}/${String(lower)}`;

export const isSameAddress = (a: HdlcAddress, b: HdlcAddress): boolean =>
  a.upper === b.upper && a.lower === b.lower;

/**
 * A frame of its bytes from flag to flag.
 * Source: IEC 62056-46, 6.4 (ISO/IEC 13239 frame format type 3).
 * Layout: `7E`, format 2 bytes (A, segmentation bit 0800, 11 bits of length without flags), destination,
 * source, control, then nothing or header check 2 bytes and information, frame check 2 bytes, `7E`. Checks
 * are X.25, low byte first.
 * Errors: ProtocolError "checksum", "unexpected" (with offset).
 */
export function parseHdlc(
  bytes: Uint8Array,
  options: { trace?: Span[] | undefined; base?: number } = {},
): HdlcFrame {
  const reader = new ByteReader(bytes, options);
  const { frame } = readHdlc(reader);
  if (!reader.done) reader.fail(`${String(reader.remaining)} bytes after the frame`);
  return frame;
}

/**
 * The frame at the front of the remaining bytes, and where its information begins; see `parseHdlc`. With
 * `isFlagShared` the end of the last one may begin it.
 */
export function readHdlc(
  reader: ByteReader,
  isFlagShared = false,
): { frame: HdlcFrame; informationOffset: number } {
  if (!isFlagShared || reader.peek() === hdlcFlag) expectFlag(reader, "flag");
  const start = reader.position;
  const format = reader.u16be("frame_format");
  if (format >> 12 !== formatType3 >> 4) reader.fail("not frame format type 3");
  const end = start + (format & 0x7ff);
  if (end + 1 > reader.bytes.length)
    reader.fail(`frame needs ${String(end + 1 - reader.bytes.length)} bytes more`);
  const destination = readHdlcAddress(reader, "destination_address");
  const source = readHdlcAddress(reader, "source_address");
  const controlAt = reader.position;
  const control = parseHdlcControl(reader.u8()) ?? reader.fail("unknown control byte");
  reader.noteSince(controlAt, "control", hdlcControlName(control));
  const left = end - reader.position;
  if (left < 2 || left === 3) reader.fail("the length field does not fit the addresses");
  if (left > 2) checkSequence(reader, start, "hcs");
  const informationOffset = reader.offset;
  const information = reader.take(end - 2 - reader.position);
  checkSequence(reader, start, "fcs");
  expectFlag(reader, "flag_end");
  const isSegmented = ((format >> 8) & segmented) !== 0;
  return { frame: { destination, source, control, isSegmented, information }, informationOffset };
}

function expectFlag(reader: ByteReader, name: TraceName): void {
  if (reader.peek() !== hdlcFlag) reader.fail("flag 7E missing");
  reader.u8(name);
}

function checkSequence(reader: ByteReader, start: number, name: TraceName): void {
  const expected = crcX25(reader.bytes.subarray(start, reader.position));
  const at = reader.offset;
  const found = reader.u16le(name);
  if (found === expected || isLeftUnchecked(reader.bytes, reader.spans)) return;
  throw new ProtocolError("checksum", `check field ${String(found)}, calculated ${String(expected)}`, {
    offset: at,
  });
}

/**
 * Address: 7 bits a byte, the low bit is 1 in the last.
 * Source: IEC 62056-46, 6.4.2. Errors: ProtocolError "unexpected" unless it has 1, 2 or 4 bytes.
 */
function readHdlcAddress(reader: ByteReader, name: TraceName): HdlcAddress {
  const start = reader.position;
  const parts: number[] = [];
  for (let isLast = false; !isLast;) {
    const byte = reader.u8();
    parts.push(byte >> 1);
    isLast = (byte & 1) === 1;
    if (!isLast && parts.length === 4) reader.fail("address longer than 4 bytes");
  }
  const [a = 0, b = 0, c = 0, d = 0] = parts;
  if (parts.length === 3) reader.fail("address of 3 bytes");
  const address: HdlcAddress =
    parts.length === 1
      ? { upper: a, lower: null, bytes: 1 }
      : parts.length === 2
        ? { upper: a, lower: b, bytes: 2 }
        : { upper: a * 128 + b, lower: c * 128 + d, bytes: 4 };
  reader.noteSince(start, name, formatHdlcAddress(address));
  return address;
}

function writeHdlcAddress(writer: ByteWriter, { upper, lower, bytes }: HdlcAddress): void {
  const limit = bytes === 4 ? 0x3fff : 0x7f;
  if (upper > limit || (lower ?? 0) > limit)
    throw new RangeError(`address does not fit in ${String(bytes)} bytes`);
  const low = lower ?? 0;
  if (bytes === 1) writer.u8((upper << 1) | 1);
  else if (bytes === 2) writer.u8(upper << 1).u8((low << 1) | 1);
  else
    writer
      .u8((upper >> 7) << 1)
      .u8((upper & 0x7f) << 1)
      .u8((low >> 7) << 1)
      .u8(((low & 0x7f) << 1) | 1);
}

/**
 * The bytes of a frame, flags included; the mirror of `parseHdlc`. Errors: RangeError when something does not
 * fit (a bug of the caller).
 */
export function encodeHdlc(frame: HdlcFrame): Uint8Array {
  const { destination, source, information } = frame;
  const checks = information.length === 0 ? 2 : 4;
  const length = 3 + destination.bytes + source.bytes + information.length + checks;
  if (length > 0x7ff) throw new RangeError(`frame of ${String(length)} bytes`);
  const writer = new ByteWriter(length + 2);
  writer.u16be(((formatType3 | (frame.isSegmented ? segmented : 0)) << 8) | length);
  writeHdlcAddress(writer, destination);
  writeHdlcAddress(writer, source);
  writer.u8(hdlcControl(frame.control));
  if (information.length > 0) writer.u16le(crcX25(writer.finish())).raw(information);
  writer.u16le(crcX25(writer.finish()));
  return new ByteWriter(length + 2).u8(hdlcFlag).raw(writer.finish()).u8(hdlcFlag).finish();
}

/**
 * Length of the frame that begins here, both flags counted: 0 when none can begin here, undefined when more
 * bytes are needed to tell. Only flags, format and length are examined. Source: IEC 62056-46, 6.4. Errors:
 * none.
 */
export function hdlcLength(bytes: Uint8Array, at = 0): number | undefined {
  if (bytes[at] !== hdlcFlag) return 0;
  const high = bytes[at + 1];
  if (high === undefined) return undefined;
  if (high >> 4 !== formatType3 >> 4) return 0;
  const low = bytes[at + 2];
  if (low === undefined) return undefined;
  const length = ((high & 0x07) << 8) | low;
  if (length < 7) return 0;
  const last = bytes[at + length + 1];
  if (last === undefined) return undefined;
  return last === hdlcFlag ? length + 2 : 0;
}

/**
 * Tells how much of the received bytes is the frame that a step waits for.
 * `isWanted` examines whole frames with good checks; others (an echo, a late answer, a push) and noise are
 * skipped.
 * Source: IEC 62056-46, 6.4 (the length field ends a frame, not silence).
 * Errors: ProtocolError "checksum" or "unexpected" when a frame has come whole from flag to flag and is
 * damaged.
 */
export function matchHdlc(
  isWanted: (frame: HdlcFrame) => boolean = () => true,
): (received: Uint8Array) => Match {
  return (received) => {
    let skip = 0;
    while (skip < received.length) {
      const length = hdlcLength(received, skip);
      if (length === undefined) return { state: "more", skip };
      if (length > 0 && isWanted(parseHdlc(received.subarray(skip, skip + length))))
        return { state: "frame", length, skip };
      // The closing flag of a foreign frame may be the opening flag of the expected one.
      skip += Math.max(length - 1, 1);
    }
    return { state: "more", skip };
  };
}
