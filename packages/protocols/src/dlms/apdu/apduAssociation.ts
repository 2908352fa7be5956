import type { TraceName } from "@metrum/vocabulary";
import type { ByteReader } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";
import { acse, contextOid, layouts, mechanismOid, sources, universal } from "./acse.ts";
import { readUserInformation } from "./apduUserInformation.ts";
import { readAnyBer, readBer, readContents, restOf } from "../data/ber.ts";
import type { Aare, Aarq, BerPart, UserInformation } from "../types.ts";

interface Draft {
  context?: number;
  systemTitle?: Uint8Array;
  hasAuthentication?: boolean;
  mechanism?: number;
  authenticationValue?: Uint8Array;
  userInformation?: UserInformation;
  result?: number;
  diagnosticSource?: "user" | "provider";
  diagnostic?: number;
  readonly other: BerPart[];
}

/**
 * Request of an association, behind its tag.
 * Source: Green Book 9.4.2 (ACSE), BER. Layout: elements A1 context, A6 system title of the client, 8A
 * requirements, 8B mechanism, AC password or challenge, BE user information; others are kept as they are.
 * Errors: ProtocolError "unexpected", "unsupported" (foreign object ids).
 */
export function readAarq(reader: ByteReader): Aarq {
  return { type: "aarq", ...shared(readParts(reader, "aarq"), reader) };
}

/**
 * Answer to it, behind its tag; see `readAarq`. Layout: besides A2 result, A3 diagnostic, A4 system title of
 * the server, 88, 89, AA, BE.
 */
export function readAare(reader: ByteReader): Aare {
  const draft = readParts(reader, "aare");
  const { result, diagnostic, diagnosticSource } = draft;
  if (result === undefined || diagnostic === undefined || diagnosticSource === undefined)
    return reader.fail("AARE without result or diagnostic");
  return { type: "aare", ...shared(draft, reader), result, diagnosticSource, diagnostic };
}

type Shared = Omit<Aarq, "type">;

function shared(draft: Draft, reader: ByteReader): Shared {
  return {
    context: draft.context ?? reader.fail("application context missing"),
    systemTitle: draft.systemTitle ?? null,
    hasAuthentication: draft.hasAuthentication ?? false,
    mechanism: draft.mechanism ?? null,
    authenticationValue: draft.authenticationValue ?? null,
    userInformation: draft.userInformation ?? null,
    other: draft.other,
  };
}

function readParts(reader: ByteReader, kind: "aarq" | "aare"): Draft {
  const body = readContents(reader, kind);
  const draft: Draft = { other: [] };
  while (!body.done) {
    const { tag, content } = readAnyBer(body, "element");
    if (!readNamed(draft, tag, { content, kind }))
      draft.other.push({ tag, content: restOf(content, "element") });
  }
  return draft;
}

/** Reads an element that has a name into the draft; false when it has none. */
function readNamed(
  draft: Draft,
  tag: number,
  { content, kind }: { content: ByteReader; kind: "aarq" | "aare" },
): boolean {
  const layout = layouts[kind];
  if (tag === acse.context)
    draft.context = readOid(readBer(content, universal.objectId, "context"), contextOid);
  else if (tag === layout.systemTitle)
    draft.systemTitle = restOf(readBer(content, universal.octets, "system_title"), "system_title");
  else if (tag === layout.requirements)
    draft.hasAuthentication = ((restOf(content, "acse_requirements")[1] ?? 0) & 0x80) !== 0;
  else if (tag === layout.mechanism) draft.mechanism = readOid(content, mechanismOid);
  else if (tag === layout.authenticationValue && content.peek() === universal.charString)
    draft.authenticationValue = restOf(
      readBer(content, universal.charString, "secret"),
      "password_or_challenge",
    );
  else if (tag === acse.userInformation)
    draft.userInformation = readUserInformation(readBer(content, universal.octets, "user_information"));
  else if (kind === "aare" && tag === acse.result) draft.result = readInteger(content, "result");
  else if (kind === "aare" && tag === acse.diagnostic) readDiagnostic(draft, content);
  else return false;
  return true;
}

function readDiagnostic(draft: Draft, content: ByteReader): void {
  const { tag, content: inner } = readAnyBer(content, "diagnostic_source");
  draft.diagnosticSource = tag === sources.provider ? "provider" : "user";
  draft.diagnostic = readInteger(inner, "diagnostic");
}

const readInteger = (content: ByteReader, name: TraceName): number =>
  readBer(content, universal.integer, name).u8(name);

function readOid(content: ByteReader, prefix: readonly number[]): number {
  const at = content.offset;
  const start = content.position;
  const oid = content.take(content.remaining);
  if (oid.length !== 7 || !prefix.every((byte, place) => oid[place] === byte))
    throw new ProtocolError("unsupported", "not an object id of DLMS", { offset: at });
  content.noteSince(start, "object_id", oid[6] ?? 0);
  return oid[6] ?? 0;
}
