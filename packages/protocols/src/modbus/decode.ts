import { ByteReader, toHex, type Span } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import type { Decoded, DecodedValue } from "../core/reading.ts";
import { unwrap, type Adu, type ModbusVariant } from "./frame.ts";
import {
  dataBytes,
  decodeRequest,
  decodeResponse,
  exceptionNames,
  functionNames,
  type ModbusRequest,
  type ModbusResponse,
} from "./pdu.ts";
import { dataSpans } from "./explain.ts";

/** The frames of one exchange; either may be missing. */
export interface ModbusExchange {
  readonly request?: Uint8Array | undefined;
  readonly response?: Uint8Array | undefined;
}

/**
 * Decodes one exchange for people, without a register map.
 * Registers come as `register` readings (unsigned) and, in pairs, as `float` (ABCD); coils as `coil`. An
 * answer without its request counts registers from 0. An exception is a good frame and gives one reading
 * named `exception`. Spans of the response follow those of the request, offsets counted over both.
 * Errors: ProtocolError "checksum"; "unexpected" when a frame is malformed or the answer does not belong to
 * the request.
 */
export function decodeModbus(
  protocol: "modbus-rtu" | "modbus-tcp",
  exchange: ModbusExchange,
  options: { readonly trace?: Span[] | undefined } = {},
): Decoded {
  const variant: ModbusVariant = protocol === "modbus-rtu" ? "rtu" : "tcp";
  const { request, response } = exchange;
  const sent = request && openRequest(variant, request, options.trace);
  if (response) {
    const base = request?.length ?? 0;
    const adu = unwrap(variant, response, { trace: options.trace, base });
    const answer = decodeResponse(adu.pdu, (data, offset) =>
      options.trace?.push(...dataSpans([], sent?.request, { data, offset })),
    );
    if (sent) belongs(sent, { adu, answer }, base);
    options.trace?.sort((a, b) => a.offset - b.offset);
    return describe(protocol, { adu, code: answer.function, readings: readingsOf(answer, sent?.request) });
  }
  if (!sent) throw new ProtocolError("unexpected", "no frame", { offset: 0 });
  options.trace?.sort((a, b) => a.offset - b.offset);
  const { adu, request: only } = sent;
  return describe(protocol, { adu, code: only.function, readings: requestReadings(only) });
}

interface Asked {
  readonly adu: Adu;
  readonly request: ModbusRequest;
}
interface Answered {
  readonly adu: Adu;
  readonly answer: ModbusResponse;
}

function openRequest(variant: ModbusVariant, bytes: Uint8Array, trace: Span[] | undefined): Asked {
  const adu = unwrap(variant, bytes, { trace });
  return { adu, request: decodeRequest(adu.pdu) };
}

function belongs(sent: Asked, { adu, answer }: Answered, offset: number): void {
  const wrong = (what: string): never => {
    throw new ProtocolError("unexpected", `the answer has another ${what} than the request`, { offset });
  };
  if (adu.unit !== sent.adu.unit) wrong("unit");
  if (adu.transaction !== sent.adu.transaction) wrong("transaction");
  if (answer.function !== sent.request.function) wrong("function");
  if (sent.request.kind !== "read" || answer.kind !== "data") return;
  if (answer.data.length !== dataBytes(sent.request.function, sent.request.count)) wrong("length");
}

interface Shown {
  readonly adu: Adu;
  readonly code: number;
  readonly readings: readonly DecodedValue[];
}

function describe(protocol: string, { adu, code, readings }: Shown): Decoded {
  const { unit, transaction } = adu;
  return {
    protocol,
    device: { unit, function: code, ...(transaction === undefined ? {} : { transaction }) },
    readings,
    warnings: functionNames[code] === undefined ? [`unknown function ${code}`] : [],
  };
}

const plain = (name: string, value: number): DecodedValue => ({ name, value, unit: "" });

function requestReadings(request: ModbusRequest): DecodedValue[] {
  switch (request.kind) {
    case "unknown":
      return [];
    case "read":
      return [plain("address", request.address), plain("count", request.count)];
    case "writeOne":
      return [plain("address", request.address), plain("value", request.value)];
    case "writeMany":
      return [
        plain("address", request.address),
        plain("count", request.count),
        ...values(request.function === 16 ? 3 : 1, request.data, request),
      ];
  }
}

function readingsOf(answer: ModbusResponse, request: ModbusRequest | undefined): DecodedValue[] {
  switch (answer.kind) {
    case "exception": {
      const meaning = exceptionNames[answer.code];
      const reading = plain("exception", answer.code);
      return [meaning === undefined ? reading : { ...reading, function: meaning }];
    }
    case "written":
      return [plain("address", answer.address), plain("value", answer.value)];
    case "writtenMany":
      return [plain("address", answer.address), plain("count", answer.count)];
    case "unknown":
      return [{ name: "data", value: toHex(answer.data), unit: "" }];
    case "data":
      return values(answer.function, answer.data, request?.kind === "read" ? request : undefined);
  }
}

/** Coils as single bits, registers as words and as pairs. */
function values(
  code: number,
  data: Uint8Array,
  request: { readonly address: number; readonly count: number } | undefined,
): DecodedValue[] {
  const first = request?.address ?? 0;
  if (code < 3) {
    const count = request?.count ?? data.length * 8;
    return Array.from({ length: count }, (_, at) =>
      plain(`coil ${first + at}`, ((data[at >> 3] ?? 0) >> (at & 7)) & 1),
    );
  }
  const reader = new ByteReader(data);
  const found: DecodedValue[] = [];
  for (let at = 0; reader.remaining >= 2; at++) {
    const raw = toHex(data.subarray(at * 2, at * 2 + 2));
    found.push({ ...plain(`register ${first + at}`, reader.u16be()), raw });
  }
  const pairs = data.length % 4 === 0 ? new ByteReader(data) : new ByteReader(new Uint8Array(0));
  for (let at = 0; !pairs.done; at += 2) {
    const raw = toHex(data.subarray(at * 2, at * 2 + 4));
    const value = pairs.f32be();
    found.push({
      name: `float ${first + at}`,
      value: Number.isFinite(value) ? value : null,
      unit: "",
      raw,
    });
  }
  return found;
}
