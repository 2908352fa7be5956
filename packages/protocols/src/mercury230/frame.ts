import type { TraceName } from "@metrum/vocabulary";
import { ByteReader, ByteWriter, type Span } from "../core/bytes.ts";
import type { Match } from "../core/conversation.ts";
import { isLeftUnchecked } from "../core/masking.ts";
import { ProtocolError, type ProtocolErrorKind } from "../core/errors.ts";
import { crc16 } from "../modbus/crc.ts";

/** Address of a frame and the bytes between it and the CRC. */
export interface MercuryFrame {
  readonly address: number;
  readonly body: Uint8Array;
}

/** A frame with its CRC. Source and layout: `openFrame`. */
export function closeFrame(address: number, body: Uint8Array): Uint8Array {
  const head = new ByteWriter(body.length + 3).u8(address).raw(body);
  return head.u16le(crc16(head.finish())).finish();
}

/**
 * Opens a frame of either side.
 * Source: Incotex exchange protocol of the 203.2TD, 204, 208, 230, 231, 234, 236, 238 [as public clients use
 * it].
 * Layout: address 1, body, CRC-16 Modbus low byte first. There is no length: silence ends a frame.
 * Errors: ProtocolError "unexpected" under 4 bytes, "checksum".
 */
export function openFrame(
  bytes: Uint8Array,
  options: { trace?: Span[] | undefined; base?: number } = {},
): MercuryFrame {
  if (bytes.length < 4)
    throw new ProtocolError("unexpected", "shorter than any frame", {
      offset: (options.base ?? 0) + bytes.length,
    });
  const reader = new ByteReader(bytes, options);
  const address = reader.u8("device_address");
  const body = reader.take(bytes.length - 3);
  const at = reader.offset;
  if (reader.u16le("crc") !== crc16(bytes.subarray(0, -2)) && !isLeftUnchecked(bytes, options.trace))
    throw new ProtocolError("checksum", "the CRC is wrong", { offset: at });
  return { address, body };
}

export const isSound = (bytes: Uint8Array): boolean =>
  bytes.length >= 4 && crc16(bytes.subarray(0, -2)) === ((bytes.at(-1) ?? 0) << 8) + (bytes.at(-2) ?? 0);

/**
 * Status answers of the meter to a command, or instead of data. Source: the same protocol, section on the
 * status byte [public clients].
 */
export const statusNames: Readonly<Record<number, string>> = {
  0: "ok",
  1: "invalid command or parameter",
  2: "internal error of the meter",
  3: "access level too low",
  4: "the clock was corrected today already",
  5: "channel not open",
};

/** Meaning of a status, for the trace. */
export const statusCodes: Readonly<Record<number, TraceName>> = {
  0: "status_ok",
  1: "status_invalid_command_or_parameter",
  2: "status_internal_error_of_the_meter",
  3: "status_access_level_too_low",
  4: "status_the_clock_was_corrected_today_already",
  5: "status_channel_not_open",
};

const statusKinds: Readonly<Record<number, ProtocolErrorKind>> = { 1: "unsupported", 3: "bad_password" };

/** The refusal of a status, which is in `detail`. */
export function statusError(status: number): ProtocolError {
  const name = statusNames[status] ?? "unknown status";
  return new ProtocolError(statusKinds[status] ?? "refused", `status ${status}: ${name}`, { detail: status });
}

/** Status of an answer whose body is one byte: its low nibble; undefined for data. */
export const statusOf = (body: Uint8Array): number | undefined =>
  body.length === 1 ? (body[0] ?? 0) & 0x0f : undefined;

const statusBytes = 4;

/**
 * Whether an answer is the request itself, as a line with an echo returns it. The answer to the test of the
 * channel has the bytes of its request, which are no longer than a status.
 */
export const isEcho = (sent: Uint8Array, received: Uint8Array): boolean =>
  sent.length > statusBytes &&
  sent.length === received.length &&
  sent.every((byte, at) => byte === received[at]);

/** The refusal of an answer that is the request itself. */
export const echoError = (offset = 0): ProtocolError =>
  new ProtocolError("unexpected", "the request came back (echo)", { offset });

/**
 * `match` for what follows the echo of `sent`; without an answer behind it the echo is what came, until
 * silence ends it. Errors: those of `match`.
 */
export function afterEcho(sent: Uint8Array, match: (received: Uint8Array) => Match) {
  return (received: Uint8Array): Match => {
    const head = received.subarray(0, sent.length);
    const isPart = sent.length > statusBytes && head.every((byte, at) => byte === sent[at]);
    if (!isPart || isStatusFrame(received)) return match(received);
    if (received.length <= sent.length) return { state: "more" };
    const found = match(received.subarray(sent.length));
    return { ...found, skip: sent.length + (found.skip ?? 0) };
  };
}

const isStatusFrame = (received: Uint8Array): boolean =>
  received.length === statusBytes && isSound(received) && (received[1] ?? 0) <= 0x0f;

/**
 * Tells a whole answer: `dataBytes` of data, or a status (4 bytes with a good CRC and nothing behind them).
 * Undefined `dataBytes`: only silence ends it. An echo is the business of `afterEcho`. Address 0 is answered
 * by any meter.
 * Errors: ProtocolError "unexpected" (another meter answers), "checksum".
 */
export function matchAnswer(address: number, dataBytes: number | undefined) {
  return (received: Uint8Array): Match => {
    const [from] = received;
    if (from !== undefined && from !== address && address !== 0)
      throw new ProtocolError("unexpected", `meter ${from} answers in place of ${address}`, { offset: 0 });
    if (isStatusFrame(received)) return { state: "frame", length: statusBytes };
    const length = dataBytes === undefined ? Infinity : dataBytes + 3;
    if (received.length < length) return { state: "more" };
    openFrame(received.subarray(0, length));
    return { state: "frame", length };
  };
}
