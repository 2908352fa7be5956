import type { ByteReader, ByteWriter } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";
import { readList, readOctets, writeLength, writeOctets } from "../data/axdr.ts";
import {
  readAccessCode,
  readAccessResult,
  readAttributeRequest,
  readInvoke,
  writeAccessResult,
  writeAttributeRequest,
  writeInvoke,
} from "./apduParts.ts";
import { apduTags } from "./tags.ts";
import type { GetApdu, InvokeId } from "../types.ts";

/**
 * GET request, behind its tag.
 * Source: Green Book 9.5 (Get-Request). Layout: kind (1 normal, 2 next, 3 with list), invoke id, then by
 * kind. Errors: ProtocolError "unexpected", "unsupported".
 */
export function readGetRequest(reader: ByteReader): GetApdu {
  const at = reader.offset;
  const kind = reader.u8("get_request");
  const invoke = readInvoke(reader);
  switch (kind) {
    case 1:
      return { type: "getRequest", invoke, ...readAttributeRequest(reader) };
    case 2:
      return { type: "getRequestNext", invoke, blockNumber: reader.u32be("block_number") };
    case 3:
      return {
        type: "getRequestList",
        invoke,
        requests: readList(reader, "attributes", () => readAttributeRequest(reader)),
      };
    default:
      throw new ProtocolError("unsupported", `GET request of kind ${String(kind)}`, { offset: at });
  }
}

/**
 * GET response, behind its tag.
 * Source: Green Book 9.5 (Get-Response). Layout: kind (1 normal, 2 with data block, 3 with list), invoke id;
 * a block is last 1, number 4, 0 with octets or 1 with a result. Errors: ProtocolError "unexpected",
 * "unsupported".
 */
export function readGetResponse(reader: ByteReader): GetApdu {
  const at = reader.offset;
  const kind = reader.u8("get_response");
  const invoke = readInvoke(reader);
  switch (kind) {
    case 1:
      return { type: "getResponse", invoke, result: readAccessResult(reader) };
    case 2:
      return readGetBlock(reader, invoke);
    case 3:
      return {
        type: "getResponseList",
        invoke,
        results: readList(reader, "results", () => readAccessResult(reader)),
      };
    default:
      throw new ProtocolError("unsupported", `GET response of kind ${String(kind)}`, { offset: at });
  }
}

function readGetBlock(reader: ByteReader, invoke: InvokeId): GetApdu {
  const isLast = reader.u8("last_block") !== 0;
  const blockNumber = reader.u32be("block_number");
  const choice = reader.u8("part_or_result");
  if (choice > 1) reader.fail("neither part of a value nor result");
  if (choice === 1)
    return { type: "getResponseBlockError", invoke, isLast, blockNumber, error: readAccessCode(reader) };
  const data = readOctets(reader, "value_part");
  return { type: "getResponseBlock", invoke, isLast, blockNumber, data };
}

/** The mirror of `readGetRequest` and `readGetResponse`, tag included. */
export function writeGet(writer: ByteWriter, apdu: GetApdu): void {
  const request = (kind: number): ByteWriter =>
    writeInvoke(writer.u8(apduTags.getRequest).u8(kind), apdu.invoke);
  const response = (kind: number): ByteWriter =>
    writeInvoke(writer.u8(apduTags.getResponse).u8(kind), apdu.invoke);
  switch (apdu.type) {
    case "getRequest":
      writeAttributeRequest(request(1), apdu);
      return;
    case "getRequestNext":
      request(2).u32be(apdu.blockNumber);
      return;
    case "getRequestList":
      writeLength(request(3), apdu.requests.length);
      for (const one of apdu.requests) writeAttributeRequest(writer, one);
      return;
    case "getResponse":
      writeAccessResult(response(1), apdu.result);
      return;
    case "getResponseBlock":
      writeOctets(
        response(2)
          .u8(apdu.isLast ? 1 : 0)
          .u32be(apdu.blockNumber)
          .u8(0),
        apdu.data,
      );
      return;
    case "getResponseBlockError":
      response(2)
        .u8(apdu.isLast ? 1 : 0)
        .u32be(apdu.blockNumber)
        .u8(1)
        .u8(apdu.error);
      return;
    case "getResponseList":
      writeLength(response(3), apdu.results.length);
      for (const one of apdu.results) writeAccessResult(writer, one);
  }
}
