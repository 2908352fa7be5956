import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "#config";
import { hasCode } from "./errorCode.ts";

/**
 * Name of the key file in the data directory. Sealed data cannot be opened without it: include it in every
 * backup.
 */
export const secretsKeyFile = "secrets.key";

/** Encrypts secrets at rest: AES-256-GCM with a key file outside the database (security rule 4.6). */
export interface SecretBox {
  /**
   * Layout: version 1 (1 byte), nonce (12), ciphertext, tag (16). `purpose` ("two_factor:7") is
   * authenticated, so that a secret sealed for one row does not open in another.
   */
  readonly seal: (text: string, purpose: string) => Buffer;
  /** Errors: Error when sealed with another key or for another purpose, or altered. */
  readonly open: (sealed: Uint8Array, purpose: string) => string;
  /** A keyed hash, 32 bytes: short codes cannot be guessed from it without the key file. */
  readonly mac: (text: string, purpose: string) => Buffer;
}

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

/**
 * The secret box of this installation. The key is created at the first use, mode 0600; processes that share a
 * database share the file. Each use throws an Error that names the file when it is not a key.
 */
export function createSecretBox({ dataDir }: Pick<Config, "dataDir">): SecretBox {
  let opened: SecretBox | undefined;
  const box = (): SecretBox => (opened ??= boxOf(keyOf(dataDir)));
  return {
    seal: (text, purpose) => box().seal(text, purpose),
    open: (sealed, purpose) => box().open(sealed, purpose),
    mac: (text, purpose) => box().mac(text, purpose),
  };
}

/**
 * Identifies the key of a data directory without revealing it; undefined without a key. Errors: Error that names the
 * file when it is not a key.
 */
export function fingerprintOf(dataDir: string): string | undefined {
  const file = join(dataDir, secretsKeyFile);
  const text = readIfThere(file);
  return text === undefined
    ? undefined
    : derive(parsed(file, text), "fingerprint").toString("hex").slice(0, 32);
}

/** Makes the key of a data directory unless it is there. */
export function makeSecretsKey(dataDir: string): void {
  keyOf(dataDir);
}

function boxOf(root: Buffer): SecretBox {
  const key = derive(root, "seal");
  const macKey = derive(root, "mac");
  return {
    seal(text, purpose) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.of(version), nonce, body, cipher.getAuthTag()]);
    },
    open(sealed, purpose) {
      if (sealed[0] !== version || sealed.length < 1 + nonceBytes + tagBytes)
        throw new Error("not a sealed secret");
      const body = 1 + nonceBytes;
      const end = sealed.length - tagBytes;
      const cipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(1, body))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(sealed.subarray(end));
      return cipher.update(sealed.subarray(body, end), undefined, "utf8") + cipher.final("utf8");
    },
    mac: (text, purpose) => createHmac("sha256", macKey).update(`${purpose}\0${text}`).digest(),
  };
}

function derive(root: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync("sha256", root, Buffer.alloc(0), `metrum ${use}`, keyBytes));
}

function keyOf(dataDir: string): Buffer {
  const file = join(dataDir, secretsKeyFile);
  return parsed(file, readIfThere(file) ?? makeKey(dataDir, file));
}

function parsed(file: string, text: string): Buffer {
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== keyBytes) throw new Error(`${file} is not a key of ${String(keyBytes)} bytes`);
  return key;
}

/**
 * Written to a temporary file and linked into place, so that two processes starting at once read the same
 * key.
 */
function makeKey(dataDir: string, file: string): string {
  mkdirSync(dataDir, { recursive: true });
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  writeFileSync(draft, `${randomBytes(keyBytes).toString("base64")}\n`, {
    mode: 0o600,
    flag: "wx",
    flush: true,
  });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(file, "utf8");
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
