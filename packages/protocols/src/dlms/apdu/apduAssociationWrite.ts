import { ByteWriter, type ByteReader } from "../../core/bytes.ts";
import {
  acse,
  authenticationRequired,
  contextOid,
  layouts,
  mechanismOid,
  sources,
  universal,
} from "./acse.ts";
import { readUserInformation, userInformationBytes } from "./apduUserInformation.ts";
import { readAnyBer, readBer, readContents, restOf, writeBer } from "../data/ber.ts";
import { apduTags } from "./tags.ts";
import type { Aare, Aarq, BerPart, Release, UserInformation } from "../types.ts";

/**
 * Request or answer of an association, tag included; elements are in the order of their numbers. The reverse
 * of `readAarq` and `readAare`.
 */
export function writeAssociation(writer: ByteWriter, apdu: Aarq | Aare): void {
  const layout = layouts[apdu.type];
  const parts: BerPart[] = [
    { tag: acse.context, content: element(universal.objectId, objectId(contextOid, apdu.context)) },
    ...(apdu.type === "aare" ? resultParts(apdu) : []),
    ...optional(layout.systemTitle, apdu.systemTitle, (title) => element(universal.octets, title)),
    ...optional(layout.requirements, apdu.hasAuthentication || null, () => authenticationRequired),
    ...optional(layout.mechanism, apdu.mechanism, (mechanism) => objectId(mechanismOid, mechanism)),
    ...optional(layout.authenticationValue, apdu.authenticationValue, (value) =>
      element(universal.charString, value),
    ),
    ...userInformationPart(apdu.userInformation),
    ...apdu.other,
  ];
  const body = new ByteWriter();
  for (const { tag, content } of parts.toSorted((a, b) => (a.tag & 0x1f) - (b.tag & 0x1f)))
    writeBer(body, tag, content);
  writeBer(writer, apduTags[apdu.type], body.finish());
}

const element = (tag: number, content: Uint8Array): Uint8Array =>
  writeBer(new ByteWriter(), tag, content).finish();

const objectId = (prefix: readonly number[], number: number): Uint8Array => Uint8Array.of(...prefix, number);

const integer = (value: number): Uint8Array => element(universal.integer, Uint8Array.of(value));

function optional<Value>(
  tag: number,
  value: Value | null,
  content: (value: Value) => Uint8Array,
): readonly BerPart[] {
  return value === null ? [] : [{ tag, content: content(value) }];
}

const resultParts = (apdu: Aare): readonly BerPart[] => [
  { tag: acse.result, content: integer(apdu.result) },
  { tag: acse.diagnostic, content: element(sources[apdu.diagnosticSource], integer(apdu.diagnostic)) },
];

const userInformationPart = (information: UserInformation | null): readonly BerPart[] =>
  optional(acse.userInformation, information, (inner) =>
    element(universal.octets, userInformationBytes(inner)),
  );

/**
 * Release request or answer, behind its tag.
 * Source: Green Book 9.4.2. Layout, BER: 80 reason (1 byte, optional), BE user information (optional); others
 * are skipped.
 * Errors: ProtocolError "unexpected".
 */
export function readRelease(reader: ByteReader, type: Release["type"]): Release {
  const body = readContents(reader, type);
  let reason: number | null = null;
  let userInformation: UserInformation | null = null;
  while (!body.done) {
    const { tag, content } = readAnyBer(body, "element");
    if (tag === acse.releaseReason) reason = content.u8("release_reason");
    else if (tag === acse.userInformation)
      userInformation = readUserInformation(readBer(content, universal.octets, "user_information"));
    else restOf(content, "element");
  }
  return { type, reason, userInformation };
}

/** The mirror of `readRelease`, tag included. */
export function writeRelease(writer: ByteWriter, apdu: Release): void {
  const body = new ByteWriter();
  if (apdu.reason !== null) writeBer(body, acse.releaseReason, Uint8Array.of(apdu.reason));
  for (const { tag, content } of userInformationPart(apdu.userInformation)) writeBer(body, tag, content);
  writeBer(writer, apduTags[apdu.type], body.finish());
}
