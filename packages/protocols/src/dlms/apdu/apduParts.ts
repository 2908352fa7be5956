import type { ByteReader, ByteWriter } from "../../core/bytes.ts";
import { formatObis, parseObis, readOctets, readOptional, writeOctets } from "../data/axdr.ts";
import { readData } from "../data/data.ts";
import { writeData } from "../data/dataEncode.ts";
import type {
  AccessResult,
  AttributeRequest,
  CosemAttribute,
  CosemMethod,
  DataBlock,
  InvokeId,
  SelectiveAccess,
} from "../types.ts";

/**
 * Source: Green Book 9.5 (Invoke-Id-And-Priority). Layout: low nibble number, 40 confirmed, 80 high priority;
 * 10 and 20 are not kept.
 */
export function readInvoke(reader: ByteReader): InvokeId {
  const byte = reader.u8("invoke_id");
  return { id: byte & 0x0f, isConfirmed: (byte & 0x40) !== 0, isHighPriority: (byte & 0x80) !== 0 };
}

export const writeInvoke = (writer: ByteWriter, invoke: InvokeId): ByteWriter =>
  writer.u8((invoke.id & 0x0f) | (invoke.isConfirmed ? 0x40 : 0) | (invoke.isHighPriority ? 0x80 : 0));

/** Class 2 bytes, OBIS code 6 bytes, attribute 1 byte. Errors: ProtocolError "unexpected". */
export function readAttribute(reader: ByteReader): CosemAttribute {
  const { classId, obis } = readObject(reader);
  return { classId, obis, attribute: reader.i8("attribute") };
}

/** Class 2 bytes, OBIS code 6 bytes, method 1 byte. Errors: ProtocolError "unexpected". */
export function readMethod(reader: ByteReader): CosemMethod {
  const { classId, obis } = readObject(reader);
  return { classId, obis, method: reader.i8("method") };
}

function readObject(reader: ByteReader): { classId: number; obis: string } {
  const classId = reader.u16be("class");
  const start = reader.position;
  const obis = formatObis(reader.take(6));
  reader.noteSince(start, "obis_code", obis);
  return { classId, obis };
}

export const writeAttribute = (
  writer: ByteWriter,
  { classId, obis, attribute }: CosemAttribute,
): ByteWriter => writer.u16be(classId).raw(parseObis(obis)).i8(attribute);

export const writeMethod = (writer: ByteWriter, { classId, obis, method }: CosemMethod): ByteWriter =>
  writer.u16be(classId).raw(parseObis(obis)).i8(method);

/**
 * Attribute with selective access (optional: selector 1 byte, parameters). Errors: ProtocolError as of
 * values.
 */
export function readAttributeRequest(reader: ByteReader): AttributeRequest {
  const attribute = readAttribute(reader);
  const access = readOptional(reader, "selective_access", (): SelectiveAccess => {
    const selector = reader.u8("access_selector");
    return { selector, parameters: readData(reader, "access_parameters") };
  });
  return { attribute, access };
}

export function writeAttributeRequest(
  writer: ByteWriter,
  { attribute, access }: AttributeRequest,
): ByteWriter {
  writeAttribute(writer, attribute);
  if (access === null) return writer.u8(0);
  return writeData(writer.u8(1).u8(access.selector), access.parameters);
}

/** A value (0) or a data-access-result (1). Errors: ProtocolError as of values. */
export function readAccessResult(reader: ByteReader): AccessResult {
  const choice = reader.u8("value_or_result");
  if (choice === 0) return { kind: "data", value: readData(reader) };
  if (choice !== 1) reader.fail("neither value nor result");
  return { kind: "error", code: readAccessCode(reader) };
}

export const readAccessCode = (reader: ByteReader): number => reader.u8("data_access_result");

export function writeAccessResult(writer: ByteWriter, result: AccessResult): ByteWriter {
  return result.kind === "data" ? writeData(writer.u8(0), result.value) : writer.u8(1).u8(result.code);
}

/** Block of a long SET or ACTION: last 1, number 4, octets. Errors: ProtocolError "unexpected". */
export function readBlock(reader: ByteReader): DataBlock {
  const isLast = reader.u8("last_block") !== 0;
  const blockNumber = reader.u32be("block_number");
  return { isLast, blockNumber, data: readOctets(reader, "value_part") };
}

export const writeBlock = (writer: ByteWriter, { isLast, blockNumber, data }: DataBlock): ByteWriter =>
  writeOctets(writer.u8(isLast ? 1 : 0).u32be(blockNumber), data);
