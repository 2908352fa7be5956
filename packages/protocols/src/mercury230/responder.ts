import type { FieldName } from "@metrum/vocabulary";
import { ByteWriter } from "../core/bytes.ts";
import type { Responder } from "../core/conversation.ts";
import type { MeterState } from "../core/driver.ts";
import { closeFrame, isSound } from "./frame.ts";
import { instantFields } from "./meter.ts";
import { energyBytes } from "./responderEnergy.ts";
import { lastProfileBytes, memoryBytes } from "./responderProfile.ts";
import { instantNames, instants } from "./requests.ts";
import { addressOf, passwordBytes } from "./session.ts";
import { limitBytes, write } from "./responderWrites.ts";
import { localNow, status, type Memory, type SimulatedMercury } from "./simulated.ts";
import { partsOf, toBcd, writeClock, writeThree } from "./values.ts";

/** Idle seconds after which the meter closes the channel [from experience]. */
const idleSec = 240;
/** Variant of the simulated meter: 1000 pulses per kWh. */
const variantBytes = [0xb4, 0xe4, 0xc2, 0x97, 0xdf, 0x30];

/**
 * The meter's side: channel with levels and idle limit, energy, momentary values, clock, journals, serial
 * number, profile memory, commands. Silent for foreign addresses and damaged frames; a frame ends with the
 * bytes of one receive, or when its CRC fits. Consumption of past periods and the profile are those of the
 * history, or fixed shares of the counter where none is given. Errors: none.
 */
export function mercuryResponder(simulated: SimulatedMercury): Responder {
  const address = addressOf(simulated.device);
  const memory: Memory = {
    level: 0,
    heardAt: -Infinity,
    clockShift: 0,
    correctedDay: undefined,
    isLoadOn: true,
    isLimitOn: false,
    limit: 0,
  };
  let pending: Uint8Array = new Uint8Array(0);
  return {
    receive(bytes) {
      pending = Uint8Array.from([...pending, ...bytes]).slice(-64);
      const start = Array.from(pending.keys()).find((at) => isSound(pending.subarray(at)));
      if (start === undefined) return [];
      const frame = pending.subarray(start);
      pending = new Uint8Array(0);
      if (frame[0] !== address && frame[0] !== 0) return [];
      const answer = serve(simulated, memory, frame.subarray(1, -2));
      return [closeFrame(frame[0], Uint8Array.from(answer))];
    },
  };
}

function serve(simulated: SimulatedMercury, memory: Memory, body: Uint8Array): ArrayLike<number> {
  const now = simulated.now();
  if (now - memory.heardAt > idleSec) memory.level = 0;
  memory.heardAt = now;
  const [code, ...rest] = body;
  if (code === 0x00) return status(0);
  if (code === 0x01) return openChannel(simulated, memory, rest);
  if (memory.level === 0) return status(5);
  switch (code) {
    case 0x02:
      memory.level = 0;
      return status(0);
    case 0x03:
      return write(simulated, memory, rest);
    case 0x04:
      return rest[0] === 0 ? clockBytes(simulated, memory) : journalBytes(simulated, memory, rest);
    case 0x05:
      return energyBytes(simulated, memory, rest);
    case 0x06:
      return memoryBytes(simulated, memory, rest);
    case 0x08:
      return parameterBytes(simulated, memory, rest);
    default:
      return status(1);
  }
}

function openChannel(
  { device, meter }: SimulatedMercury,
  memory: Memory,
  [level, ...given]: readonly number[],
): number[] {
  if ((level !== 1 && level !== 2) || given.length !== 6) return status(1);
  const wanted = passwordBytes(device.password, level, meter.isPasswordAscii);
  if (!wanted.every((byte, at) => byte === given[at])) return status(3);
  memory.level = level;
  return status(0);
}

function clockBytes(simulated: SimulatedMercury, memory: Memory): Uint8Array {
  const writer = new ByteWriter(8);
  writeClock(writer, { local: localNow(simulated, memory), isWinter: true });
  return writer.finish();
}

/** Journal 1 records that the meter was on since midnight; the others are empty. */
function journalBytes(
  simulated: SimulatedMercury,
  memory: Memory,
  [journal = 0, index = 0]: readonly number[],
): number[] {
  if (index > 9 || journal > 0x1a) return status(1);
  if (journal !== 1) return Array.from({ length: 12 }, () => 0);
  const local = localNow(simulated, memory);
  const { second, minute, hour, day, month, year } = partsOf(local - (local % 86_400) - index * 86_400);
  return [...[second, minute, hour, day, month, year].map(toBcd), ...Array.from({ length: 6 }, () => 0)];
}

function parameterBytes(
  simulated: SimulatedMercury,
  memory: Memory,
  [parameter, value]: readonly number[],
): ArrayLike<number> {
  switch (parameter) {
    case 0x00:
      return serialBytes(simulated);
    case 0x02:
      return [0, 1, 0, 1];
    case 0x03:
      return [9, 0, 2];
    case 0x12:
      return variantBytes;
    case 0x13:
      return lastProfileBytes(simulated, memory);
    case 0x18:
      return [memory.isLoadOn ? 1 : 0, 0];
    case 0x19:
      return limitBytes(memory);
    case 0x16:
      return instantBytes(simulated, value);
    default:
      return status(1);
  }
}

function serialBytes({ device }: SimulatedMercury): number[] {
  const digits = device.deviceID.replaceAll(/\D/g, "").slice(-8).padStart(8, "0");
  return [0, 2, 4, 6].map((at) => Number(digits.slice(at, at + 2))).concat(15, 3, 25);
}

function instantBytes({ meter, state }: SimulatedMercury, bwri: number | undefined): ArrayLike<number> {
  const name = instantNames.find((each) => instants[each].bwri === bwri);
  if (name === undefined) return status(1);
  const kind = instants[name];
  const fields = instantFields(name, meter.phases);
  const writer = new ByteWriter(12);
  for (let at = 0; at < kind.count; at++) {
    const value = valueOf(state, fields[at]) * (name.startsWith("power") ? 1000 : 1) * kind.divisor;
    writeThree(writer, value, { active: value < 0, reactive: value < 0 });
  }
  return writer.finish();
}

const valueOf = (state: MeterState, field: FieldName | undefined): number =>
  field === undefined ? 0 : state(field);
