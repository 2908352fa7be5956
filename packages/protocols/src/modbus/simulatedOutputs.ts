import { obeyAlways, type DeviceOrder, type TakeOrder } from "../core/orders.ts";
import type { ModbusOutputs, ModbusSwitch } from "./outputs.ts";
import { decodeRow, encodeRow, registersOf } from "./registers.ts";

/** Coils and holding registers of a simulated device that can be written. */
export interface SimulatedOutputs {
  /** The device knows the functions that write, and the one that reads coils. */
  readonly isAny: boolean;
  /** Undefined: there is no such coil, or register. */
  readonly coil: (address: number) => boolean | undefined;
  readonly register: (address: number) => number | undefined;
  /** Exception code; 0: written. */
  readonly writeCoil: (address: number, isSet: boolean) => number;
  readonly writeRegisters: (address: number, words: readonly number[]) => number;
}

const illegalAddress = 2;
const illegalValue = 3;
const deviceBusy = 6;

interface Own {
  readonly coils: Map<number, boolean>;
  readonly registers: Map<number, number>;
}

const initialLimitKw = 15;

/**
 * The outputs of a model, switched on at first, with a limit of 15 kW. They obey as `takeOrder` says; a
 * refusal is exception 6.
 */
export function simulatedOutputs(
  outputs: ModbusOutputs,
  takeOrder: TakeOrder = obeyAlways,
): SimulatedOutputs {
  const own: Own = { coils: new Map(), registers: new Map() };
  for (const each of [outputs.power, outputs.valve]) if (each) set(own, each, true);
  const { setout, limit, reset } = outputs;
  if (setout) for (let at = 0; at < setout.count; at++) own.coils.set(setout.first + at, false);
  if (limit)
    wordsOf(limit, initialLimitKw).forEach((word, at) => own.registers.set(limit.address + at, word));
  if (reset) own.registers.set(reset.register, 0);

  const obey = (order: DeviceOrder, act: () => void): number => {
    const obedience = takeOrder(order);
    if (obedience === "obey") act();
    return obedience === "refuse" ? deviceBusy : 0;
  };
  return {
    isAny: own.coils.size + own.registers.size > 0,
    coil: (address) => own.coils.get(address),
    register: (address) => own.registers.get(address),
    writeCoil(address, isSet) {
      if (!own.coils.has(address)) return illegalAddress;
      return obey(coilOrder(outputs, address, isSet), () => own.coils.set(address, isSet));
    },
    writeRegisters(address, words) {
      if (words.some((_, at) => !own.registers.has(address + at))) return illegalAddress;
      const order = registerOrder(outputs, address, words);
      if (!order) return illegalValue;
      return obey(order, () => words.forEach((word, at) => own.registers.set(address + at, word)));
    },
  };
}

function set({ coils, registers }: Own, where: ModbusSwitch, isOn: boolean): void {
  if ("coil" in where) coils.set(where.coil, isOn !== (where.isInverted ?? false));
  else registers.set(where.register, isOn ? where.on : where.off);
}

type LimitRow = NonNullable<ModbusOutputs["limit"]>;
const asRow = (row: LimitRow) => ({ ...row, table: "holding", field: "power_active", msgType: 2 }) as const;

function wordsOf(row: LimitRow, kw: number): number[] {
  const bytes = encodeRow(asRow(row), kw);
  return Array.from(
    { length: registersOf(row.type) },
    (_, at) => ((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0),
  );
}

function coilOrder({ power, valve, setout }: ModbusOutputs, address: number, isSet: boolean): DeviceOrder {
  const stateOf = (where: ModbusSwitch | undefined): boolean | undefined =>
    where && "coil" in where && where.coil === address ? isSet !== (where.isInverted ?? false) : undefined;
  const isOn = stateOf(power);
  if (isOn !== undefined) return { kind: "power", isOn };
  const isOpen = stateOf(valve);
  if (isOpen !== undefined) return { kind: "valve", isOpen };
  return { kind: "output", number: address - (setout?.first ?? 0), isOn: isSet, seconds: 0 };
}

/** Undefined for a value that the register does not take. */
function registerOrder(
  { power, valve, limit, reset }: ModbusOutputs,
  address: number,
  words: readonly number[],
): DeviceOrder | undefined {
  const [word = 0] = words;
  const stateOf = (where: ModbusSwitch): boolean | undefined =>
    "coil" in where || (word !== where.on && word !== where.off) ? undefined : word === where.on;
  const isAt = (where: ModbusSwitch | undefined): where is ModbusSwitch =>
    where !== undefined && "register" in where && where.register === address && words.length === 1;
  if (isAt(power)) {
    const isOn = stateOf(power);
    return isOn === undefined ? undefined : { kind: "power", isOn };
  }
  if (isAt(valve)) {
    const isOpen = stateOf(valve);
    return isOpen === undefined ? undefined : { kind: "valve", isOpen };
  }
  if (reset?.register === address && words.length === 1)
    return word === reset.value ? { kind: "restart" } : undefined;
  if (limit?.address !== address || words.length !== registersOf(limit.type)) return undefined;
  const bytes = Uint8Array.from(words.flatMap((each) => [each >> 8, each & 0xff]));
  return { kind: "limit", limitKw: decodeRow(asRow(limit), bytes) };
}
