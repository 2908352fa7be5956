import type { ByteReader } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";

/** Contents of the authentication and fragmentation layer: counter and code of this telegram. */
export interface Authentication {
  /** Message control; its low bits give the kind of the code. */
  readonly control?: number;
  /** Message counter, part of the keys. */
  readonly counter?: number;
  readonly code?: Uint8Array;
}

/**
 * Bits of the fragmentation control that announce fields, and fragments that follow. Source: OMS vol. 2, 6.3.
 */
const present = {
  keyInformation: 0x0200,
  code: 0x0400,
  counter: 0x0800,
  length: 0x1000,
  control: 0x2000,
  more: 0x4000,
} as const;

/**
 * Bytes of the code by the low bits of the message control: AES-CMAC-128, cut off. Source: OMS vol. 2, table
 * 11.
 */
const codeBytes: Readonly<Record<number, number>> = { 3: 2, 4: 4, 5: 8, 6: 12, 7: 16, 8: 12 };

/**
 * Reads the authentication and fragmentation layer behind its CI 90.
 * Source: OMS vol. 2, clause 6. Layout: length 1, fragmentation control 2, then as it announces: message
 * control 1, key information 2, message counter 4, code 2 to 16, message length 2; low byte first.
 * Errors: ProtocolError "unsupported" for a message in fragments and for codes that have no known length,
 * "unexpected" when shorter or when the length does not fit.
 */
export function readAuthentication(reader: ByteReader): Authentication {
  const length = reader.u8("authentication_length");
  const end = reader.position + length;
  const at = reader.offset;
  const fragmentation = reader.u16le("fragmentation_control");
  if ((fragmentation & present.more) !== 0 || (fragmentation & 0xff) > 1)
    throw new ProtocolError("unsupported", "a message in fragments", { offset: at, detail: fragmentation });
  const has = (bit: number): boolean => (fragmentation & bit) !== 0;
  const control = has(present.control) ? reader.u8("message_control") : undefined;
  if (has(present.keyInformation)) reader.u16le("key_information");
  const counter = has(present.counter) ? reader.u32le("message_counter") : undefined;
  const code = has(present.code) ? readCode(reader, control ?? 0) : undefined;
  if (has(present.length)) reader.u16le("message_length");
  if (reader.position !== end) reader.fail("the length of the authentication layer does not fit its fields");
  return {
    ...(control === undefined ? {} : { control }),
    ...(counter === undefined ? {} : { counter }),
    ...(code === undefined ? {} : { code }),
  };
}

function readCode(reader: ByteReader, control: number): Uint8Array {
  const bytes = codeBytes[control & 0x0f];
  if (bytes === undefined)
    throw new ProtocolError("unsupported", `authentication ${String(control & 0x0f)}`, {
      offset: reader.offset,
      detail: control & 0x0f,
    });
  return reader.take(bytes, "authentication_code");
}
