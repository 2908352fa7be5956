import { ByteReader, ByteWriter, type Span } from "../core/bytes.ts";
import type { Match } from "../core/conversation.ts";
import { ProtocolError } from "../core/errors.ts";
import { crc16 } from "./crc.ts";
import { dataBytes, type ModbusRequest } from "./pdu.ts";

/** How a frame is wrapped. RTU over TCP is `rtu`: the same frame without silence between frames. */
export type ModbusVariant = "rtu" | "tcp";

/** Largest frame: 256 bytes on a serial line, 260 over TCP. */
const maxFrame = 260;

/** An unwrapped frame. `pdu` follows the unit; the reader's offsets are those of the whole frame. */
export interface Adu {
  readonly unit: number;
  /** Number of the exchange; TCP only. */
  readonly transaction?: number;
  readonly pdu: ByteReader;
}

/**
 * Wraps function and data for the line.
 * Source: Modbus over Serial Line V1.02 section 2.5.1; Messaging on TCP/IP V1.0b section 3.1.3.
 * Layout: RTU: unit, PDU, CRC-16 low byte first. TCP: transaction, protocol 0, length of what follows, unit,
 * PDU; big-endian.
 */
export function wrap(
  variant: ModbusVariant,
  frame: { unit: number; pdu: Uint8Array; transaction?: number | undefined },
): Uint8Array {
  const writer = new ByteWriter(maxFrame);
  if (variant === "tcp")
    return writer
      .u16be(frame.transaction ?? 0)
      .u16be(0)
      .u16be(frame.pdu.length + 1)
      .u8(frame.unit)
      .raw(frame.pdu)
      .finish();
  const body = writer.u8(frame.unit).raw(frame.pdu).finish();
  return new ByteWriter(maxFrame).raw(body).u16le(crc16(body)).finish();
}

/**
 * Opens exactly one frame. Source and layout as `wrap`.
 * Errors: ProtocolError "checksum"; "unexpected" when the frame is short, or the header has a wrong protocol
 * or length.
 */
export function unwrap(
  variant: ModbusVariant,
  bytes: Uint8Array,
  options: { trace?: Span[] | undefined; base?: number } = {},
): Adu {
  return variant === "tcp" ? unwrapTcp(bytes, options) : unwrapRtu(bytes, options);
}

type Trace = { trace?: Span[] | undefined; base?: number };

function unwrapRtu(bytes: Uint8Array, { trace, base = 0 }: Trace): Adu {
  if (bytes.length < 4)
    throw new ProtocolError("unexpected", "shorter than any RTU frame", { offset: base + bytes.length });
  const end = bytes.length - 2;
  const tail = new ByteReader(bytes.subarray(end), { trace, base: base + end });
  if (tail.u16le("crc") !== crc16(bytes.subarray(0, end)))
    throw new ProtocolError("checksum", "CRC does not match", { offset: base + end });
  const pdu = new ByteReader(bytes.subarray(0, end), { trace, base });
  return { unit: pdu.u8("unit"), pdu };
}

function unwrapTcp(bytes: Uint8Array, { trace, base = 0 }: Trace): Adu {
  const pdu = new ByteReader(bytes, { trace, base });
  const transaction = pdu.u16be("transaction");
  if (pdu.u16be("protocol") !== 0) pdu.fail("not Modbus: protocol is not 0");
  const length = pdu.u16be("length");
  if (length !== pdu.remaining)
    pdu.fail(`length says ${String(length)}, ${String(pdu.remaining)} bytes follow`);
  return { unit: pdu.u8("unit"), transaction, pdu };
}

/** The expected answer of a step: the request, parsed and as bytes. */
export interface Sent {
  readonly variant: ModbusVariant;
  readonly unit: number;
  readonly transaction: number;
  readonly request: ModbusRequest;
  readonly bytes: Uint8Array;
}

/**
 * Finds the answer to `sent` in what has come. The length follows from function and byte count, never from
 * silence, because tunnels stretch silence. An echo of the request, noise and late answers of another shape
 * (RTU) or transaction (TCP) are skipped.
 * Errors: ProtocolError "checksum" when our answer is whole and damaged; "unexpected" when a TCP header is
 * not Modbus.
 */
export function matchReply(sent: Sent, received: Uint8Array): Match {
  return sent.variant === "tcp" ? matchTcp(sent, received) : matchRtu(sent, received);
}

function matchRtu(sent: Sent, received: Uint8Array): Match {
  let damaged = false;
  for (let at = echoLength(sent, received); at < received.length; at++) {
    const length = rtuReplyLength(sent, received.subarray(at));
    if (length === undefined) continue;
    if (at + length > received.length) return { state: "more" };
    if (rtuSound(received.subarray(at, at + length))) return { state: "frame", length, skip: at };
    damaged = true;
  }
  // The echo of a multiple write begins like its answer: wait until the echo is whole.
  if (damaged && received.every((byte, at) => byte === sent.bytes[at])) return { state: "more" };
  if (damaged || received.length > 2 * maxFrame)
    throw new ProtocolError("checksum", "no sound answer in what has come");
  return { state: "more" };
}

/**
 * A single write is answered by its own bytes, so an echo cannot be distinguished from the answer and is not
 * searched.
 */
function echoLength({ request, bytes }: Sent, received: Uint8Array): number {
  if (request.kind === "writeOne") return 0;
  return received.length >= bytes.length && bytes.every((byte, at) => byte === received[at])
    ? bytes.length
    : 0;
}

/** Length of our answer if it begins here; undefined if it cannot begin here. */
function rtuReplyLength({ unit, request }: Sent, bytes: Uint8Array): number | undefined {
  const [first, code, count] = bytes;
  if (first !== unit) return undefined;
  if (code === undefined) return 5;
  if (code === (request.function | 0x80)) return 5;
  if (code !== request.function) return undefined;
  if (request.kind !== "read") return 8;
  const wanted = dataBytes(request.function, request.count);
  return count === undefined || count === wanted ? wanted + 5 : undefined;
}

export function rtuSound(frame: Uint8Array): boolean {
  const end = frame.length - 2;
  const crc = crc16(frame.subarray(0, end));
  return frame[end] === (crc & 0xff) && frame[end + 1] === crc >>> 8;
}

function matchTcp(sent: Sent, received: Uint8Array): Match {
  let skip = 0;
  while (received.length - skip >= 8) {
    const header = new ByteReader(received.subarray(skip), { base: skip });
    const transaction = header.u16be();
    if (header.u16be() !== 0) header.fail("not Modbus: protocol is not 0");
    const length = header.u16be();
    if (length < 2 || length > maxFrame - 6) header.fail(`impossible length ${String(length)}`);
    if (header.remaining < length) return { state: "more", skip };
    const unit = header.u8();
    const code = header.u8() & 0x7f;
    if (transaction === sent.transaction && unit === sent.unit && code === sent.request.function)
      return { state: "frame", length: length + 6, skip };
    skip += length + 6;
  }
  return { state: "more", skip };
}
