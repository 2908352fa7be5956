import type { FuzzTarget } from "../core/fuzz/fuzz.ts";
import { ProtocolError } from "../core/errors.ts";
import { decodeModbus } from "./decode.ts";
import { wrap, type ModbusVariant } from "./frame.ts";
import { encodeRequest, encodeResponse, type ModbusRequest, type ModbusResponse } from "./pdu.ts";

const requests: readonly ModbusRequest[] = [
  { kind: "read", function: 4, address: 0x48, count: 4 },
  { kind: "read", function: 1, address: 19, count: 13 },
  { kind: "writeOne", function: 6, address: 1, value: 3 },
  { kind: "writeMany", function: 16, address: 1, count: 2, data: Uint8Array.of(0, 10, 1, 2) },
];

const responses: readonly ModbusResponse[] = [
  { kind: "data", function: 4, data: Uint8Array.of(0x43, 0x66, 0x19, 0x9a, 0x7f, 0xc0, 0, 0) },
  { kind: "data", function: 1, data: Uint8Array.of(0xcd, 0x6b) },
  { kind: "written", function: 6, address: 1, value: 3 },
  { kind: "writtenMany", function: 16, address: 1, count: 2 },
  { kind: "exception", function: 3, code: 2 },
];

/** A refusal of one interpretation of the bytes must not hide the others from the run. */
function attempt(decode: () => unknown): unknown {
  try {
    return decode();
  } catch (error) {
    if (error instanceof ProtocolError) return error.kind;
    throw error;
  }
}

/** The same bytes with a valid CRC: mutated bytes must get past the checksum to reach the decoder. */
function sealed(variant: ModbusVariant, bytes: Uint8Array): Uint8Array {
  const [unit = 0, ...pdu] = variant === "rtu" ? bytes.subarray(0, -2) : bytes;
  return variant === "rtu" ? wrap("rtu", { unit, pdu: Uint8Array.from(pdu) }) : bytes;
}

const target = (name: "modbus-rtu" | "modbus-tcp", variant: ModbusVariant): FuzzTarget => {
  const frame = (pdu: Uint8Array) => wrap(variant, { unit: 17, transaction: 0x1101, pdu });
  const request = frame(encodeRequest({ kind: "read", function: 4, address: 0x48, count: 4 }));
  return {
    name,
    seeds: [...requests.map(encodeRequest), ...responses.map(encodeResponse)].map(frame),
    decode: (bytes) => [
      attempt(() => decodeModbus(name, { request: bytes }, { trace: [] })),
      attempt(() => decodeModbus(name, { response: sealed(variant, bytes) }, { trace: [] })),
      attempt(() => decodeModbus(name, { request, response: bytes }, { trace: [] })),
      decodeModbus(name, { response: bytes }, { trace: [] }),
    ],
  };
};

/** Seeds of both variants; every frame comes from the encoder of this package. */
export const modbusFuzz: readonly FuzzTarget[] = [target("modbus-rtu", "rtu"), target("modbus-tcp", "tcp")];
