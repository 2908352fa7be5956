import type { DeviceState } from "@metrum/vocabulary";
import { ByteReader } from "../core/bytes.ts";
import { changing } from "../core/changing.ts";
import type { CommandFunctions, CommandResult } from "../core/command.ts";
import type { Conversation } from "../core/conversation.ts";
import type { LineDriver } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { exchange, type ModbusTarget } from "./exchange.ts";
import { explainExchange } from "./explain.ts";
import { respond } from "./responder.ts";
import { simulatedRouter } from "./simulatedRouter.ts";

/** Holding registers of a router. */
export interface RouterMap {
  /** Seconds, 32 bit. */
  readonly uptime: number;
  /** dBm, signed 32 bit. */
  readonly signal: number;
  /** Tenths of a degree Celsius, signed 32 bit. */
  readonly temperature: number;
  /** Register of the first digital output, 1 on and 0 off; those of the others follow. */
  readonly outputs: { readonly first: number; readonly count: number };
  /** 1 switches the mobile data connection on. */
  readonly mobileData: number;
  /** 1 restarts it. */
  readonly restart: number;
}

const unit = 1;
const target = (): ModbusTarget => ({ variant: "tcp", unit, next: 0 });

/**
 * A router with a Modbus TCP server of its own: state, outputs, mobile data, restart. A write is sent once; what
 * was written cannot be read back, so the answer of the router counts.
 * Source: Modbus Application Protocol V1.1b3, functions 3 and 6; the map is that of the manufacturer.
 * Errors: ProtocolError "unsupported" for an output that it does not have, or a duration: it has no timer.
 */
export const modbusRouter = (map: RouterMap): LineDriver => ({
  kind: "line",
  protocol: "modbus-tcp",
  archives: [],
  commands: {
    uptime: () => setting(map.uptime, (reader) => ({ uptime: reader.u32be() })),
    signal_level: () => setting(map.signal, (reader) => ({ signal_level: reader.u32be() | 0 })),
    board_temperature: () =>
      setting(map.temperature, (reader) => ({ board_temperature: (reader.u32be() | 0) / 10 })),
    reset: () => write(map.restart, 1),
    mts_activate: () => write(map.mobileData, 1),
    setout: (_, { setout, out, duration = 0 }) => {
      if (out < 1 || out > map.outputs.count || duration !== 0)
        throw new ProtocolError("unsupported", "the router has no such output, or no timer for it");
      return write(map.outputs.first + out - 1, setout);
    },
  } satisfies CommandFunctions,
  poll: () => {
    throw new ProtocolError("unsupported", "a router has no readings");
  },
  respond: (_device, state, now, _history, takeOrder) =>
    respond({
      variant: "tcp",
      rows: [],
      unit,
      state,
      maxRegisters: 125,
      outputs: simulatedRouter(map, now, takeOrder),
    }),
  explain: (sent, received) => explainExchange("tcp", [], { sent, received }),
});

const write = (address: number, value: number): Conversation<CommandResult> =>
  changing(exchange(target(), { kind: "writeOne", function: 6, address, value }));

function* setting(
  address: number,
  decode: (reader: ByteReader) => DeviceState["gateway_settings"],
): Conversation<DeviceState> {
  const data = yield* exchange(target(), { kind: "read", function: 3, address, count: 2 });
  const gateway_settings = decode(new ByteReader(data));
  return gateway_settings ? { gateway_settings } : {};
}
