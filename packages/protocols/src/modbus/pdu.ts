import { ByteWriter, toHex, type ByteReader } from "../core/bytes.ts";

/** Function codes that this codec knows. Source: Modbus Application Protocol V1.1b3, section 6. */
export const functionNames: Readonly<Record<number, string>> = {
  1: "read coils",
  2: "read discrete inputs",
  3: "read holding registers",
  4: "read input registers",
  5: "write single coil",
  6: "write single register",
  15: "write multiple coils",
  16: "write multiple registers",
};

/** Exception codes. Source: the same, section 7. */
export const exceptionNames: Readonly<Record<number, string>> = {
  1: "illegal function",
  2: "illegal data address",
  3: "illegal data value",
  4: "device failure",
  5: "acknowledge",
  6: "device busy",
  8: "memory parity error",
  10: "gateway path unavailable",
  11: "gateway target failed to respond",
};

export type ReadFunction = 1 | 2 | 3 | 4;
export type WriteOneFunction = 5 | 6;
export type WriteManyFunction = 15 | 16;

/** A request. Coils come packed eight to a byte, registers high byte first, as in the frame. */
export type ModbusRequest =
  | {
      readonly kind: "read";
      readonly function: ReadFunction;
      readonly address: number;
      readonly count: number;
    }
  | {
      readonly kind: "writeOne";
      readonly function: WriteOneFunction;
      readonly address: number;
      readonly value: number;
    }
  | {
      readonly kind: "writeMany";
      readonly function: WriteManyFunction;
      readonly address: number;
      readonly count: number;
      readonly data: Uint8Array;
    }
  | { readonly kind: "unknown"; readonly function: number; readonly data: Uint8Array };

/** An answer of a device. */
export type ModbusResponse =
  | { readonly kind: "exception"; readonly function: number; readonly code: number }
  | { readonly kind: "data"; readonly function: ReadFunction; readonly data: Uint8Array }
  | {
      readonly kind: "written";
      readonly function: WriteOneFunction;
      readonly address: number;
      readonly value: number;
    }
  | {
      readonly kind: "writtenMany";
      readonly function: WriteManyFunction;
      readonly address: number;
      readonly count: number;
    }
  | { readonly kind: "unknown"; readonly function: number; readonly data: Uint8Array };

const isRead = (code: number): code is ReadFunction => code >= 1 && code <= 4;
const isWriteOne = (code: number): code is WriteOneFunction => code === 5 || code === 6;
const isWriteMany = (code: number): code is WriteManyFunction => code === 15 || code === 16;

/** Bytes that `count` coils (functions 1, 2, 15) or registers (3, 4, 16) take. */
export function dataBytes(code: ReadFunction | WriteManyFunction, count: number): number {
  return code === 3 || code === 4 || code === 16 ? count * 2 : Math.ceil(count / 8);
}

/**
 * Function and data of a request.
 * Source: Modbus Application Protocol V1.1b3, section 6. Layout: big-endian; the count of a request is not
 * limited here.
 */
export function encodeRequest(request: ModbusRequest): Uint8Array {
  const writer = new ByteWriter(8).u8(request.function);
  switch (request.kind) {
    case "read":
      writer.u16be(request.address).u16be(request.count);
      break;
    case "writeOne":
      writer.u16be(request.address).u16be(request.value);
      break;
    case "writeMany":
      writer.u16be(request.address).u16be(request.count).u8(request.data.length).raw(request.data);
      break;
    case "unknown":
      writer.raw(request.data);
  }
  return writer.finish();
}

/**
 * Reads a request to the end of `reader`.
 * Errors: ProtocolError "unexpected" when bytes are missing, left over, or the byte count contradicts the
 * count.
 */
export function decodeRequest(reader: ByteReader): ModbusRequest {
  const code = reader.u8("function");
  if (isRead(code)) {
    const address = reader.u16be("register_address");
    return ended(reader, { kind: "read", function: code, address, count: reader.u16be("register_count") });
  }
  if (isWriteOne(code)) {
    const address = reader.u16be("register_address");
    return ended(reader, { kind: "writeOne", function: code, address, value: reader.u16be("value") });
  }
  if (isWriteMany(code)) {
    const address = reader.u16be("register_address");
    const count = reader.u16be("register_count");
    const bytes = reader.u8("byte_count");
    if (bytes !== dataBytes(code, count)) reader.fail("byte count contradicts the count");
    const data = reader.take(bytes, "data");
    return ended(reader, { kind: "writeMany", function: code, address, count, data });
  }
  return { kind: "unknown", function: code, data: rest(reader) };
}

/**
 * Function and data of an answer; an exception has the top bit of the function set. Source and layout as
 * `encodeRequest`.
 */
export function encodeResponse(response: ModbusResponse): Uint8Array {
  const writer = new ByteWriter(8);
  switch (response.kind) {
    case "exception":
      return writer
        .u8(response.function | 0x80)
        .u8(response.code)
        .finish();
    case "data":
      return writer.u8(response.function).u8(response.data.length).raw(response.data).finish();
    case "written":
      return writer.u8(response.function).u16be(response.address).u16be(response.value).finish();
    case "writtenMany":
      return writer.u8(response.function).u16be(response.address).u16be(response.count).finish();
    case "unknown":
      return writer.u8(response.function).raw(response.data).finish();
  }
}

/**
 * Reads an answer to the end of `reader`. An exception is a good answer.
 * `nameData` names the stretches of the data in place of one span; it must not move the reader.
 * Errors: ProtocolError "unexpected" when bytes are missing or left over.
 */
export function decodeResponse(
  reader: ByteReader,
  nameData?: (data: Uint8Array, offset: number) => void,
): ModbusResponse {
  const code = reader.u8("function");
  if (code & 0x80) {
    const exception = reader.u8("exception");
    return ended(reader, { kind: "exception", function: code & 0x7f, code: exception });
  }
  if (isRead(code)) {
    const bytes = reader.u8("byte_count");
    const offset = reader.offset;
    const data = reader.take(bytes, nameData || bytes === 0 ? undefined : "data");
    nameData?.(data, offset);
    return ended(reader, { kind: "data", function: code, data });
  }
  if (isWriteOne(code)) {
    const address = reader.u16be("register_address");
    return ended(reader, { kind: "written", function: code, address, value: reader.u16be("value") });
  }
  if (isWriteMany(code)) {
    const address = reader.u16be("register_address");
    return ended(reader, {
      kind: "writtenMany",
      function: code,
      address,
      count: reader.u16be("register_count"),
    });
  }
  return { kind: "unknown", function: code, data: rest(reader) };
}

function rest(reader: ByteReader): Uint8Array {
  return reader.take(reader.remaining, reader.remaining > 0 ? "data" : undefined);
}

function ended<Parsed>(reader: ByteReader, parsed: Parsed): Parsed {
  if (!reader.done)
    reader.fail(`bytes left over: ${toHex(reader.bytes.subarray(reader.position, reader.position + 8))}`);
  return parsed;
}
