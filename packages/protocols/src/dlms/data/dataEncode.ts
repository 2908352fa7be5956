import { ByteWriter } from "../../core/bytes.ts";
import { writeLength, writeOctets } from "./axdr.ts";
import { dataTags } from "./dataTypes.ts";
import { writeDate, writeDateTime, writeTime } from "./dateTime.ts";
import type { DlmsData, DlmsNumberType, TypeDescription } from "../types.ts";

/**
 * The bytes of a value; the mirror of `decodeData`.
 * Errors: RangeError for a number outside its type or an element of a compact array that is not of its
 * description (bugs of the caller).
 */
export const encodeData = (data: DlmsData): Uint8Array => writeData(new ByteWriter(), data).finish();

/** Appends a value; see `encodeData`. */
export function writeData(writer: ByteWriter, data: DlmsData): ByteWriter {
  writer.u8(dataTags[data.type]);
  switch (data.type) {
    case "array":
    case "structure":
      writeLength(writer, data.items.length);
      for (const item of data.items) writeData(writer, item);
      return writer;
    case "compactArray": {
      writeDescription(writer, data.description);
      const contents = new ByteWriter();
      for (const item of data.items) writeDescribed(contents, data.description, item);
      return writeOctets(writer, contents.finish());
    }
    default:
      return writeSimple(writer, data);
  }
}

type SimpleData = Exclude<DlmsData, { readonly type: "array" | "structure" | "compactArray" }>;

function writeSimple(writer: ByteWriter, data: SimpleData): ByteWriter {
  switch (data.type) {
    case "null":
    case "dontCare":
      return writer;
    case "bool":
      return writer.u8(data.value ? 1 : 0);
    case "bitString":
      return writeLength(writer, data.count).raw(data.bytes);
    case "int64":
    case "uint64":
      return write64(writer, data.value, data.type === "int64");
    case "octets":
      return writeOctets(writer, data.value);
    case "visible":
      return writeOctets(
        writer,
        Uint8Array.from(data.value, (character) => character.charCodeAt(0)),
      );
    case "utf8":
      return writeOctets(writer, new TextEncoder().encode(data.value));
    case "dateTime":
      return writeDateTime(writer, data.value);
    case "date":
      return writeDate(writer, data.value);
    case "time":
      return writeTime(writer, data.value);
    default:
      return writeNumber(writer, data.type, data.value);
  }
}

function writeNumber(writer: ByteWriter, type: DlmsNumberType, value: number): ByteWriter {
  switch (type) {
    case "int8":
      return writer.i8(value);
    case "int16":
      return writer.u16be(inRange(value, -0x8000, 0x7fff) & 0xffff);
    case "int32":
      return writer.u32be(inRange(value, -0x80000000, 0x7fffffff) >>> 0);
    case "uint16":
      return writer.u16be(value);
    case "uint32":
      return writer.u32be(value);
    case "float32":
      return Number.isNaN(value) ? writer.u32be(0x7fc00000) : writer.f32be(value);
    case "float64": {
      const bytes = new Uint8Array(8);
      new DataView(bytes.buffer).setFloat64(0, value);
      return writer.raw(bytes);
    }
    default:
      return writer.u8(value);
  }
}

function inRange(value: number, min: number, max: number): number {
  if (!(value >= min && value <= max)) throw new RangeError(`${String(value)} does not fit`);
  return value;
}

function write64(writer: ByteWriter, value: bigint, isSigned: boolean): ByteWriter {
  const fits = (isSigned ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value)) === value;
  if (!fits) throw new RangeError(`${String(value)} does not fit in 8 bytes`);
  const raw = BigInt.asUintN(64, value);
  return writer.u32be(Number(raw >> 32n)).u32be(Number(raw & 0xffffffffn));
}

function writeDescription(writer: ByteWriter, description: TypeDescription): void {
  if (description.kind === "simple") writer.u8(description.tag);
  else if (description.kind === "array") {
    writer.u8(dataTags.array).u16be(description.count);
    writeDescription(writer, description.of);
  } else {
    writeLength(writer.u8(dataTags.structure), description.of.length);
    for (const part of description.of) writeDescription(writer, part);
  }
}

function writeDescribed(writer: ByteWriter, description: TypeDescription, data: DlmsData): void {
  if (data.type === "array" || data.type === "structure") {
    if (description.kind !== data.type) throw new RangeError(`${data.type} is not what was described`);
    const count = description.kind === "array" ? description.count : description.of.length;
    if (data.items.length !== count)
      throw new RangeError(`${String(data.items.length)} elements, ${String(count)} described`);
    data.items.forEach((item, at) => {
      const part = description.kind === "array" ? description.of : description.of[at];
      if (part !== undefined) writeDescribed(writer, part, item);
    });
  } else if (
    data.type === "compactArray" ||
    description.kind !== "simple" ||
    description.tag !== dataTags[data.type]
  )
    throw new RangeError(`${data.type} is not what was described`);
  else writeSimple(writer, data);
}
