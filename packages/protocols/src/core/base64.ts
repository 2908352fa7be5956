import { ProtocolError } from "../core/errors.ts";

/** Bytes of standard base64. Errors: ProtocolError "unexpected" when the text is not base64. */
export function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    throw new ProtocolError("unexpected", "not base64");
  }
}

/** Standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
