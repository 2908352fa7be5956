import { modelById } from "@metrum/catalogue";
import { fromHex, ProtocolError, type Driver } from "@metrum/protocols/core";
import type { SecretBox } from "#core";
import { openSecrets, type DeviceSecrets } from "#metering/devices";
import type { AskedDevice } from "./askedStore.ts";

/** Secrets of a device, unsealed for one exchange. A password not migrated yet is read from its old place. */
export function secretsOf(secretBox: SecretBox, { id, sealed, properties }: AskedDevice): DeviceSecrets {
  const plain = properties["password"];
  return {
    ...(typeof plain === "string" && plain !== "" ? { password: plain } : {}),
    ...openSecrets(secretBox, id, sealed),
  };
}

/**
 * Byte strings that must not be stored in the log, as they appear in a frame: a password as text and as
 * binary digits (Mercury), a key as bytes and as its hexadecimal text; for a device without a password, or
 * with an empty one, the default passwords of its model.
 */
export function bytesToMask({ password, keys }: DeviceSecrets, modelId: number): Uint8Array[] {
  const texts = [password, keys?.encryption, keys?.authentication].filter(
    (text): text is string => text !== undefined && text !== "",
  );
  const own = texts.flatMap((text) => [
    new TextEncoder().encode(text),
    ...(/^\d{6,}$/.test(text) ? [Uint8Array.from(text, Number)] : []),
    ...binaryOf(text),
  ]);
  const model = modelById(modelId);
  const hasOwn = password !== undefined && password !== "";
  return model?.kind === "meter" && !hasOwn ? [...own, ...factorySecrets(model.driver)] : own;
}

/** The passwords of a model, as they are in a frame. */
export const factorySecrets = (driver: Driver | undefined): readonly Uint8Array[] =>
  driver?.kind === "line" ? (driver.factoryPasswords ?? []) : [];

/** Short hexadecimal is more likely a word than bytes, and would mask innocent bytes. */
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
