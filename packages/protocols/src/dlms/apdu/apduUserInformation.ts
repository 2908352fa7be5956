import { ByteWriter, type ByteReader } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";
import { isCipheredTag, readCiphered, writeCiphered } from "./apduCiphered.ts";
import {
  readConfirmedServiceError,
  readInitiateRequest,
  readInitiateResponse,
  writeConfirmedServiceError,
  writeInitiateRequest,
  writeInitiateResponse,
} from "./apduInitiate.ts";
import { apduTagName, apduTags } from "./tags.ts";
import type { UserInformation } from "../types.ts";

/**
 * The message inside an association request, answer or release, tag included. Errors: ProtocolError
 * "unexpected", "unsupported" (another message).
 */
export function readUserInformation(reader: ByteReader): UserInformation {
  const at = reader.offset;
  const tag = reader.u8();
  reader.note("message_tag", 1, apduTagName(tag) ?? tag, at);
  switch (tag) {
    case apduTags.initiateRequest:
      return readInitiateRequest(reader);
    case apduTags.initiateResponse:
      return readInitiateResponse(reader);
    case apduTags.confirmedServiceError:
      return readConfirmedServiceError(reader);
    default:
      if (isCipheredTag(tag)) return readCiphered(reader, tag);
      throw new ProtocolError("unsupported", `message ${String(tag)} inside an association`, { offset: at });
  }
}

/** The mirror of `readUserInformation`. */
export function writeUserInformation(writer: ByteWriter, apdu: UserInformation): void {
  switch (apdu.type) {
    case "initiateRequest":
      writeInitiateRequest(writer, apdu);
      return;
    case "initiateResponse":
      writeInitiateResponse(writer, apdu);
      return;
    case "confirmedServiceError":
      writeConfirmedServiceError(writer, apdu);
      return;
    default:
      writeCiphered(writer, apdu);
  }
}

/** The bytes of such a message. */
export function userInformationBytes(apdu: UserInformation): Uint8Array {
  const writer = new ByteWriter();
  writeUserInformation(writer, apdu);
  return writer.finish();
}
