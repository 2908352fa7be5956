import type { StepName } from "@metrum/vocabulary";
import { ByteReader } from "../core/bytes.ts";
import type { Conversation } from "../core/conversation.ts";
import { ProtocolError, type ProtocolErrorKind } from "../core/errors.ts";
import { matchReply, unwrap, wrap, type ModbusVariant } from "./frame.ts";
import {
  dataBytes,
  decodeResponse,
  encodeRequest,
  exceptionNames,
  type ModbusRequest,
  type ModbusResponse,
} from "./pdu.ts";

/** A device on its transport, with the number of the next exchange. */
export interface ModbusTarget {
  readonly variant: ModbusVariant;
  readonly unit: number;
  next: number;
}

/** Response time of a meter; the runner adds the delay of the channel. */
const limits = { firstByteMs: 1500, interByteMs: 300 };
const readTries = 3;

type KnownRequest = Exclude<ModbusRequest, { kind: "unknown" }>;

/**
 * One exchange; data of a read, nothing of a write. A read is tried three times, a write once.
 * Errors: ProtocolError "timeout" (also exceptions 0A and 0B: the gateway did not reach the device),
 * "unsupported" (exception 1), "refused" (other exceptions; the code is in `detail`), "checksum",
 * "unexpected" (also exceptions 4 and 5 to a write: the device may have carried it out).
 */
export function* exchange(to: ModbusTarget, request: KnownRequest): Conversation<Uint8Array> {
  // Unit and number of the step: distinguishes late answers within a dialogue, and between units of one
  // converter.
  const transaction = (to.unit << 8) | (to.next % 256);
  to.next += 1;
  const { variant, unit } = to;
  const bytes = wrap(variant, { unit, pdu: encodeRequest(request), transaction });
  const sent = { variant, unit, transaction, request, bytes };
  const reply = yield {
    ...limits,
    tries: request.kind === "read" ? readTries : 1,
    label: labelOf(request),
    send: bytes,
    match: (received) => matchReply(sent, received),
  };
  const { pdu } = unwrap(variant, reply);
  const response = decodeResponse(new ByteReader(pdu.bytes.subarray(pdu.position), { base: pdu.offset }));
  return answerTo(request, response);
}

function answerTo(request: KnownRequest, response: ModbusResponse): Uint8Array {
  if (response.kind === "exception") throw exceptionError(response.code, request.kind !== "read");
  const isData =
    response.kind === "data" &&
    request.kind === "read" &&
    response.data.length === dataBytes(request.function, request.count);
  if (isData) return response.data;
  const isOne =
    response.kind === "written" &&
    request.kind === "writeOne" &&
    response.address === request.address &&
    response.value === request.value;
  const isMany =
    response.kind === "writtenMany" &&
    request.kind === "writeMany" &&
    response.address === request.address &&
    response.count === request.count;
  if (!isOne && !isMany) throw new ProtocolError("unexpected", "the answer is not to this request");
  return new Uint8Array(0);
}

const hex = (number: number) => `0x${number.toString(16).padStart(4, "0").toUpperCase()}`;

function labelOf(request: KnownRequest): StepName {
  const from = hex(request.address);
  switch (request.kind) {
    case "read": {
      const place = { from, to: hex(request.address + request.count - 1) };
      return { code: request.function < 3 ? "read_coils" : "read_registers", ...place };
    }
    case "writeOne":
      return request.function === 5
        ? { code: request.value === 0 ? "switch_coil_off" : "switch_coil_on", n: from }
        : { code: "write_registers", from, to: from };
    case "writeMany":
      return { code: "write_registers", from, to: hex(request.address + request.count - 1) };
  }
}

const kinds: Readonly<Record<number, ProtocolErrorKind>> = { 1: "unsupported", 10: "timeout", 11: "timeout" };
/** Acknowledge (a long request goes on), and busy. */
const busy: readonly number[] = [5, 6];
/** Device failure, and acknowledge: the device was already carrying the write out. */
const doubtful: readonly number[] = [4, 5];

function exceptionError(code: number, isWrite: boolean): ProtocolError {
  const name = exceptionNames[code] ?? "unknown exception";
  const kind = isWrite && doubtful.includes(code) ? "unexpected" : (kinds[code] ?? "refused");
  return new ProtocolError(kind, `exception ${code}: ${name}`, { detail: code, isBusy: busy.includes(code) });
}
