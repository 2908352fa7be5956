import { ByteWriter, type Span } from "../core/bytes.ts";
import type { Match } from "../core/conversation.ts";
import { isLeftUnchecked } from "../core/masking.ts";
import { ProtocolError } from "../core/errors.ts";
import { bytesOf, textOf, withoutParity } from "./text.ts";

/** Control characters of the protocol. */
export const char = { soh: 0x01, stx: 0x02, etx: 0x03, eot: 0x04, ack: 0x06, nak: 0x15 } as const;

/** One message of either side. `isLast` false: the block ends in EOT and more follow. */
export type IecMessage =
  | { readonly kind: "request"; readonly address: string }
  | {
      readonly kind: "identification";
      readonly manufacturer: string;
      /** Baud rate character offered by the meter. */
      readonly baud: string;
      /** Mode E: the meter can switch to binary (`\2` in front of the type). */
      readonly isEnhanced: boolean;
      readonly type: string;
    }
  | { readonly kind: "option"; readonly baud: string; readonly mode: string; readonly protocol: string }
  | { readonly kind: "ack" }
  | { readonly kind: "nak" }
  | { readonly kind: "data"; readonly text: string; readonly offset: number; readonly isLast: boolean }
  | {
      readonly kind: "command";
      /** P0, P1, P2, R1 to R6, W1 to W5, E2, B0. */
      readonly command: string;
      readonly text: string;
      readonly offset: number;
      readonly isLast: boolean;
    };

/**
 * How a block is closed. "xor" is the standard's; "sum" adds the bytes up, as Energomera's CE meters do.
 * Source: IEC 62056-21, annex A; checked with recorded blocks of a CE301 and a CE102M published by open
 * implementations.
 */
export type BlockCheck = "xor" | "sum";

/** Block check character, 7 bits, of all bytes behind the first SOH or STX, ETX or EOT included. */
export function bccOf(bytes: Uint8Array, check: BlockCheck = "xor"): number {
  let bcc = 0;
  for (const byte of bytes) bcc = check === "sum" ? bcc + byte : bcc ^ byte;
  return bcc & 0x7f;
}

/** Speeds of mode C by their character. Source: IEC 62056-21, 6.3.14, table 3. */
export const bauds: readonly number[] = [300, 600, 1200, 2400, 4800, 9600, 19_200];

/**
 * Baud rate and mode in the third and fourth character of an acknowledgement; the caller has checked the
 * preceding ones.
 */
export const optionCharacters = (text: string) => ({
  protocol: text[1] ?? "",
  baud: text[2] ?? "",
  mode: text[3] ?? "",
});

interface ParseOptions {
  readonly check?: BlockCheck | undefined;
  readonly trace?: Span[] | undefined;
}

/**
 * Reads one whole message, with or without parity bits.
 * Source: IEC 62056-21, 6.3. Layout: `/?address!` CR LF; `/XXXZ type` CR LF; 06 V Z Y CR LF; 06; 15; STX data
 * ETX BCC; SOH command [STX data] ETX BCC.
 * Errors: ProtocolError "checksum" for a wrong BCC, "unexpected" (with offset) for anything else.
 */
export function parseMessage(raw: Uint8Array, { check = "xor", trace }: ParseOptions = {}): IecMessage {
  const bytes = withoutParity(raw);
  switch (bytes[0]) {
    case 0x2f:
      return parseLine(textOf(bytes), trace);
    case char.ack:
    case char.nak:
      return parseAnswer(bytes, trace);
    case char.stx:
    case char.soh:
      return parseBlock(bytes, { check, trace });
    default:
      throw new ProtocolError("unexpected", "no message begins here", { offset: 0 });
  }
}

function parseLine(text: string, trace: Span[] | undefined): IecMessage {
  const request = /^\/\?([^!\r\n]{0,32})!\r\n$/.exec(text);
  if (request) {
    const address = request[1] ?? "";
    trace?.push({ offset: 0, bytes: text.length, name: "sign_on", value: address });
    return { kind: "request", address };
  }
  const [, manufacturer, baud, escape, type] =
    /^\/([A-Za-z]{3})(.)((?:\\.)*)([^\r\n]{0,32})\r\n$/.exec(text) ?? [];
  if (manufacturer === undefined || baud === undefined)
    throw new ProtocolError("unexpected", "neither a sign-on nor an identification", { offset: 1 });
  trace?.push(
    { offset: 0, bytes: 4, name: "manufacturer", value: manufacturer },
    { offset: 4, bytes: 1, name: "speed", value: baud },
    { offset: 5, bytes: text.length - 5, name: "device_type", value: `${escape ?? ""}${type ?? ""}` },
  );
  const isEnhanced = escape?.includes("\\2") ?? false;
  return { kind: "identification", manufacturer, baud, isEnhanced, type: type ?? "" };
}

function parseAnswer(bytes: Uint8Array, trace: Span[] | undefined): IecMessage {
  const isAck = bytes[0] === char.ack;
  if (bytes.length === 1) {
    trace?.push({ offset: 0, bytes: 1, name: isAck ? "ack" : "nak", value: null });
    return { kind: isAck ? "ack" : "nak" };
  }
  const text = textOf(bytes);
  if (!isAck || !/^.[0-2][0-9A-I].\r\n$/.test(text))
    throw new ProtocolError("unexpected", "not an option select message", { offset: 1 });
  const option = optionCharacters(text);
  trace?.push({
    offset: 0,
    bytes: bytes.length,
    name: "option",
    value: text.slice(1, 4),
  });
  return { kind: "option", ...option };
}

function parseBlock(bytes: Uint8Array, { check, trace }: ParseOptions): IecMessage {
  const end = bytes.findIndex((byte) => byte === char.etx || byte === char.eot);
  if (end < 0 || end !== bytes.length - 2)
    throw new ProtocolError("unexpected", "the block does not end in ETX and BCC", {
      offset: Math.max(end, 0),
    });
  trace?.push({
    offset: end,
    bytes: 2,
    name: bytes[end] === char.etx ? "etx_bcc" : "eot_bcc",
    value: { hex: bytes[end + 1] ?? 0, bytes: 1 },
  });
  const isRight = bccOf(bytes.subarray(1, end + 1), check) === bytes[end + 1];
  if (!isRight && !isLeftUnchecked(bytes, trace))
    throw new ProtocolError("checksum", "the block check character is wrong", { offset: end + 1 });
  const isLast = bytes[end] === char.etx;
  if (bytes[0] === char.stx) return { kind: "data", text: textOf(bytes.subarray(1, end)), offset: 1, isLast };
  const command = textOf(bytes.subarray(1, 3));
  if (!/^[BEPRW][0-9]$/.test(command))
    throw new ProtocolError("unexpected", "unknown command", { offset: 1 });
  trace?.push({ offset: 1, bytes: 2, name: "command", value: command });
  if (end > 3 && bytes[3] !== char.stx)
    throw new ProtocolError("unexpected", "no STX behind the command", { offset: 3 });
  const offset = Math.min(4, end);
  return { kind: "command", command, text: textOf(bytes.subarray(offset, end)), offset, isLast };
}

/** A data block. Source and layout: `parseMessage`. */
export function dataBlock(text: string, { isLast = true, check = "xor" }: BlockOptions = {}): Uint8Array {
  return closed([char.stx, ...bytesOf(text), isLast ? char.etx : char.eot], check);
}

interface BlockOptions {
  /** False: ends in EOT, more blocks follow. */
  readonly isLast?: boolean;
  readonly check?: BlockCheck | undefined;
}

/** A command, with data when it has some. Source and layout: `parseMessage`. */
export function commandBlock(command: string, text?: string, check: BlockCheck = "xor"): Uint8Array {
  const data = text === undefined ? [] : [char.stx, ...bytesOf(text)];
  return closed([char.soh, ...bytesOf(command), ...data, char.etx], check);
}

function closed(bytes: readonly number[], check: BlockCheck): Uint8Array {
  return new ByteWriter(bytes.length + 1)
    .raw(bytes)
    .u8(bccOf(Uint8Array.from(bytes.slice(1)), check))
    .finish();
}

export const signOn = (address: string): Uint8Array => bytesOf(`/?${address}!\r\n`);
export const optionSelect = (option: { baud: string; mode: string; protocol?: string }): Uint8Array =>
  bytesOf(`\x06${option.protocol ?? "0"}${option.baud}${option.mode}\r\n`);

/** Maximum plausible block length. */
export const maxBlockBytes = 65_536;

/**
 * Finds a complete message in the received bytes; line noise before its first character is skipped (zeros of
 * a break, truncated echoes). Errors: ProtocolError "checksum" as soon as a block is complete and its BCC
 * wrong; "unexpected" beyond 65 536 bytes.
 */
export function matchMessage(raw: Uint8Array, check?: BlockCheck): Match {
  const bytes = withoutParity(raw);
  const skip = bytes.findIndex((byte) => starts.has(byte));
  if (skip < 0) return { state: "more", skip: bytes.length };
  const length = messageLength(bytes.subarray(skip));
  if (length === undefined) {
    if (bytes.length > maxBlockBytes)
      throw new ProtocolError("unexpected", "the block does not end", { offset: skip });
    return { state: "more", skip };
  }
  parseMessage(bytes.subarray(skip, skip + length), { check });
  return { state: "frame", length, skip };
}

const starts: ReadonlySet<number> = new Set([0x2f, char.stx, char.soh, char.ack, char.nak]);

/** Length of the message that begins here; undefined while it is not whole. */
export function messageLength(bytes: Uint8Array): number | undefined {
  const [first] = bytes;
  if (first === char.ack && bytes.length > 1 && bytes[1] !== char.stx && bytes[1] !== char.soh)
    return lineLength(bytes);
  if (first === char.ack || first === char.nak) return 1;
  if (first === 0x2f) return lineLength(bytes);
  const end = bytes.findIndex((byte) => byte === char.etx || byte === char.eot);
  return end < 0 || end + 2 > bytes.length ? undefined : end + 2;
}

function lineLength(bytes: Uint8Array): number | undefined {
  const end = bytes.indexOf(0x0a);
  return end < 0 ? undefined : end + 1;
}
