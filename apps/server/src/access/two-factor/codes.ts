import { randomInt } from "node:crypto";
import { generateSecret, generateURI, verifySync } from "otplib";

/**
 * Parameters of authenticator apps: 6 digits, SHA-1, a new code every 30 s. One step early or late is
 * accepted.
 */
const stepSec = 30;

/** Without look-alikes. */
const recoverySigns = "23456789abcdefghjkmnpqrstuvwxyz";
const recoveryLength = 10;
const recoveryCount = 10;

/** 160 random bits in Base32. */
export function newSecret(): string {
  return generateSecret({ length: 20 });
}

/** URI of the QR code for an authenticator app. */
export function uriOf(secret: string, email: string): string {
  return generateURI({ issuer: "Metrum", label: email, secret });
}

/** The time step of this code, within one step of now; undefined for any other text. */
export function stepOf(secret: string, code: string, nowSec: number): number | undefined {
  const token = code.replaceAll(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return undefined;
  const result = verifySync({ secret, token, epoch: nowSec, period: stepSec, epochTolerance: stepSec });
  return result.valid && "timeStep" in result ? result.timeStep : undefined;
}

/** Ten codes such as "x7k2m-9qhvw", about 50 bits each. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCount }, () => {
    const signs = Array.from(
      { length: recoveryLength },
      () => recoverySigns[randomInt(recoverySigns.length)],
    ).join("");
    return `${signs.slice(0, 5)}-${signs.slice(5)}`;
  });
}

/**
 * Normalises a recovery code as typed: case, spaces and the dash do not matter. Undefined for text that
 * cannot be one.
 */
export function plainRecovery(text: string): string | undefined {
  const plain = text.toLowerCase().replaceAll(/[\s-]/g, "");
  return plain.length === recoveryLength ? plain : undefined;
}
