import type { ByteReader, ByteWriter } from "../core/bytes.ts";
import { readOctets, readOptional, writeOctets } from "./axdr.ts";
import { conformanceBlock, parseConformance } from "./conformance.ts";
import { apduTags } from "./tags.ts";
import type { Conformance, ConfirmedServiceError, InitiateRequest, InitiateResponse } from "./types.ts";

/** Application tag 31 in two bytes, or in one as old meters write it. */
const conformanceTag = 0x5f;
const conformanceTagLow = 0x1f;

/**
 * What a client proposes, behind the tag.
 * Source: Green Book 9.4.4, 9.5. Layout: dedicated key (optional octets), response-allowed (optional, true), quality of service (optional), version,
 * conformance `5F 1F 04 00` and 3 bytes, largest message 2 bytes. Errors: ProtocolError "unexpected".
 */
export function readInitiateRequest(reader: ByteReader): InitiateRequest {
  return {
    type: "initiateRequest",
    dedicatedKey: readOptional(reader, "Dedicated key", () => readOctets(reader, "Dedicated key")),
    isResponseAllowed:
      readOptional(reader, "Response allowed", () => reader.u8("Response allowed") !== 0) ?? true,
    qualityOfService: readOptional(reader, "Quality of service", () => reader.i8("Quality of service")),
    version: reader.u8("DLMS version"),
    conformance: readConformance(reader),
    maxPdu: reader.u16be("Largest message the client takes"),
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
 * What the server grants, behind the tag.
 * Source: Green Book 9.4.4, 9.5. Layout: quality of service (optional), version, conformance, largest message, VAA name. Errors: ProtocolError "unexpected".
 */
export function readInitiateResponse(reader: ByteReader): InitiateResponse {
  return {
    type: "initiateResponse",
    qualityOfService: readOptional(reader, "Quality of service", () => reader.i8("Quality of service")),
    version: reader.u8("DLMS version"),
    conformance: readConformance(reader),
    maxPdu: reader.u16be("Largest message the server takes"),
    vaaName: reader.u16be("VAA name, 7 with logical names"),
  };
}

export function writeInitiateResponse(writer: ByteWriter, apdu: InitiateResponse): void {
  writeQuality(writer.u8(apduTags.initiateResponse), apdu.qualityOfService);
  writeConformance(writer.u8(apdu.version), apdu.conformance).u16be(apdu.maxPdu).u16be(apdu.vaaName);
}

/** Refusal inside the association, behind the tag. Source: Green Book 9.5 (ConfirmedServiceError). Layout: three choices of 1 byte. */
export function readConfirmedServiceError(reader: ByteReader): ConfirmedServiceError {
  return {
    type: "confirmedServiceError",
    service: reader.u8("Service: 1 initiate, 5 read, 6 write"),
    errorClass: reader.u8("Error class: 6 initiate"),
    error: reader.u8("Error: 1 version too low, 2 conformance, 3 message too short"),
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
  if (reader.u8("Conformance, tag") !== conformanceTag) reader.fail("conformance tag missing");
  if (reader.peek() === conformanceTagLow) reader.u8("Conformance, tag");
  if (reader.u8("Conformance, length") !== 4) reader.fail("conformance is not of 4 bytes");
  reader.u8("Conformance, unused bits");
  const start = reader.position;
  const conformance = parseConformance(reader.u8() * 0x10000 + reader.u16be());
  reader.noteSince(start, "Conformance", [...conformance].join(" "));
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
