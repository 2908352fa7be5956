import type { ByteReader, ByteWriter } from "../../core/bytes.ts";
import { readOctets, readOptional, writeOctets } from "../data/axdr.ts";
import { conformanceBlock, parseConformance } from "./conformance.ts";
import { apduTags } from "./tags.ts";
import type { Conformance, ConfirmedServiceError, InitiateRequest, InitiateResponse } from "../types.ts";

/** Application tag 31 in two bytes, or in one as old meters write it. */
const conformanceTag = 0x5f;
const conformanceTagLow = 0x1f;

/**
 * Client's proposal, behind the tag.
 * Source: Green Book 9.4.4, 9.5. Layout: dedicated key (optional octets), response-allowed (optional, true),
 * quality of service (optional), version, conformance `5F 1F 04 00` and 3 bytes, largest message 2 bytes.
 * Errors: ProtocolError "unexpected".
 */
export function readInitiateRequest(reader: ByteReader): InitiateRequest {
  return {
    type: "initiateRequest",
    dedicatedKey: readOptional(reader, "dedicated_key", () => readOctets(reader, "dedicated_key")),
    isResponseAllowed:
      readOptional(reader, "response_allowed", () => reader.u8("response_allowed") !== 0) ?? true,
    qualityOfService: readOptional(reader, "quality_of_service", () => reader.i8("quality_of_service")),
    version: reader.u8("dlms_version"),
    conformance: readConformance(reader),
    maxPdu: reader.u16be("client_message"),
  };
}

export function writeInitiateRequest(writer: ByteWriter, apdu: InitiateRequest): void {
  writer.u8(apduTags.initiateRequest);
  if (apdu.dedicatedKey === null) writer.u8(0);
  else writeOctets(writer.u8(1), apdu.dedicatedKey);
  if (apdu.isResponseAllowed) writer.u8(0);
  else writer.u8(1).u8(0);
  writeQuality(writer, apdu.qualityOfService);
  writeConformance(writer.u8(apdu.version), apdu.conformance).u16be(apdu.maxPdu);
}

/**
 * Server's grant, behind the tag.
 * Source: Green Book 9.4.4, 9.5. Layout: quality of service (optional), version, conformance, largest
 * message, VAA name. Errors: ProtocolError "unexpected".
 */
export function readInitiateResponse(reader: ByteReader): InitiateResponse {
  return {
    type: "initiateResponse",
    qualityOfService: readOptional(reader, "quality_of_service", () => reader.i8("quality_of_service")),
    version: reader.u8("dlms_version"),
    conformance: readConformance(reader),
    maxPdu: reader.u16be("server_message"),
    vaaName: reader.u16be("vaa_name"),
  };
}

export function writeInitiateResponse(writer: ByteWriter, apdu: InitiateResponse): void {
  writeQuality(writer.u8(apduTags.initiateResponse), apdu.qualityOfService);
  writeConformance(writer.u8(apdu.version), apdu.conformance).u16be(apdu.maxPdu).u16be(apdu.vaaName);
}

/**
 * Refusal inside the association, behind the tag. Source: Green Book 9.5 (ConfirmedServiceError). Layout:
 * three choices of 1 byte.
 */
export function readConfirmedServiceError(reader: ByteReader): ConfirmedServiceError {
  return {
    type: "confirmedServiceError",
    service: reader.u8("service"),
    errorClass: reader.u8("error_class"),
    error: reader.u8("initiate_error"),
  };
}

export function writeConfirmedServiceError(writer: ByteWriter, apdu: ConfirmedServiceError): void {
  writer.u8(apduTags.confirmedServiceError).u8(apdu.service).u8(apdu.errorClass).u8(apdu.error);
}

function writeQuality(writer: ByteWriter, quality: number | null): void {
  if (quality === null) writer.u8(0);
  else writer.u8(1).i8(quality);
}

function readConformance(reader: ByteReader): Conformance {
  if (reader.u8({ code: "conformance", part: "tag" }) !== conformanceTag)
    reader.fail("conformance tag missing");
  if (reader.peek() === conformanceTagLow) reader.u8({ code: "conformance", part: "tag" });
  if (reader.u8({ code: "conformance", part: "length" }) !== 4) reader.fail("conformance is not of 4 bytes");
  reader.u8({ code: "conformance", part: "unused_bits" });
  const start = reader.position;
  const conformance = parseConformance(reader.u8() * 0x10000 + reader.u16be());
  reader.noteSince(start, "conformance", [...conformance].join(" "));
  return conformance;
}

function writeConformance(writer: ByteWriter, conformance: Conformance): ByteWriter {
  const block = conformanceBlock(conformance);
  return writer
    .u8(conformanceTag)
    .u8(conformanceTagLow)
    .u8(4)
    .u8(0)
    .u8(block >> 16)
    .u16be(block & 0xffff);
}
