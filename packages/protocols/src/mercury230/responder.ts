import type { FieldName } from "@metrum/vocabulary";
import { ByteReader, ByteWriter } from "../core/bytes.ts";
import type { Responder } from "../core/conversation.ts";
import type { DeviceAddress, MeterState } from "../core/driver.ts";
import { closeFrame, isSound } from "./frame.ts";
import { instantFields, type MercuryMeter } from "./meter.ts";
import { encodeProfileRecord, recordStep, type ProfileRecord } from "./profile.ts";
import { instantNames, instants } from "./requests.ts";
import { addressOf, passwordBytes } from "./session.ts";
import { partsOf, readClock, toBcd, writeClock, writeFour, writeThree } from "./values.ts";

/** A simulated meter. Level 1 has the password of the device, level 2 the maker's default. */
export interface SimulatedMercury {
  readonly meter: MercuryMeter;
  readonly device: DeviceAddress;
  readonly state: MeterState;
  readonly now: () => number;
}

/** Idle seconds after which the meter closes the channel [from memory]. */
const idleSec = 240;
/** Pulses per kWh of the simulated meter, and the nibble that says so. */
const simulatedConstant = 1000;
const variantBytes = [0xb4, 0xe4, 0xc2, 0x97, 0xdf, 0x30];

interface Memory {
  level: 0 | 1 | 2;
  heardAt: number;
  clockShift: number;
  correctedDay: number | undefined;
  isLoadOn: boolean;
  isLimitOn: boolean;
  limit: number;
}

/**
 * The meter's side: channel with levels and idle limit, energy, momentary values, clock, journals, serial number, profile memory, commands.
 * Silent for foreign addresses and damaged frames; a frame ends with the bytes of one receive, or when its CRC fits.
 * Consumption of a day, month and year is a fixed share of the counter, so that archives can be read. Errors: none.
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

const status = (code: number): number[] => [code];

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
      return energyBytes(simulated, rest);
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
  const wanted = passwordBytes(level === 1 ? device.password : undefined, level, meter.isPasswordAscii);
  if (!wanted.every((byte, at) => byte === given[at])) return status(3);
  memory.level = level;
  return status(0);
}

const localNow = ({ meter, now }: SimulatedMercury, memory: Memory): number =>
  Math.floor(now()) + meter.utcOffsetMinutes * 60 + memory.clockShift;

function clockBytes(simulated: SimulatedMercury, memory: Memory): Uint8Array {
  const writer = new ByteWriter(8);
  writeClock(writer, { local: localNow(simulated, memory), isWinter: true });
  return writer.finish();
}

/** Journal 1 notes that the meter was on since midnight; the others are empty. */
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

/** Share of the counter that is the consumption of an array of code 05: today 0.1 %, yesterday 0.2 %, a month 2 %, a year 20 %. */
const shares: Readonly<Record<number, number>> = {
  0: 1,
  1: 0.2,
  2: 0.2,
  3: 0.02,
  4: 0.001,
  5: 0.002,
  6: 1 / 3,
};

function energyBytes(
  { meter, state }: SimulatedMercury,
  [array = 0, tariff = 0]: readonly number[],
): ArrayLike<number> {
  const share = shares[array >> 4];
  if (share === undefined || tariff > 4) return status(1);
  const writer = new ByteWriter(16);
  const counter = (field: string, isKept: boolean) => {
    writeFour(writer, isKept ? Math.round(state(field) * 1000 * share) : null);
  };
  if (array >> 4 === 6) for (let phase = 0; phase < 3; phase++) counter(`tariff${tariff}`, true);
  else {
    counter(`tariff${tariff}`, true);
    counter(`tariff_negative${tariff}`, meter.keeps.includes("aMinus"));
    counter(`tariff_reactive${tariff}`, meter.keeps.includes("rPlus"));
    counter(`tariff_reactive_negative${tariff}`, meter.keeps.includes("rMinus"));
  }
  return writer.finish();
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

const periodSec = 1800;

/** Number of the half-hour that ended last, which is also its place in the ring. */
const lastEnded = (simulated: SimulatedMercury, memory: Memory): number =>
  Math.floor(localNow(simulated, memory) / periodSec);

function lastProfileBytes(simulated: SimulatedMercury, memory: Memory): ArrayLike<number> {
  const { profile } = simulated.meter;
  if (!profile) return status(1);
  const number = lastEnded(simulated, memory);
  const address = (number * recordStep) % profile.memoryBytes;
  const { hour, minute, day, month, year } = partsOf(number * periodSec);
  return new ByteWriter(9)
    .u16be(address % 0x10000)
    .u8(address >= 0x10000 ? 0x18 : 0x08)
    .raw([hour, minute, day, month, year].map(toBcd))
    .u8(30)
    .finish();
}

function memoryBytes(
  simulated: SimulatedMercury,
  memory: Memory,
  rest: readonly number[],
): ArrayLike<number> {
  const { profile } = simulated.meter;
  const [bank = 0, high = 0, low = 0, length = 0] = rest;
  if (!profile || (bank & 0x7f) !== 3 || length === 0) return status(1);
  const isUpper = (bank & 0x80) !== 0;
  const address = (isUpper ? 0x10000 : 0) + (high << 8) + low;
  if (address + length > profile.memoryBytes) return status(1);
  const data = new Uint8Array(length);
  for (let at = 0; at < length; at++) {
    const record = placeBytes(simulated, memory, Math.floor((address + at) / recordStep));
    data[at] = record[(address + at) % recordStep] ?? 0;
  }
  return data;
}

/** The record that lies at a place of the ring: the newest half-hour with this number. */
function placeBytes(simulated: SimulatedMercury, memory: Memory, place: number): Uint8Array {
  const { meter, state } = simulated;
  const places = (meter.profile?.memoryBytes ?? recordStep) / recordStep;
  const last = lastEnded(simulated, memory);
  const number = last - ((((last - place) % places) + places) % places);
  const count = (field: FieldName, isKept: boolean) =>
    isKept ? Math.round(state(field) * (meter.profile?.constant ?? simulatedConstant)) : null;
  const record: ProfileRecord = {
    endLocal: number * periodSec,
    periodMinutes: 30,
    counts: [
      count("power_a_plus", true),
      count("power_a_minus", meter.keeps.includes("aMinus")),
      count("power_r_plus", meter.keeps.includes("rPlus")),
      count("power_r_minus", meter.keeps.includes("rMinus")),
    ],
    isIncomplete: false,
    isWinter: true,
  };
  return encodeProfileRecord(record, place * recordStep >= 0x10000);
}

/** Lengths of the arguments of the commands; only 0D is allowed at level 1. */
const argumentBytes: Readonly<Record<number, number>> = {
  0x0c: 8,
  0x0d: 3,
  0x16: 0,
  0x18: 1,
  0x2c: 3,
  0x2d: 1,
  0x31: 1,
};

function write(
  simulated: SimulatedMercury,
  memory: Memory,
  [parameter = -1, ...given]: readonly number[],
): number[] {
  if (argumentBytes[parameter] !== given.length) return status(1);
  if (parameter !== 0x0d && memory.level < 2) return status(3);
  const [first = 0] = given;
  if (parameter === 0x0c) return setClock(simulated, memory, given);
  if (parameter === 0x0d) return correctClock(simulated, memory, given);
  if (parameter === 0x31) memory.isLoadOn = first === 1;
  if (parameter === 0x2d) memory.isLimitOn = first === 1;
  if (parameter === 0x2c) memory.limit = first;
  if (parameter === 0x16) memory.level = 0;
  return status(0);
}

function setClock(simulated: SimulatedMercury, memory: Memory, given: readonly number[]): number[] {
  try {
    const { local } = readClock(new ByteReader(Uint8Array.from(given)));
    memory.clockShift += local - localNow(simulated, memory);
    return status(0);
  } catch {
    return status(1);
  }
}

/** Within 4 minutes and once a day. */
function correctClock(simulated: SimulatedMercury, memory: Memory, given: readonly number[]): number[] {
  const local = localNow(simulated, memory);
  const day = Math.floor(local / 86_400);
  const [second = 0, minute = 0, hour = 0] = given.map((byte) => (byte >> 4) * 10 + (byte & 0x0f));
  const shift = day * 86_400 + hour * 3600 + minute * 60 + second - local;
  if (memory.correctedDay === day) return status(4);
  if (Math.abs(shift) > 240) return status(1);
  memory.correctedDay = day;
  memory.clockShift += shift;
  return status(0);
}
