import type { ByteReader, ByteWriter } from "../../core/bytes.ts";
import { readOctets, readOptional, writeLength, writeOctets } from "../data/axdr.ts";
import { readAttribute, writeAttribute } from "./apduParts.ts";
import { readData } from "../data/data.ts";
import { writeData } from "../data/dataEncode.ts";
import { dataTags } from "../data/dataTypes.ts";
import { apduTags } from "./tags.ts";
import type {
  DataNotification,
  EventNotification,
  ExceptionResponse,
  GeneralBlockTransfer,
  LongInvokeId,
} from "../types.ts";

/**
 * Source: Green Book 9.5 (EventNotificationRequest). Layout behind the tag: time (optional octets),
 * attribute, value. Errors: as of values.
 */
export function readEventNotification(reader: ByteReader): EventNotification {
  const time = readOptional(reader, "time", () => readOctets(reader, "time"));
  const attribute = readAttribute(reader);
  return { type: "eventNotification", time, attribute, value: readData(reader) };
}

export function writeEventNotification(writer: ByteWriter, apdu: EventNotification): void {
  writer.u8(apduTags.eventNotification);
  if (apdu.time === null) writer.u8(0);
  else writeOctets(writer.u8(1), apdu.time);
  writeData(writeAttribute(writer, apdu.attribute), apdu.value);
}

/**
 * A push, behind its tag.
 * Source: Green Book 9.5 (Data-Notification); frames of Kaifa meters, which put a tag 09 before the length of
 * the time.
 * Layout: long invoke id 4, time (octets, may be empty), one value. Errors: as of values.
 */
export function readDataNotification(reader: ByteReader): DataNotification {
  const invoke = readLongInvoke(reader);
  const isTimeTagged = reader.peek() === dataTags.octets && reader.peek(1) === 12;
  if (isTimeTagged) reader.u8({ code: "time", part: "type" });
  const time = readOctets(reader, "time");
  return {
    type: "dataNotification",
    invoke,
    time: time.length === 0 ? null : time,
    isTimeTagged,
    body: readData(reader),
  };
}

export function writeDataNotification(writer: ByteWriter, apdu: DataNotification): void {
  const { invoke } = apdu;
  const flags =
    (invoke.isSelfDescriptive ? 0x10 : 0) |
    (invoke.isBreakingOnError ? 0x20 : 0) |
    (invoke.isConfirmed ? 0x40 : 0) |
    (invoke.isHighPriority ? 0x80 : 0);
  writer.u8(apduTags.dataNotification).u32be(flags * 0x1000000 + (invoke.id & 0xffffff));
  if (apdu.isTimeTagged) writer.u8(dataTags.octets);
  writeData(writeOctets(writer, apdu.time ?? new Uint8Array()), apdu.body);
}

function readLongInvoke(reader: ByteReader): LongInvokeId {
  const word = reader.u32be("long_invoke_id");
  const flags = word >>> 24;
  return {
    id: word & 0xffffff,
    isSelfDescriptive: (flags & 0x10) !== 0,
    isBreakingOnError: (flags & 0x20) !== 0,
    isConfirmed: (flags & 0x40) !== 0,
    isHighPriority: (flags & 0x80) !== 0,
  };
}

/**
 * Service error of an exception that contains the invocation counter expected by the device, in 4 additional
 * bytes.
 */
const invocationCounterError = 6;

/**
 * Source: Green Book 9.5 (ExceptionResponse). Layout behind the tag: state error 1, service error 1, with 6
 * the counter 4.
 */
export function readException(reader: ByteReader): ExceptionResponse {
  const stateError = reader.u8("state_error");
  const serviceError = reader.u8("service_error");
  const hasCounter = serviceError === invocationCounterError && reader.remaining >= 4;
  const counter = hasCounter ? reader.u32be("counter_expected") : null;
  return { type: "exceptionResponse", stateError, serviceError, counter };
}

export function writeException(writer: ByteWriter, apdu: ExceptionResponse): void {
  writer.u8(apduTags.exceptionResponse).u8(apdu.stateError).u8(apdu.serviceError);
  if (apdu.counter !== null) writer.u32be(apdu.counter);
}

/**
 * Part of a message cut by general block transfer, behind its tag.
 * Source: Green Book 9.5 (General-Block-Transfer). Layout: control 1 (80 last, 40 streaming, 6 bits window),
 * block number 2, acknowledged 2, octets.
 */
export function readGeneralBlock(reader: ByteReader): GeneralBlockTransfer {
  const control = reader.u8("block_control");
  return {
    type: "generalBlockTransfer",
    isLast: (control & 0x80) !== 0,
    isStreaming: (control & 0x40) !== 0,
    window: control & 0x3f,
    blockNumber: reader.u16be("block_number"),
    acknowledged: reader.u16be("block_acknowledged"),
    data: readOctets(reader, "message_part"),
  };
}

export function writeGeneralBlock(writer: ByteWriter, apdu: GeneralBlockTransfer): void {
  const control = (apdu.isLast ? 0x80 : 0) | (apdu.isStreaming ? 0x40 : 0) | (apdu.window & 0x3f);
  writer.u8(apduTags.generalBlockTransfer).u8(control).u16be(apdu.blockNumber).u16be(apdu.acknowledged);
  writeLength(writer, apdu.data.length).raw(apdu.data);
}
