import { ProtocolError } from "../core/errors.ts";

/**
 * Bytes as characters, one each (the eighth bit stays unchanged).
 * Source: IEC 62056-21, 5.1: the protocol is 7-bit text. Errors: none.
 */
export function textOf(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/**
 * Characters as bytes, the reverse of `textOf`. Errors: ProtocolError "unexpected" for a character above 255.
 */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => {
    const code = char.charCodeAt(0);
    if (code > 0xff) throw new ProtocolError("unexpected", `character ${char} cannot be sent`);
    return code;
  });
}

/** Bytes without their parity bit: the contents of a 7E1 line carried as 8N1. */
export function withoutParity(bytes: Uint8Array): Uint8Array {
  return bytes.some((byte) => byte > 0x7f) ? bytes.map((byte) => byte & 0x7f) : bytes;
}

/**
 * Bytes with even parity in bit 7, for a line that carries 8N1 to a meter that listens in 7E1.
 * Source: IEC 62056-21, 5.1 (1 start, 7 data, even parity, 1 stop).
 */
export function withEvenParity(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => {
    let ones = byte & 0x7f;
    ones ^= ones >> 4;
    ones ^= ones >> 2;
    ones ^= ones >> 1;
    return (byte & 0x7f) | ((ones & 1) << 7);
  });
}
