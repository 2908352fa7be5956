import type { ByteReader, ByteWriter } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";
import { readLength, readOctets, writeLength, writeOctets } from "../data/axdr.ts";
import {
  parseSecurityControl,
  protect,
  securityControlByte,
  tagBytes,
  unprotect,
  type Protection,
} from "../session/security.ts";
import { apduTags, protectedTag, protectionOfTag } from "./tags.ts";
import type { CipheredApdu, SecurityContext, SecurityControl } from "../types.ts";

const headerBytes = 5;

/** Whether a message of this tag is a protected one. */
export const isCipheredTag = (tag: number): boolean => cipheredType(tag) !== undefined;

function cipheredType(tag: number): CipheredApdu["type"] | undefined {
  if (tag === apduTags.generalGlo) return "generalGlo";
  return tag === apduTags.generalDed ? "generalDed" : protectionOfTag(tag);
}

/**
 * A protected message, behind its tag; nothing is decrypted.
 * Source: Green Book 9.2.7.2.4.5, 9.5. Layout: the general forms begin with the system title (octets); then
 * length, security control 1, invocation counter 4, cipher text and tag. Errors: ProtocolError "unexpected".
 */
export function readCiphered(reader: ByteReader, tag: number): CipheredApdu {
  const type = cipheredType(tag) ?? reader.fail("not a protected message");
  const isGeneral = type === "generalGlo" || type === "generalDed";
  const systemTitle = isGeneral ? readOctets(reader, "system_title") : null;
  const length = readLength(reader, { code: "protected_part", part: "length" });
  if (length < headerBytes) reader.fail("protected part shorter than its header");
  if (length > reader.remaining)
    reader.fail(`protected part of ${String(length)} bytes, ${String(reader.remaining)} left`);
  const security = parseSecurityControl(reader.u8("security_control"));
  const counter = reader.u32be("invocation_counter");
  const content = readContent(reader, length - headerBytes, security);
  return { type, tag, systemTitle, security, counter, content };
}

/** Name of the span that `decodeDlmsApdu` replaces by the decoded plain text, if it has the key. */
export const protectedTextSpan = "protected_text";

function readContent(reader: ByteReader, length: number, security: SecurityControl): Uint8Array {
  const start = reader.position;
  const tagLength = security.isAuthenticated ? Math.min(tagBytes, length) : 0;
  reader.take(length - tagLength, protectedTextSpan);
  reader.take(tagLength, "authentication_tag");
  return reader.bytes.subarray(start, reader.position);
}

/** The mirror of `readCiphered`, tag included. */
export function writeCiphered(writer: ByteWriter, apdu: CipheredApdu): void {
  writer.u8(apdu.tag);
  if (apdu.systemTitle !== null) writeOctets(writer, apdu.systemTitle);
  writeLength(writer, headerBytes + apdu.content.length).u8(securityControlByte(apdu.security));
  writer.u32be(apdu.counter).raw(apdu.content);
}

/**
 * Wraps the bytes of a message into a protected one of the given kind.
 * Errors: ProtocolError "unsupported" when the service has no protected tag, and as in `protect`.
 */
export function cipherApdu(
  plain: Uint8Array,
  type: CipheredApdu["type"],
  protection: Protection,
): CipheredApdu {
  const { context, security, counter } = protection;
  const isGeneral = type === "generalGlo" || type === "generalDed";
  const tag = isGeneral ? apduTags[type] : protectedTag(plain[0] ?? 0, type);
  if (tag === undefined)
    throw new ProtocolError("unsupported", "this message has no protected form of its own");
  const content = protect(plain, protection);
  return { type, tag, systemTitle: isGeneral ? context.systemTitle : null, security, counter, content };
}

/**
 * The bytes of the message inside. `context.systemTitle` is that of the sender; a title that came with the
 * message is used instead.
 * Errors: ProtocolError as in `unprotect`; the inner message is not decoded here.
 */
export function decipherApdu(apdu: CipheredApdu, context: SecurityContext): Uint8Array {
  const { security, counter, systemTitle } = apdu;
  const title = systemTitle !== null && systemTitle.length > 0 ? systemTitle : context.systemTitle;
  return unprotect(apdu.content, { context: { ...context, systemTitle: title }, security, counter });
}
