import { gcm } from "@noble/ciphers/aes.js";
import { equalBytes } from "@noble/ciphers/utils.js";
import { ByteWriter } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";
import type { SecurityContext, SecurityControl } from "../types.ts";

/** Bytes of the authentication tag: GCM's 16 cut to 12. */
export const tagBytes = 12;
const gcmTagBytes = 16;
const systemTitleBytes = 8;
/** AES-128 for the suites 0 and 1, AES-256 for 2. */
const keyBytes: Readonly<Record<number, number>> = { 0: 16, 1: 16, 2: 32 };

const flags = { authenticated: 0x10, encrypted: 0x20, broadcastKey: 0x40, compressed: 0x80 } as const;

/**
 * Source: Green Book 9.2.7.2.4.2 (security control byte). Layout: low nibble suite, 10 authenticated, 20
 * encrypted, 40 broadcast key, 80 compressed.
 */
export function parseSecurityControl(byte: number): SecurityControl {
  return {
    suite: byte & 0x0f,
    isAuthenticated: (byte & flags.authenticated) !== 0,
    isEncrypted: (byte & flags.encrypted) !== 0,
    isBroadcastKey: (byte & flags.broadcastKey) !== 0,
    isCompressed: (byte & flags.compressed) !== 0,
  };
}

/** The mirror of `parseSecurityControl`. */
export function securityControlByte(security: SecurityControl): number {
  return (
    (security.suite & 0x0f) |
    (security.isAuthenticated ? flags.authenticated : 0) |
    (security.isEncrypted ? flags.encrypted : 0) |
    (security.isBroadcastKey ? flags.broadcastKey : 0) |
    (security.isCompressed ? flags.compressed : 0)
  );
}

/** Sender, protection and counter of a message. */
export interface Protection {
  readonly context: SecurityContext;
  readonly security: SecurityControl;
  /** Invocation counter, 32 bits; never repeated with one key. */
  readonly counter: number;
}

/**
 * Protects a message: cipher text (or plain text when it is only authenticated), and the tag of 12 bytes when
 * authenticated.
 * Source: Green Book 9.2.7.2.4, NIST SP 800-38D. Layout: nonce = system title 8 + counter 4; additional data
 * = security control + authentication key, and behind them the plain text when it is only authenticated; none
 * when it is only encrypted.
 * Errors: ProtocolError "unsupported" (suite, length of a key or title, missing key, compression).
 */
export function protect(plain: Uint8Array, protection: Protection): Uint8Array {
  const { isAuthenticated, isEncrypted } = protection.security;
  checkProtection(protection);
  if (!isAuthenticated && !isEncrypted) return plain;
  const additional = additionalData(protection, plain);
  const sealed = seal(protection, isEncrypted ? plain : new Uint8Array(), additional);
  const text = isEncrypted ? sealed.subarray(0, plain.length) : plain;
  const tag = sealed.subarray(sealed.length - gcmTagBytes, sealed.length - gcmTagBytes + tagBytes);
  return isAuthenticated ? joined(text, tag) : text;
}

/**
 * Gives back the message; the mirror of `protect`.
 * Errors: ProtocolError "bad_password" when the tag does not fit (another key or title, changed bytes),
 * "unexpected" when there is no room for a tag, "unsupported" as in `protect`. Without authentication a wrong
 * key is not noticed here.
 */
export function unprotect(content: Uint8Array, protection: Protection): Uint8Array {
  const { isAuthenticated, isEncrypted } = protection.security;
  checkProtection(protection);
  if (!isAuthenticated && !isEncrypted) return content;
  const textBytes = content.length - (isAuthenticated ? tagBytes : 0);
  if (textBytes < 0) throw new ProtocolError("unexpected", "a protected message is shorter than its tag");
  const text = content.subarray(0, textBytes);
  // GCM encrypts by XOR, so encrypting again decrypts; the library verifies only full tags of 16 bytes.
  const plain = isEncrypted ? seal(protection, text, new Uint8Array()).subarray(0, textBytes) : text;
  if (
    isAuthenticated &&
    !equalBytes(protect(plain, protection).subarray(textBytes), content.subarray(textBytes))
  )
    throw new ProtocolError(
      "bad_password",
      "authentication tag does not fit: other key, or changed on the way",
    );
  return plain;
}

function seal({ context, counter }: Protection, text: Uint8Array, additional: Uint8Array): Uint8Array {
  const nonce = new ByteWriter(12).raw(context.systemTitle).u32be(counter).finish();
  return gcm(context.encryptionKey, nonce, additional).encrypt(text);
}

function additionalData({ context, security }: Protection, plain: Uint8Array): Uint8Array {
  if (!security.isAuthenticated) return new Uint8Array();
  const writer = new ByteWriter().u8(securityControlByte(security)).raw(context.authenticationKey ?? []);
  return security.isEncrypted ? writer.finish() : writer.raw(plain).finish();
}

function checkProtection({ context, security }: Protection): void {
  const wanted = keyBytes[security.suite];
  const refuse = (message: string): never => {
    throw new ProtocolError("unsupported", message);
  };
  if (wanted === undefined) return refuse(`security suite ${String(security.suite)} is not known`);
  if (security.isCompressed) refuse("compressed messages are not supported");
  if (context.systemTitle.length !== systemTitleBytes) refuse("a system title has 8 bytes");
  if (context.encryptionKey.length !== wanted)
    refuse(`the encryption key of this suite has ${String(wanted)} bytes`);
  if (!security.isAuthenticated) return;
  if (context.authenticationKey === null) return refuse("the message is authenticated, its key is not given");
  if (context.authenticationKey.length !== wanted)
    refuse(`the authentication key of this suite has ${String(wanted)} bytes`);
}

/**
 * Answer to a challenge by HLS mechanism 5 (GMAC).
 * Source: Green Book 9.2.7.4; recorded session. Layout: security control (10 + suite), counter 4, tag 12 over
 * control, authentication key, challenge.
 * Errors: ProtocolError "unsupported" as in `protect`.
 */
export function gmacAnswer(
  challenge: Uint8Array,
  of: Omit<Protection, "security"> & { suite?: number },
): Uint8Array {
  const security = gmacSecurity(of.suite ?? 0);
  const content = protect(challenge, { ...of, security });
  return new ByteWriter()
    .u8(securityControlByte(security))
    .u32be(of.counter)
    .raw(content.subarray(challenge.length))
    .finish();
}

/**
 * Whether an answer to one's own challenge was made with the right keys; `context` is that of the sender.
 * Errors: as in `gmacAnswer`.
 */
export function isGmacAnswer(answer: Uint8Array, challenge: Uint8Array, context: SecurityContext): boolean {
  if (answer.length !== 5 + tagBytes) return false;
  const view = new DataView(answer.buffer, answer.byteOffset);
  const suite = view.getUint8(0) & 0x0f;
  return equalBytes(gmacAnswer(challenge, { context, counter: view.getUint32(1), suite }), answer);
}

const gmacSecurity = (suite: number): SecurityControl => ({
  suite,
  isAuthenticated: true,
  isEncrypted: false,
  isBroadcastKey: false,
  isCompressed: false,
});

const joined = (a: Uint8Array, b: Uint8Array): Uint8Array =>
  new ByteWriter(a.length + b.length).raw(a).raw(b).finish();
