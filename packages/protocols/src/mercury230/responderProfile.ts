import type { FieldName } from "@metrum/vocabulary";
import { ByteWriter } from "../core/bytes.ts";
import { encodeProfileRecord, recordStep, type ProfileRecord } from "./profile.ts";
import { localNow, status, type Memory, type SimulatedMercury } from "./simulated.ts";
import { partsOf, toBcd } from "./values.ts";

/** Pulses per kWh of the simulated meter, as its variant says. */
const simulatedConstant = 1000;

const periodSec = 1800;

/** Number of the half-hour that ended last, which is also its place in the ring. */
const lastEnded = (simulated: SimulatedMercury, memory: Memory): number =>
  Math.floor(localNow(simulated, memory) / periodSec);

/** Answer to 08 13. Layout: `parseLastProfile`. */
export function lastProfileBytes(simulated: SimulatedMercury, memory: Memory): ArrayLike<number> {
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

/** Answer to 06 03 and 06 83: any part of the ring. */
export function memoryBytes(
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

/** The record at a position of the ring: the newest half-hour with this number. */
function placeBytes(simulated: SimulatedMercury, memory: Memory, place: number): Uint8Array {
  const { meter } = simulated;
  const places = (meter.profile?.memoryBytes ?? recordStep) / recordStep;
  const last = lastEnded(simulated, memory);
  const number = last - ((((last - place) % places) + places) % places);
  const startUtc = (number - 1) * periodSec - meter.utcOffsetMinutes * 60 - memory.clockShift;
  const state = simulated.history?.(startUtc) ?? simulated.state;
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
