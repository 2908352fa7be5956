import type { ByteReader, ByteWriter } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";
import { readList, readOptional, writeLength } from "../data/axdr.ts";
import {
  readAccessResult,
  readBlock,
  readInvoke,
  readMethod,
  writeAccessResult,
  writeBlock,
  writeInvoke,
  writeMethod,
} from "./apduParts.ts";
import { readData } from "../data/data.ts";
import { writeData } from "../data/dataEncode.ts";
import { apduTags } from "./tags.ts";
import type { ActionApdu, ActionResult, CosemMethod } from "../types.ts";

const readMethods = (reader: ByteReader): CosemMethod[] =>
  readList(reader, "methods", () => readMethod(reader));

/**
 * ACTION request, behind its tag.
 * Source: Green Book 9.5 (Action-Request). Layout: kind (1 normal, 2 next block, 3 list, 4 first block, 5
 * list and first block, 6 block), invoke id, then by kind; the parameters of a normal one are optional.
 * Errors: ProtocolError "unexpected", "unsupported".
 */
export function readActionRequest(reader: ByteReader): ActionApdu {
  const at = reader.offset;
  const kind = reader.u8("action_request");
  const invoke = readInvoke(reader);
  switch (kind) {
    case 1: {
      const method = readMethod(reader);
      const parameters = readOptional(reader, "parameters", () => readData(reader, "parameters"));
      return { type: "actionRequest", invoke, method, parameters };
    }
    case 2:
      return { type: "actionRequestNextBlock", invoke, blockNumber: reader.u32be("block_number") };
    case 3: {
      const methods = readMethods(reader);
      const parameters = readList(reader, "parameters", () => readData(reader, "parameters"));
      return { type: "actionRequestList", invoke, methods, parameters };
    }
    case 4: {
      const method = readMethod(reader);
      return { type: "actionRequestFirstBlock", invoke, method, block: readBlock(reader) };
    }
    case 5: {
      const methods = readMethods(reader);
      return { type: "actionRequestListFirstBlock", invoke, methods, block: readBlock(reader) };
    }
    case 6:
      return { type: "actionRequestBlock", invoke, block: readBlock(reader) };
    default:
      throw new ProtocolError("unsupported", `ACTION request of kind ${String(kind)}`, { offset: at });
  }
}

/**
 * ACTION response, behind its tag.
 * Source: Green Book 9.5 (Action-Response). Layout: kind (1 normal, 2 block, 3 list, 4 next block), invoke
 * id; a result is 1 byte and an optional value or data-access-result. Errors: ProtocolError "unexpected",
 * "unsupported".
 */
export function readActionResponse(reader: ByteReader): ActionApdu {
  const at = reader.offset;
  const kind = reader.u8("action_response");
  const invoke = readInvoke(reader);
  switch (kind) {
    case 1:
      return { type: "actionResponse", invoke, ...readResult(reader) };
    case 2:
      return { type: "actionResponseBlock", invoke, block: readBlock(reader) };
    case 3:
      return {
        type: "actionResponseList",
        invoke,
        results: readList(reader, "results", () => readResult(reader)),
      };
    case 4:
      return { type: "actionResponseNextBlock", invoke, blockNumber: reader.u32be("block_number") };
    default:
      throw new ProtocolError("unsupported", `ACTION response of kind ${String(kind)}`, { offset: at });
  }
}

function readResult(reader: ByteReader): ActionResult {
  const result = reader.u8("action_result");
  return { result, returned: readOptional(reader, "returned_value", () => readAccessResult(reader)) };
}

function writeResult(writer: ByteWriter, { result, returned }: ActionResult): void {
  writer.u8(result);
  if (returned === null) writer.u8(0);
  else writeAccessResult(writer.u8(1), returned);
}

function writeMethods(writer: ByteWriter, methods: readonly CosemMethod[]): ByteWriter {
  writeLength(writer, methods.length);
  for (const method of methods) writeMethod(writer, method);
  return writer;
}

type ActionRequest = Extract<ActionApdu, { readonly type: `actionRequest${string}` }>;
type ActionResponse = Extract<ActionApdu, { readonly type: `actionResponse${string}` }>;

/** The mirror of `readActionRequest`, tag included. */
export function writeActionRequest(writer: ByteWriter, apdu: ActionRequest): void {
  const head = (kind: number): ByteWriter =>
    writeInvoke(writer.u8(apduTags.actionRequest).u8(kind), apdu.invoke);
  switch (apdu.type) {
    case "actionRequest":
      writeMethod(head(1), apdu.method);
      if (apdu.parameters === null) writer.u8(0);
      else writeData(writer.u8(1), apdu.parameters);
      return;
    case "actionRequestNextBlock":
      head(2).u32be(apdu.blockNumber);
      return;
    case "actionRequestList":
      writeLength(writeMethods(head(3), apdu.methods), apdu.parameters.length);
      for (const value of apdu.parameters) writeData(writer, value);
      return;
    case "actionRequestFirstBlock":
      writeBlock(writeMethod(head(4), apdu.method), apdu.block);
      return;
    case "actionRequestListFirstBlock":
      writeBlock(writeMethods(head(5), apdu.methods), apdu.block);
      return;
    case "actionRequestBlock":
      writeBlock(head(6), apdu.block);
  }
}

/** The mirror of `readActionResponse`, tag included. */
export function writeActionResponse(writer: ByteWriter, apdu: ActionResponse): void {
  const head = (kind: number): ByteWriter =>
    writeInvoke(writer.u8(apduTags.actionResponse).u8(kind), apdu.invoke);
  switch (apdu.type) {
    case "actionResponse":
      head(1);
      writeResult(writer, apdu);
      return;
    case "actionResponseBlock":
      writeBlock(head(2), apdu.block);
      return;
    case "actionResponseList":
      writeLength(head(3), apdu.results.length);
      for (const one of apdu.results) writeResult(writer, one);
      return;
    case "actionResponseNextBlock":
      head(4).u32be(apdu.blockNumber);
  }
}
