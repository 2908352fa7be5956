import { ByteReader, ByteWriter, type Span } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";
import {
  readActionRequest,
  readActionResponse,
  writeActionRequest,
  writeActionResponse,
} from "./apduAction.ts";
import { readAare, readAarq } from "./apduAssociation.ts";
import { readRelease, writeAssociation, writeRelease } from "./apduAssociationWrite.ts";
import { readGetRequest, readGetResponse, writeGet } from "./apduGet.ts";
import {
  readDataNotification,
  readEventNotification,
  readException,
  readGeneralBlock,
  writeDataNotification,
  writeEventNotification,
  writeException,
  writeGeneralBlock,
} from "./apduOther.ts";
import { readSetRequest, readSetResponse, writeSetRequest, writeSetResponse } from "./apduSet.ts";
import { readUserInformation, writeUserInformation } from "./apduUserInformation.ts";
import { isCipheredTag } from "./apduCiphered.ts";
import { apduTagName, apduTags } from "./tags.ts";
import type { Apdu } from "../types.ts";

type ReadApdu = (reader: ByteReader) => Apdu;

/**
 * Messages of a service; the tag has been read. Those of `readUserInformation` include the tag and are not
 * here.
 */
const readers: ReadonlyMap<number, ReadApdu> = new Map<number, ReadApdu>([
  [apduTags.aarq, readAarq],
  [apduTags.aare, readAare],
  [apduTags.rlrq, (reader) => readRelease(reader, "rlrq")],
  [apduTags.rlre, (reader) => readRelease(reader, "rlre")],
  [apduTags.getRequest, readGetRequest],
  [apduTags.getResponse, readGetResponse],
  [apduTags.setRequest, readSetRequest],
  [apduTags.setResponse, readSetResponse],
  [apduTags.actionRequest, readActionRequest],
  [apduTags.actionResponse, readActionResponse],
  [apduTags.eventNotification, readEventNotification],
  [apduTags.dataNotification, readDataNotification],
  [apduTags.exceptionResponse, readException],
  [apduTags.generalBlockTransfer, readGeneralBlock],
]);

const insideAssociation: ReadonlySet<number> = new Set([
  apduTags.initiateRequest,
  apduTags.initiateResponse,
  apduTags.confirmedServiceError,
]);

/**
 * A whole message. Protected ones are parsed, not decrypted (`decipherApdu`).
 * Source: Green Book 9.5, IEC 62056-53. Layout: tag 1 byte, then by service.
 * Errors: ProtocolError "unexpected" (end of data, excess bytes, wrong choice), "unsupported" (unknown
 * message or data type), with offset.
 */
export function decodeApdu(
  bytes: Uint8Array,
  options: { trace?: Span[] | undefined; base?: number } = {},
): Apdu {
  const reader = new ByteReader(bytes, options);
  const apdu = readApdu(reader);
  if (!reader.done) reader.fail(`${String(reader.remaining)} bytes after the message`);
  return apdu;
}

/** The message at the front; what follows it is left to the caller. Errors: as in `decodeApdu`. */
export function readApdu(reader: ByteReader): Apdu {
  const tag = reader.peek();
  if (tag === undefined) return reader.fail("empty message");
  if (insideAssociation.has(tag) || isCipheredTag(tag)) return readUserInformation(reader);
  const read = readers.get(tag);
  if (read === undefined)
    throw new ProtocolError("unsupported", `unknown message ${String(tag)}`, { offset: reader.offset });
  reader.note("message_tag", 1, apduTagName(tag) ?? tag);
  reader.u8();
  return read(reader);
}

/**
 * The bytes of a message; the mirror of `decodeApdu`. Errors: RangeError for numbers that do not fit (a bug
 * of the caller).
 */
export function encodeApdu(apdu: Apdu): Uint8Array {
  const writer = new ByteWriter();
  writeApdu(writer, apdu);
  return writer.finish();
}

function writeApdu(writer: ByteWriter, apdu: Apdu): void {
  if (isGet(apdu)) writeGet(writer, apdu);
  else if (isSetRequest(apdu)) writeSetRequest(writer, apdu);
  else if (isSetResponse(apdu)) writeSetResponse(writer, apdu);
  else if (isActionRequest(apdu)) writeActionRequest(writer, apdu);
  else if (isActionResponse(apdu)) writeActionResponse(writer, apdu);
  else writeOther(writer, apdu);
}

type Named<Start extends string> = Extract<Apdu, { readonly type: `${Start}${string}` }>;
type Service = Named<"getRe" | "setRe" | "actionRe">;

const isGet = (apdu: Apdu): apdu is Named<"getRe"> => apdu.type.startsWith("get");
const isSetRequest = (apdu: Apdu): apdu is Named<"setRequest"> => apdu.type.startsWith("setRequest");
const isSetResponse = (apdu: Apdu): apdu is Named<"setResponse"> => apdu.type.startsWith("setResponse");
const isActionRequest = (apdu: Apdu): apdu is Named<"actionRequest"> => apdu.type.startsWith("actionRequest");
const isActionResponse = (apdu: Apdu): apdu is Named<"actionResponse"> =>
  apdu.type.startsWith("actionResponse");

function writeOther(writer: ByteWriter, apdu: Exclude<Apdu, Service>): void {
  switch (apdu.type) {
    case "aarq":
    case "aare":
      writeAssociation(writer, apdu);
      return;
    case "rlrq":
    case "rlre":
      writeRelease(writer, apdu);
      return;
    case "eventNotification":
      writeEventNotification(writer, apdu);
      return;
    case "dataNotification":
      writeDataNotification(writer, apdu);
      return;
    case "exceptionResponse":
      writeException(writer, apdu);
      return;
    case "generalBlockTransfer":
      writeGeneralBlock(writer, apdu);
      return;
    default:
      writeUserInformation(writer, apdu);
  }
}
