import { cbc, cmac, ctr } from "@noble/ciphers/aes.js";
import { ByteWriter, fromHex } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";

export const blockBytes = 16;

/**
 * Parses the AES-128 key of a device.
 * Layout: 32 hexadecimal digits. Errors: ProtocolError "bad_password" for anything else; the key is not
 * repeated.
 */
export function keyOf(text: string): Uint8Array {
  const digits = text.replaceAll(/\s+/g, "");
  if (!/^[0-9a-f]{32}$/i.test(digits))
    throw new ProtocolError("bad_password", "the key is not 32 hexadecimal digits");
  return fromHex(digits);
}

/**
 * Start vector of security mode 5.
 * Source: EN 13757-7, 7.6.3 (OMS vol. 2, 9.3.2). Layout: manufacturer 2, number 4, version, medium as on the
 * air, then the access number eight times; `address` is the first eight. Errors: none.
 */
export function vectorOfMode5(address: Uint8Array, accessNumber: number): Uint8Array {
  return new ByteWriter(blockBytes).raw(address).raw(new Uint8Array(8).fill(accessNumber)).finish();
}

/**
 * Initialisation vector of security mode 7: zero, because each telegram has its own key. Source: OMS vol. 2,
 * 9.3.4.
 */
export const vectorOfMode7: Uint8Array = new Uint8Array(blockBytes);

/**
 * AES-128-CBC without padding, whole blocks. Source: EN 13757-7. Errors: RangeError for other lengths (a bug
 * of the caller).
 */
export function decryptBlocks(key: Uint8Array, vector: Uint8Array, bytes: Uint8Array): Uint8Array {
  return cbc(key, vector, { disablePadding: true }).decrypt(bytes);
}

/** The reverse of `decryptBlocks`. */
export function encryptBlocks(key: Uint8Array, vector: Uint8Array, bytes: Uint8Array): Uint8Array {
  return cbc(key, vector, { disablePadding: true }).encrypt(bytes);
}

/**
 * AES-128-CTR of the extended link layer, the same in both directions.
 * Source: EN 13757-4, 12.6. Layout of the first counter block: manufacturer 2, address 6, CC 1, session
 * number 4, frame number 2 and block counter 1, both zero. Errors: none.
 */
export function cryptPayload(
  key: Uint8Array,
  of: { address: Uint8Array; cc: number; session: Uint8Array },
  bytes: Uint8Array,
): Uint8Array {
  const counter = new ByteWriter(blockBytes).raw(of.address).u8(of.cc).raw(of.session).raw([0, 0, 0]);
  return ctr(key, counter.finish()).encrypt(bytes);
}

/** Purpose of a derived key. Source: OMS vol. 2, table 47 (constants of the key derivation). */
export const derivation = { encryption: 0x00, authentication: 0x01 } as const;

/**
 * Key of one telegram of the meter, by the derivation function A.
 * Source: OMS vol. 2, 9.5.4. Layout: CMAC over the constant, message counter 4 little-endian, meter's number
 * 4 as on the air, seven bytes 07.
 * Errors: none.
 */
export function deriveKey(
  key: Uint8Array,
  constant: number,
  of: { counter: number; meterNumber: Uint8Array },
): Uint8Array {
  const message = new ByteWriter(blockBytes).u8(constant).u32le(of.counter).raw(of.meterNumber);
  return cmac(key, message.raw(new Uint8Array(7).fill(0x07)).finish());
}

/**
 * Authentication code of a telegram.
 * Source: OMS vol. 2, 9.5.3 (AFL). Layout: CMAC over message control 1, message counter 4, then everything
 * from the CI behind the layer on, as sent; the first bytes of it. Errors: none.
 */
export function authenticationCode(
  key: Uint8Array,
  of: { control: number; counter: number; content: Uint8Array },
): Uint8Array {
  return cmac(key, new ByteWriter().u8(of.control).u32le(of.counter).raw(of.content).finish());
}
