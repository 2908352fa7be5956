import { ByteReader } from "../core/bytes.ts";
import type { Responder } from "../core/conversation.ts";
import type { MeterState } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { rtuSound, unwrap, wrap, type ModbusVariant } from "./frame.ts";
import { decodeRequest, encodeResponse, type ModbusRequest, type ModbusResponse } from "./pdu.ts";
import { encodeRow, registersOf, type RegisterRow, type RegisterTable } from "./registers.ts";
import type { SimulatedOutputs } from "./simulatedOutputs.ts";

/** A meter that answers from its register map. */
export interface SlaveOptions {
  readonly variant: ModbusVariant;
  readonly rows: readonly RegisterRow[];
  readonly unit: number;
  readonly state: MeterState;
  readonly maxRegisters: number;
  readonly outputs: SimulatedOutputs;
}

/** More unparsed bytes than two frames are noise. */
const maxPending = 600;

/**
 * The meter's side: finds requests in the stream, answers those to its own unit, is silent to all others.
 * Reads and writes outside the map get exception 2, too many registers 3, other functions 1.
 */
export function respond(options: SlaveOptions): Responder {
  let pending: Uint8Array = new Uint8Array(0);
  return {
    receive(bytes) {
      pending = Uint8Array.from([...pending, ...bytes]).slice(-maxPending);
      const answers: Uint8Array[] = [];
      for (;;) {
        const found = nextRequest(options.variant, pending);
        if (!found) return answers;
        pending = pending.slice(found.skip + found.frame.length);
        const answer = answerTo(options, found.frame);
        if (answer) answers.push(answer);
      }
    },
  };
}

interface Found {
  readonly skip: number;
  readonly frame: Uint8Array;
}

/** The first whole request; a serial meter finds it among noise by its CRC. */
function nextRequest(variant: ModbusVariant, bytes: Uint8Array): Found | undefined {
  const lastStart = variant === "tcp" ? 0 : bytes.length - 4;
  for (let skip = 0; skip <= lastStart; skip++) {
    const length = requestLength(variant, bytes.subarray(skip));
    if (length === undefined || skip + length > bytes.length) continue;
    const frame = bytes.slice(skip, skip + length);
    if (variant === "tcp" || rtuSound(frame)) return { skip, frame };
  }
  return undefined;
}

/** Length announced by the head of a request; an unknown function has none and takes all bytes. */
function requestLength(variant: ModbusVariant, bytes: Uint8Array): number | undefined {
  if (variant === "tcp") return bytes.length < 6 ? undefined : 6 + (((bytes[4] ?? 0) << 8) | (bytes[5] ?? 0));
  const code = bytes[1] ?? 0;
  if (code >= 1 && code <= 6) return 8;
  if (code !== 15 && code !== 16) return bytes.length;
  return bytes.length < 7 ? undefined : 9 + (bytes[6] ?? 0);
}

function answerTo(options: SlaveOptions, frame: Uint8Array): Uint8Array | undefined {
  try {
    const { unit, transaction, pdu } = unwrap(options.variant, frame);
    if (unit !== options.unit) return undefined;
    const response = serve(options, new ByteReader(pdu.bytes.subarray(pdu.position)));
    return wrap(options.variant, { unit, transaction, pdu: encodeResponse(response) });
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}

function serve(options: SlaveOptions, pdu: ByteReader): ModbusResponse {
  const code = (pdu.peek() ?? 0) & 0x7f;
  const refuse = (exception: number): ModbusResponse => ({
    kind: "exception",
    function: code,
    code: exception,
  });
  if (!(options.outputs.isAny ? served : reading).includes(code)) return refuse(1);
  const request = decodeRequest(pdu);
  switch (request.kind) {
    case "read": {
      if (request.count === 0 || request.count > options.maxRegisters) return refuse(3);
      const data = request.function === 1 ? readCoils(options, request) : readMap(options, request);
      return data ? { kind: "data", function: request.function, data } : refuse(2);
    }
    case "writeOne": {
      const { address, value } = request;
      const exception =
        request.function === 5
          ? writeCoil(options, address, value)
          : options.outputs.writeRegisters(address, [value]);
      return exception === 0 ? { ...request, kind: "written" } : refuse(exception);
    }
    case "writeMany": {
      const { address, count, data } = request;
      const words = Array.from(
        { length: count },
        (_, at) => ((data[2 * at] ?? 0) << 8) | (data[2 * at + 1] ?? 0),
      );
      const exception = options.outputs.writeRegisters(address, words);
      return exception === 0 ? { kind: "writtenMany", function: 16, address, count } : refuse(exception);
    }
    case "unknown":
      return refuse(1);
  }
}

/** Functions of a simulated meter without outputs, and of one with them. */
const reading: readonly number[] = [3, 4];
const served: readonly number[] = [1, 3, 4, 5, 6, 16];
const coilOn = 0xff00;

function writeCoil({ outputs }: SlaveOptions, address: number, value: number): number {
  if (value !== coilOn && value !== 0) return 3;
  return outputs.writeCoil(address, value === coilOn);
}

type Read = Extract<ModbusRequest, { kind: "read" }>;

/** Packed coils; undefined when one of them is not in the map. */
function readCoils({ outputs }: SlaveOptions, { address, count }: Read): Uint8Array | undefined {
  const coils = Array.from({ length: count }, (_, at) => outputs.coil(address + at));
  if (coils.includes(undefined)) return undefined;
  return Uint8Array.from({ length: Math.ceil(count / 8) }, (_, byte) =>
    coils.slice(byte * 8, byte * 8 + 8).reduce((sum, isSet, bit) => sum | (isSet === true ? 1 << bit : 0), 0),
  );
}

/** Bytes of the requested registers; undefined when one of them is not in the map. */
function readMap(
  { rows, state, outputs }: SlaveOptions,
  { function: code, address, count }: Read,
): Uint8Array | undefined {
  const table: RegisterTable = code === 3 ? "holding" : "input";
  const data = new Uint8Array(count * 2);
  const known = new Set<number>();
  for (let at = 0; at < count && table === "holding"; at++) {
    const word = outputs.register(address + at);
    if (word === undefined) continue;
    data.set([word >> 8, word & 0xff], at * 2);
    known.add(address + at);
  }
  for (const row of rows) {
    const end = row.address + registersOf(row.type);
    if (row.table !== table || end <= address || row.address >= address + count) continue;
    const bytes = encodeRow(row, state(row.field));
    for (const [at, byte] of bytes.entries()) {
      const register = row.address + (at >> 1);
      if (register < address || register >= address + count) continue;
      data[(register - address) * 2 + (at & 1)] = byte;
      known.add(register);
    }
  }
  return known.size === count ? data : undefined;
}
