import { fromHex, ProtocolError } from "@metrum/protocols";
import type { Config } from "../config.ts";
import { openSecrets, type DeviceSecrets } from "#devices";
import type { AskedDevice } from "./asked.ts";

/** Secrets of a device, opened for one exchange. A password that has not moved yet is taken from where it stands. */
export function secretsOf(config: Config, { id, sealed, properties }: AskedDevice): DeviceSecrets {
  const plain = properties["password"];
  return {
    ...(typeof plain === "string" && plain !== "" ? { password: plain } : {}),
    ...openSecrets(config, id, sealed),
  };
}

/**
 * What must not rest in the log, as its bytes stand in a frame: a password as text and as binary digits (Mercury), a key as bytes
 * and as its hexadecimal text.
 */
export function bytesToMask({ password, keys }: DeviceSecrets): Uint8Array[] {
  const texts = [password, keys?.encryption, keys?.authentication].filter(
    (text): text is string => text !== undefined && text !== "",
  );
  return texts.flatMap((text) => [
    new TextEncoder().encode(text),
    ...(/^\d{6,}$/.test(text) ? [Uint8Array.from(text, Number)] : []),
    ...binaryOf(text),
  ]);
}

/** Short hexadecimal is more likely a word than bytes, and would blot out what is not secret. */
const leastHexDigits = 12;

function binaryOf(text: string): Uint8Array[] {
  if (text.length < leastHexDigits) return [];
  try {
    return [fromHex(text)];
  } catch (error) {
    if (error instanceof ProtocolError) return [];
    throw error;
  }
}
