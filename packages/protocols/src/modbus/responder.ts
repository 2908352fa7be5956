import { ByteReader } from "../core/bytes.ts";
import type { Responder } from "../core/conversation.ts";
import type { MeterState } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { rtuSound, unwrap, wrap, type ModbusVariant } from "./frame.ts";
import { decodeRequest, encodeResponse, type ModbusRequest, type ModbusResponse } from "./pdu.ts";
import { encodeRow, registersOf, type RegisterRow, type RegisterTable } from "./registers.ts";

/** A meter that answers from its register map. */
export interface SlaveOptions {
  readonly variant: ModbusVariant;
  readonly rows: readonly RegisterRow[];
  readonly unit: number;
  readonly state: MeterState;
  readonly maxRegisters: number;
}

/** More unparsed bytes than two frames are noise. */
const maxPending = 600;

/**
 * The meter's side: finds requests in the stream, answers those to its own unit, is silent to all others.
 * Reads outside the map get exception 2, too many registers 3, functions other than 3 and 4 exception 1.
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
  if (code !== 3 && code !== 4) return refuse(1);
  const request = decodeRequest(pdu);
  if (request.kind !== "read") return refuse(1);
  if (request.count === 0 || request.count > options.maxRegisters) return refuse(3);
  const data = readMap(options, code === 3 ? "holding" : "input", request);
  return data ? { kind: "data", function: code, data } : refuse(2);
}

/** Bytes of the requested registers; undefined when one of them is not in the map. */
function readMap(
  { rows, state }: SlaveOptions,
  table: RegisterTable,
  { address, count }: Extract<ModbusRequest, { kind: "read" }>,
): Uint8Array | undefined {
  const data = new Uint8Array(count * 2);
  const known = new Set<number>();
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
