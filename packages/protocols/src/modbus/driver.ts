import type { FieldName } from "@metrum/vocabulary";
import { ByteReader } from "../core/bytes.ts";
import { readTogether } from "../core/command.ts";
import type { Conversation, Step } from "../core/conversation.ts";
import type { DeviceAddress, LineDriver } from "../core/driver.ts";
import { ProtocolError, type ProtocolErrorKind } from "../core/errors.ts";
import { finite } from "../core/finite.ts";
import type { Reading } from "../core/reading.ts";
import { explainExchange } from "./explain.ts";
import { matchReply, unwrap, wrap, type ModbusVariant, type Sent } from "./frame.ts";
import { decodeResponse, encodeRequest, exceptionNames, type ModbusRequest } from "./pdu.ts";
import { planReads, type Block } from "./plan.ts";
import { decodeRow, registersOf, type RegisterRow } from "./registers.ts";
import { respond } from "./responder.ts";

/** Properties that distinguish Modbus meters. */
export interface ModbusOptions {
  readonly variant: ModbusVariant;
  readonly rows: readonly RegisterRow[];
  /** Maximum registers per read of this meter; the protocol's limit is 125. */
  readonly maxRegisters?: number;
}

/** Response time of a meter; the runner adds the delay of the channel. */
const limits = { firstByteMs: 1500, interByteMs: 300, tries: 3 };

const readFunctions = { holding: 3, input: 4 } as const;

/**
 * A driver for any meter whose values lie in a register map.
 * Source: Modbus Application Protocol V1.1b3; the map is the model's.
 * Units: a row's scale turns raw values into the unit of its field. A poll gives one reading of counters
 * (type 1) and one of momentary values (type 2), both of the moment of the exchange: Modbus has no stamp.
 * Errors: ProtocolError "timeout" (also exceptions 0A and 0B: the gateway did not reach the device),
 * "unsupported" (exception 1, and archives, which this map has none of), "refused" (other exceptions; the
 * code is in `detail`), "checksum", "unexpected".
 */
export function modbus(options: ModbusOptions): LineDriver {
  const { variant, rows } = options;
  const blocks = planReads(rows, options.maxRegisters ?? 125);
  return {
    kind: "line",
    protocol: `modbus-${variant}`,
    archives: [],
    commands: readTogether((device) => pollNow(variant, blocks, unitOf(variant, device))),
    poll: (request, device) => {
      if (request.kind !== "now") throw new ProtocolError("unsupported", "a register map keeps no archive");
      return pollNow(variant, blocks, unitOf(variant, device));
    },
    respond: (device, state) =>
      respond({
        variant,
        rows,
        unit: unitOf(variant, device),
        state,
        maxRegisters: options.maxRegisters ?? 125,
      }),
    explain: (sent, received) => explainExchange(variant, rows, { sent, received }),
  };
}

/**
 * Unit address as the user entered it.
 * Units and range: 1 to 247 on a serial line, 0 to 255 over TCP.
 * Errors: ProtocolError "unexpected".
 */
export function unitOf(variant: ModbusVariant, device: DeviceAddress): number {
  const text = device.insideAddr.trim();
  const unit = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  const [min, max] = variant === "tcp" ? [0, 255] : [1, 247];
  if (unit >= min && unit <= max) return unit;
  throw new ProtocolError("unexpected", `address ${text} is not a number from ${min} to ${max}`);
}

function* pollNow(variant: ModbusVariant, blocks: readonly Block[], unit: number): Conversation<Reading[]> {
  const values: Record<RegisterRow["msgType"], Partial<Record<FieldName, number | null>>> = { 1: {}, 2: {} };
  for (const [index, block] of blocks.entries()) {
    const sent = readRequest({ variant, unit, block, index });
    const data = openReply(sent, yield step(sent, block));
    for (const row of block.rows) {
      const at = (row.address - block.address) * 2;
      const value = decodeRow(row, data.subarray(at, at + registersOf(row.type) * 2));
      values[row.msgType][row.field] = value === null ? null : finite(value, row.field);
    }
  }
  return ([1, 2] as const)
    .filter((msgType) => Object.keys(values[msgType]).length > 0)
    .map((msgType) => ({ msgType, at: null, values: values[msgType] }));
}

function readRequest(of: { variant: ModbusVariant; unit: number; block: Block; index: number }): Sent {
  const { variant, unit, block, index } = of;
  const request: ModbusRequest = {
    kind: "read",
    function: readFunctions[block.table],
    address: block.address,
    count: block.count,
  };
  // Unit and number of the step: distinguishes late answers within a poll, and between units of one
  // converter.
  const transaction = (unit << 8) | ((index + 1) % 256);
  return {
    variant,
    unit,
    transaction,
    request,
    bytes: wrap(variant, { unit, pdu: encodeRequest(request), transaction }),
  };
}

function step(sent: Sent, block: Block): Step {
  const hex = (register: number) => `0x${register.toString(16).padStart(4, "0").toUpperCase()}`;
  return {
    ...limits,
    label: {
      code: "read_registers",
      from: hex(block.address),
      to: hex(block.address + block.count - 1),
    },
    send: sent.bytes,
    match: (received) => matchReply(sent, received),
  };
}

/** Register bytes of an answer. Errors: see `modbus`. */
function openReply(sent: Sent, reply: Uint8Array): Uint8Array {
  const { pdu } = unwrap(sent.variant, reply);
  const response = decodeResponse(new ByteReader(pdu.bytes.subarray(pdu.position), { base: pdu.offset }));
  if (response.kind === "exception") throw exceptionError(response.code);
  if (
    response.kind !== "data" ||
    sent.request.kind !== "read" ||
    response.data.length !== sent.request.count * 2
  )
    throw new ProtocolError("unexpected", "the answer is not to this request");
  return response.data;
}

function exceptionError(code: number): ProtocolError {
  const kinds: Readonly<Record<number, ProtocolErrorKind>> = {
    1: "unsupported",
    10: "timeout",
    11: "timeout",
  };
  const name = exceptionNames[code] ?? "unknown exception";
  return new ProtocolError(kinds[code] ?? "refused", `exception ${code}: ${name}`, { detail: code });
}
