import { ByteReader, ByteWriter, type Span } from "../core/bytes.ts";
import type { Match } from "../core/conversation.ts";
import { ProtocolError } from "../core/errors.ts";

/**
 * Control field of the telegrams a master sends. The bits 20 (FCB) and 10 (FCV) are part of the value where
 * they are fixed.
 */
export const control = {
  sndNke: 0x40,
  /** Send user data, FCV set, FCB 0. */
  sndUd: 0x53,
  /** Request class 2 data, FCV set, FCB 0; with FCB 1 it is 7B. */
  reqUd2: 0x5b,
  reqUd1: 0x5a,
  rspUd: 0x08,
  fcb: 0x20,
  fcv: 0x10,
  /** Set in every telegram of a master: distinguishes an echo from an answer. */
  fromMaster: 0x40,
} as const;

/** Addresses with a special meaning. */
export const address = { selected: 253, anyWithAnswer: 254, allWithoutAnswer: 255 } as const;

/** A link layer telegram. A long one without user data behind CI is the control frame of the standard. */
export type Frame =
  | { readonly kind: "ack" }
  | { readonly kind: "short"; readonly control: number; readonly address: number }
  | {
      readonly kind: "long";
      readonly control: number;
      readonly address: number;
      readonly ci: number;
      /** User data behind CI, and where it begins in the frame. */
      readonly data: Uint8Array;
      readonly dataOffset: number;
    };

const startShort = 0x10;
const startLong = 0x68;
const ackByte = 0xe5;
const stop = 0x16;

const sum = (bytes: Uint8Array): number => bytes.reduce((total, byte) => (total + byte) & 0xff, 0);

/** The single character E5. */
export const ackFrame = Uint8Array.of(ackByte);

/**
 * Short frame.
 * Source: EN 13757-2, 5.7.3. Layout: `10 C A checksum 16`, checksum = C + A modulo 256.
 */
export function shortFrame(c: number, a: number): Uint8Array {
  return Uint8Array.of(startShort, c, a, (c + a) & 0xff, stop);
}

/**
 * Long frame; without data it is a control frame.
 * Source: EN 13757-2, 5.7.3. Layout: `68 L L 68 C A CI data checksum 16`, L counts C to the last data byte,
 * at most 255.
 * Errors: RangeError for more than 252 data bytes (a bug of the caller).
 */
export function longFrame(c: number, a: number, ci: number, data: ArrayLike<number> = []): Uint8Array {
  const body = new ByteWriter(data.length + 3).u8(c).u8(a).u8(ci).raw(data).finish();
  const head = new ByteWriter(body.length + 6).u8(startLong).u8(body.length).u8(body.length).u8(startLong);
  return head.raw(body).u8(sum(body)).u8(stop).finish();
}

/**
 * Reads one whole frame, nothing before and nothing behind it.
 * Source: EN 13757-2, 5.7. Layout: see `shortFrame` and `longFrame`; E5 alone is the acknowledgement.
 * Errors: ProtocolError "checksum", or "unexpected" with the offset of the byte that does not fit.
 */
export function parseFrame(bytes: Uint8Array, options: { trace?: Span[] | undefined } = {}): Frame {
  const reader = new ByteReader(bytes, options);
  const frame = readFrame(reader);
  if (!reader.done) reader.fail(`${String(reader.remaining)} bytes behind the frame`);
  return frame;
}

/**
 * Reads one frame from a reader and leaves it after the stop byte; the caller names the user data. Source,
 * layout and errors: as `parseFrame`.
 */
export function readFrame(reader: ByteReader): Frame {
  switch (reader.peek()) {
    case ackByte:
      reader.u8("acknowledgement");
      return { kind: "ack" };
    case startShort:
      return readShort(reader);
    case startLong:
      return readLong(reader);
    default:
      return reader.fail("not the start of an M-Bus frame");
  }
}

function readShort(reader: ByteReader): Frame {
  reader.u8("start_short");
  const c = reader.u8("c_field");
  const a = reader.u8("a_field");
  checkEnd(reader, (c + a) & 0xff);
  return { kind: "short", control: c, address: a };
}

function readLong(reader: ByteReader): Frame {
  reader.u8("start_long");
  const length = reader.u8("l_field");
  if (reader.peek() !== length) reader.fail("the two lengths differ");
  reader.u8("l_field_again");
  if (reader.peek() !== startLong) reader.fail("second start byte missing");
  reader.u8("start_again");
  if (length < 3) reader.fail("length under 3");
  if (reader.remaining < length + 2)
    reader.fail(`frame needs ${String(length + 2 - reader.remaining)} bytes more`);
  const checksum = sum(reader.bytes.subarray(reader.position, reader.position + length));
  const c = reader.u8("c_field");
  const a = reader.u8("a_field");
  const ci = reader.u8("ci_field");
  const dataOffset = reader.offset;
  const data = reader.take(length - 3);
  checkEnd(reader, checksum);
  return { kind: "long", control: c, address: a, ci, data, dataOffset };
}

function checkEnd(reader: ByteReader, expected: number): void {
  const at = reader.offset;
  const found = reader.u8("checksum");
  if (found !== expected)
    throw new ProtocolError("checksum", `checksum ${String(found)}, calculated ${String(expected)}`, {
      offset: at,
    });
  if (reader.peek() !== stop) reader.fail("stop byte missing");
  reader.u8("stop");
}

/**
 * Tells how much of the received bytes is the answer that a step waits for.
 * `wants`: E5, or RSP_UD from `from` (undefined: from whoever answers, as for the addresses 253 and 254).
 * Noise, echoes of our own telegrams (bit 40 of C) and late answers of another kind or meter are skipped.
 * Source: EN 13757-2, 5.5 (the length field ends a frame, not silence).
 * Errors: ProtocolError "checksum" when a whole frame has come and its sum is wrong.
 */
export function matchAnswer(wants: "ack" | "data", from?: number): (received: Uint8Array) => Match {
  return (received) => {
    let skip = 0;
    while (skip < received.length) {
      const length = frameLength(received.subarray(skip));
      if (length === undefined) return { state: "more", skip };
      if (length > 0 && isWanted(received.subarray(skip, skip + length), wants, from))
        return { state: "frame", length, skip };
      skip += Math.max(length, 1);
    }
    return { state: "more", skip };
  };
}

/**
 * Length of the frame that begins here: 0 when none can begin here, undefined when more bytes are needed to
 * tell.
 * Source and layout: EN 13757-2, 5.7. Errors: none.
 */
export function frameLength(bytes: Uint8Array): number | undefined {
  const first = bytes[0];
  if (first === ackByte) return 1;
  if (first === startShort) {
    if (bytes.length < 5) return undefined;
    return bytes[4] === stop ? 5 : 0;
  }
  if (first !== startLong) return 0;
  const length = bytes[1];
  if (length === undefined) return undefined;
  if (length < 3) return 0;
  if (bytes.length > 2 && bytes[2] !== length) return 0;
  if (bytes.length > 3 && bytes[3] !== startLong) return 0;
  return bytes.length < length + 6 ? undefined : length + 6;
}

function isWanted(bytes: Uint8Array, wants: "ack" | "data", from: number | undefined): boolean {
  if (bytes[0] === startShort) return false;
  const frame = parseFrame(bytes);
  if (frame.kind !== "long") return wants === "ack";
  if (wants === "ack" || (frame.control & control.fromMaster) !== 0) return false;
  return from === undefined || frame.address === from;
}
