import type { FieldName } from "@metrum/vocabulary";
import { readTogether } from "../core/command.ts";
import type { Conversation } from "../core/conversation.ts";
import type { DeviceAddress, LineDriver } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { finite } from "../core/finite.ts";
import type { Reading } from "../core/reading.ts";
import { exchange, type ModbusTarget } from "./exchange.ts";
import { explainExchange } from "./explain.ts";
import type { ModbusVariant } from "./frame.ts";
import { modbusCommands, type ModbusOutputs } from "./outputs.ts";
import { planReads, type Block } from "./plan.ts";
import { decodeRow, registersOf, type RegisterRow } from "./registers.ts";
import { respond } from "./responder.ts";
import { simulatedOutputs } from "./simulatedOutputs.ts";

/** Properties that distinguish Modbus meters. */
export interface ModbusOptions {
  readonly variant: ModbusVariant;
  readonly rows: readonly RegisterRow[];
  /** Maximum registers per read of this meter; the protocol's limit is 125. */
  readonly maxRegisters?: number;
  /** What commands write; absent: the device is only read. */
  readonly outputs?: ModbusOutputs;
}

const readFunctions = { holding: 3, input: 4 } as const;

/**
 * A driver for any meter whose values lie in a register map.
 * Source: Modbus Application Protocol V1.1b3; the map is the model's.
 * Units: a row's scale turns raw values into the unit of its field. A poll gives one reading of counters
 * (type 1) and one of momentary values (type 2), both of the moment of the exchange: Modbus has no stamp.
 * Errors: ProtocolError as `exchange`; "unsupported" for archives, which such a map has none of.
 */
export function modbus(options: ModbusOptions): LineDriver {
  const { variant, rows, outputs = {} } = options;
  const targetOf = (device: DeviceAddress): ModbusTarget => ({
    variant,
    unit: unitOf(variant, device),
    next: 1,
  });
  const blocks = planReads(rows, options.maxRegisters ?? 125);
  return {
    kind: "line",
    protocol: `modbus-${variant}`,
    archives: [],
    commands: {
      ...readTogether((device) => pollNow(targetOf(device), blocks)),
      ...modbusCommands(outputs, targetOf),
    },
    poll: (request, device) => {
      if (request.kind !== "now") throw new ProtocolError("unsupported", "a register map keeps no archive");
      return pollNow(targetOf(device), blocks);
    },
    respond: (device, state, _now, _history, takeOrder) =>
      respond({
        variant,
        rows,
        unit: unitOf(variant, device),
        state,
        maxRegisters: options.maxRegisters ?? 125,
        outputs: simulatedOutputs(outputs, takeOrder),
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

function* pollNow(to: ModbusTarget, blocks: readonly Block[]): Conversation<Reading[]> {
  const values: Record<RegisterRow["msgType"], Partial<Record<FieldName, number | null>>> = { 1: {}, 2: {} };
  for (const { table, address, count, rows } of blocks) {
    const data = yield* exchange(to, { kind: "read", function: readFunctions[table], address, count });
    for (const row of rows) {
      const at = (row.address - address) * 2;
      const value = decodeRow(row, data.subarray(at, at + registersOf(row.type) * 2));
      values[row.msgType][row.field] = value === null ? null : finite(value, row.field);
    }
  }
  return ([1, 2] as const)
    .filter((msgType) => Object.keys(values[msgType]).length > 0)
    .map((msgType) => ({ msgType, at: null, values: values[msgType] }));
}
