import type { ByteReader, ByteWriter } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";
import { readList, writeLength } from "../data/axdr.ts";
import {
  readAccessCode,
  readAttributeRequest,
  readBlock,
  readInvoke,
  writeAttributeRequest,
  writeBlock,
  writeInvoke,
} from "./apduParts.ts";
import { readData } from "../data/data.ts";
import { writeData } from "../data/dataEncode.ts";
import { apduTags } from "./tags.ts";
import type { AttributeRequest, SetApdu } from "../types.ts";

const readRequests = (reader: ByteReader): AttributeRequest[] =>
  readList(reader, "attributes", () => readAttributeRequest(reader));

/**
 * SET request, behind its tag.
 * Source: Green Book 9.5 (Set-Request). Layout: kind (1 normal, 2 first block, 3 block, 4 list, 5 list and
 * first block), invoke id, then by kind.
 * Errors: ProtocolError "unexpected", "unsupported".
 */
export function readSetRequest(reader: ByteReader): SetApdu {
  const at = reader.offset;
  const kind = reader.u8("set_request");
  const invoke = readInvoke(reader);
  switch (kind) {
    case 1: {
      const request = readAttributeRequest(reader);
      return { type: "setRequest", invoke, ...request, value: reader.done ? null : readData(reader) };
    }
    case 2:
      return {
        type: "setRequestFirstBlock",
        invoke,
        ...readAttributeRequest(reader),
        block: readBlock(reader),
      };
    case 3:
      return { type: "setRequestBlock", invoke, block: readBlock(reader) };
    case 4: {
      const requests = readRequests(reader);
      return {
        type: "setRequestList",
        invoke,
        requests,
        values: readList(reader, "values", () => readData(reader)),
      };
    }
    case 5: {
      const requests = readRequests(reader);
      return { type: "setRequestListFirstBlock", invoke, requests, block: readBlock(reader) };
    }
    default:
      throw new ProtocolError("unsupported", `SET request of kind ${String(kind)}`, { offset: at });
  }
}

/**
 * SET response, behind its tag.
 * Source: Green Book 9.5 (Set-Response). Layout: kind (1 normal, 2 block, 3 last block, 4 last block of a
 * list, 5 list), invoke id, results 1 byte each, block number 4.
 * Errors: ProtocolError "unexpected", "unsupported".
 */
export function readSetResponse(reader: ByteReader): SetApdu {
  const at = reader.offset;
  const kind = reader.u8("set_response");
  const invoke = readInvoke(reader);
  const results = (): number[] => readList(reader, "results", () => readAccessCode(reader));
  switch (kind) {
    case 1:
      return { type: "setResponse", invoke, result: readAccessCode(reader) };
    case 2:
      return { type: "setResponseBlock", invoke, blockNumber: reader.u32be("block_number") };
    case 3: {
      const result = readAccessCode(reader);
      return { type: "setResponseLastBlock", invoke, result, blockNumber: reader.u32be("block_number") };
    }
    case 4: {
      const all = results();
      return {
        type: "setResponseLastBlockList",
        invoke,
        results: all,
        blockNumber: reader.u32be("block_number"),
      };
    }
    case 5:
      return { type: "setResponseList", invoke, results: results() };
    default:
      throw new ProtocolError("unsupported", `SET response of kind ${String(kind)}`, { offset: at });
  }
}

type SetRequest = Extract<SetApdu, { readonly type: `setRequest${string}` }>;
type SetResponse = Extract<SetApdu, { readonly type: `setResponse${string}` }>;

function writeRequests(writer: ByteWriter, requests: readonly AttributeRequest[]): ByteWriter {
  writeLength(writer, requests.length);
  for (const one of requests) writeAttributeRequest(writer, one);
  return writer;
}

/** The mirror of `readSetRequest`, tag included. */
export function writeSetRequest(writer: ByteWriter, apdu: SetRequest): void {
  const head = (kind: number): ByteWriter =>
    writeInvoke(writer.u8(apduTags.setRequest).u8(kind), apdu.invoke);
  switch (apdu.type) {
    case "setRequest":
      writeAttributeRequest(head(1), apdu);
      if (apdu.value !== null) writeData(writer, apdu.value);
      return;
    case "setRequestFirstBlock":
      writeBlock(writeAttributeRequest(head(2), apdu), apdu.block);
      return;
    case "setRequestBlock":
      writeBlock(head(3), apdu.block);
      return;
    case "setRequestList":
      writeLength(writeRequests(head(4), apdu.requests), apdu.values.length);
      for (const value of apdu.values) writeData(writer, value);
      return;
    case "setRequestListFirstBlock":
      writeBlock(writeRequests(head(5), apdu.requests), apdu.block);
  }
}

/** The mirror of `readSetResponse`, tag included. */
export function writeSetResponse(writer: ByteWriter, apdu: SetResponse): void {
  const head = (kind: number): ByteWriter =>
    writeInvoke(writer.u8(apduTags.setResponse).u8(kind), apdu.invoke);
  switch (apdu.type) {
    case "setResponse":
      head(1).u8(apdu.result);
      return;
    case "setResponseBlock":
      head(2).u32be(apdu.blockNumber);
      return;
    case "setResponseLastBlock":
      head(3).u8(apdu.result).u32be(apdu.blockNumber);
      return;
    case "setResponseLastBlockList":
      writeLength(head(4), apdu.results.length).raw(apdu.results).u32be(apdu.blockNumber);
      return;
    case "setResponseList":
      writeLength(head(5), apdu.results.length).raw(apdu.results);
  }
}
