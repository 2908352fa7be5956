import type { DeviceState } from "@metrum/vocabulary";
import { ByteReader, ByteWriter } from "../core/bytes.ts";
import { changeInSession, changing, otherThanSet, type Change as ChangeIn } from "../core/changing.ts";
import type { CommandFunctions, CommandResult } from "../core/command.ts";
import type { Conversation } from "../core/conversation.ts";
import type { DeviceAddress } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { exchange, type ModbusTarget } from "./exchange.ts";
import { decodeRow, encodeRow, registersOf, type RegisterRow } from "./registers.ts";

/**
 * A switch of a device: a coil, or a holding register with its two values. `isMany`: the device takes only
 * function 16, which writes many registers.
 */
export type ModbusSwitch =
  | { readonly coil: number; readonly isInverted?: true }
  | { readonly register: number; readonly on: number; readonly off: number; readonly isMany?: true };

/** Outputs and registers that commands write, as the data sheet of a model gives them. */
export interface ModbusOutputs {
  readonly power?: ModbusSwitch;
  readonly valve?: ModbusSwitch;
  /** Holding registers with the power limit; `scale` turns the raw value into kW. */
  readonly limit?: Pick<RegisterRow, "address" | "type" | "order" | "scale">;
  /** Coils of numbered outputs, from the address of output 0 on. */
  readonly setout?: { readonly first: number; readonly count: number };
  /** Register and value that restart the device. */
  readonly reset?: { readonly register: number; readonly value: number };
}

type Target = (device: DeviceAddress) => ModbusTarget;
type Change = ChangeIn<ModbusTarget>;

/**
 * Commands of a device whose model maps outputs.
 * Source: Modbus Application Protocol V1.1b3, functions 1, 3, 5, 6 and 16. A write is sent once and read
 * back: on a line with an echo the answer to a single write cannot be told from the echo.
 * Units: kW. Errors: ProtocolError before the write is sent.
 */
export function modbusCommands(outputs: ModbusOutputs, targetOf: Target): CommandFunctions {
  const change = (device: DeviceAddress, work: (to: ModbusTarget) => Conversation<Change>) => {
    const to = targetOf(device);
    return changeInSession<ModbusTarget>((task) => task(to), work);
  };
  const { power, valve, limit, setout, reset } = outputs;
  const actuator = power ?? valve;
  return {
    ...(actuator && { relay_state: (device) => actuatorState(targetOf(device), outputs, actuator) }),
    ...(power && {
      power: (device, given) =>
        change(device, (to) =>
          flip(to, power, given.power, { power: given.power, relay_state: given.power }),
        ),
    }),
    ...(valve && {
      valve: (device, given) =>
        change(device, (to) =>
          flip(to, valve, given.valve, { valve: given.valve, relay_state: given.valve }),
        ),
    }),
    ...(limit && {
      limit_state: (device) => limitState(targetOf(device), limit),
      limit: (device, given) => {
        if (given.limit_mode !== undefined)
          throw new ProtocolError("unsupported", "the map has no further settings of the limit");
        return change(device, (to) => setLimit(to, limit, given.limit));
      },
    }),
    ...(setout && {
      setout: (device, { setout: state, out, duration = 0 }) => {
        if (out >= setout.count || duration !== 0)
          throw new ProtocolError("unsupported", "the device has no such output, or no timer for it");
        return change(device, (to) => flip(to, { coil: setout.first + out }, state, {}));
      },
    }),
    ...(reset && {
      reset: (device) =>
        change(device, function* (to): Conversation<Change> {
          return { sent: yield* writeRegister(to, reset.register, reset.value) };
        }),
    }),
  };
}

const coilOn = 0xff00;

const writeRegister = (to: ModbusTarget, address: number, value: number): Conversation<CommandResult> =>
  changing(exchange(to, { kind: "writeOne", function: 6, address, value }));

const writeAsMany = (to: ModbusTarget, address: number, value: number): Conversation<CommandResult> => {
  const data = new ByteWriter(2).u16be(value).finish();
  return changing(exchange(to, { kind: "writeMany", function: 16, address, count: 1, data }));
};

function* flip(
  to: ModbusTarget,
  where: ModbusSwitch,
  wanted: 0 | 1,
  state: DeviceState,
): Conversation<Change> {
  const sent =
    "coil" in where
      ? yield* changing(
          exchange(to, {
            kind: "writeOne",
            function: 5,
            address: where.coil,
            value: (wanted === 1) !== (where.isInverted ?? false) ? coilOn : 0,
          }),
        )
      : yield* (where.isMany === true ? writeAsMany : writeRegister)(
          to,
          where.register,
          wanted === 1 ? where.on : where.off,
        );
  return {
    sent,
    *read(open) {
      return (yield* readSwitch(open, where)) === wanted ? state : otherThanSet("the output");
    },
  };
}

/** Errors: ProtocolError "unexpected" for a value that is neither on nor off. */
function* readSwitch(to: ModbusTarget, where: ModbusSwitch): Conversation<0 | 1> {
  if ("coil" in where) {
    const data = yield* exchange(to, { kind: "read", function: 1, address: where.coil, count: 1 });
    const isSet = ((data[0] ?? 0) & 1) === 1;
    return isSet !== (where.isInverted ?? false) ? 1 : 0;
  }
  const data = yield* exchange(to, { kind: "read", function: 3, address: where.register, count: 1 });
  const value = new ByteReader(data).u16be();
  if (value === where.on) return 1;
  if (value === where.off) return 0;
  throw new ProtocolError("unexpected", `register value ${String(value)} is neither on nor off`);
}

function* actuatorState(
  to: ModbusTarget,
  { power }: ModbusOutputs,
  actuator: ModbusSwitch,
): Conversation<DeviceState> {
  const state = yield* readSwitch(to, actuator);
  return { relay_state: state, ...(power ? { power: state } : { valve: state }) };
}

type LimitRow = NonNullable<ModbusOutputs["limit"]>;

const asRow = (row: LimitRow): RegisterRow => ({
  ...row,
  table: "holding",
  field: "power_active",
  msgType: 2,
});

function* readLimit(to: ModbusTarget, row: LimitRow): Conversation<number | null> {
  const count = registersOf(row.type);
  return decodeRow(
    asRow(row),
    yield* exchange(to, { kind: "read", function: 3, address: row.address, count }),
  );
}

function* limitState(to: ModbusTarget, row: LimitRow): Conversation<DeviceState> {
  const limit = yield* readLimit(to, row);
  return limit === null ? {} : { last_set_limit: limit };
}

function* setLimit(to: ModbusTarget, row: LimitRow, limit: number): Conversation<Change> {
  const data = encodeRow(asRow(row), limit);
  const wanted = decodeRow(asRow(row), data);
  const { address } = row;
  return {
    sent: yield* changing(
      exchange(to, { kind: "writeMany", function: 16, address, count: registersOf(row.type), data }),
    ),
    *read(open) {
      const found = yield* readLimit(open, row);
      return found !== null && found === wanted ? { last_set_limit: found } : otherThanSet("the limit");
    },
  };
}
