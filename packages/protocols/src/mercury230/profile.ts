import { withoutNoise } from "@metrum/vocabulary";
import { ByteReader, ByteWriter } from "../core/bytes.ts";
import type { Conversation } from "../core/conversation.ts";
import { ProtocolError } from "../core/errors.ts";
import type { Reading } from "../core/reading.ts";
import { requests } from "./requests.ts";
import { constantOf } from "./reads.ts";
import { ask, type MercurySession } from "./session.ts";
import { localOf, localText, partsOf, readBcd, toBcd } from "./values.ts";

/** A record of the power profile. Counts are pulses of the interval; null when not kept. */
export interface ProfileRecord {
  /** End of the interval, epoch seconds of the meter's own clock. */
  readonly endLocal: number;
  readonly periodMinutes: number;
  readonly counts: readonly (number | null)[];
  /** The meter was off, or its clock was set, within the interval. */
  readonly isIncomplete: boolean;
  readonly isWinter: boolean;
}

/** Position of the newest record. */
export interface LastProfile {
  readonly endLocal: number;
  readonly address: number;
  readonly periodMinutes: number;
  /** 17th bit of the address: the upper half of the memory. */
  readonly isUpper: boolean;
}

/** Records are 16 bytes apart, of which 15 are used. */
export const recordStep = 16;
const recordBytes = 15;

const flags = { incomplete: 0x02, winter: 0x08, upper: 0x10 } as const;

/**
 * Answer to 08 13.
 * Source: from memory, nothing of it is verified on a meter. Layout: address 2 bytes (high first), status, hh
 * mm dd MM yy in BCD, period in minutes.
 * Errors: ProtocolError "unexpected" when the meter has no record yet or the stamp is none.
 */
export function parseLastProfile(reader: ByteReader): LastProfile {
  const address = reader.u16be("last_record");
  const status = reader.u8("status");
  const endLocal = readEnd(reader);
  if (endLocal === undefined) return reader.fail("the meter keeps no power profile yet");
  return {
    address,
    endLocal,
    isUpper: (status & flags.upper) !== 0,
    periodMinutes: reader.u8({ code: "period", unit: "min" }),
  };
}

function readEnd(reader: ByteReader): number | undefined {
  const start = reader.position;
  const [hour = 0, minute = 0, day = 0, month = 0, year = 0] = Array.from({ length: 5 }, () =>
    readBcd(reader),
  );
  const local = localOf({ year, month, day, hour, minute });
  reader.noteSince(start, "end_of_the_interval", local === undefined ? null : { local: localText(local) });
  return local;
}

/**
 * A record of the profile memory; undefined for a place that was never written.
 * Source: from memory, nothing of it is verified on a meter. Layout, 15 bytes: status (bit 1 incomplete, bit
 * 3 winter, bit 4 upper half), hh mm dd MM yy in BCD, period in minutes, A+ A- R+ R- in pulses, two bytes
 * each, low first, FFFF not kept.
 */
export function parseProfileRecord(reader: ByteReader): ProfileRecord | undefined {
  const status = reader.u8("status");
  const stamp = reader.bytes.subarray(reader.position, reader.position + 5);
  if (stamp.every((byte) => byte === 0xff) || stamp.every((byte) => byte === 0)) return undefined;
  const endLocal = readEnd(reader);
  const periodMinutes = reader.u8({ code: "period", unit: "min" });
  if (endLocal === undefined || periodMinutes === 0) return undefined;
  const counts = ["A+", "A−", "R+", "R−"].map((name) => {
    const count = reader.u16le({ code: "energy_way", n: name, unit: "pulses" });
    return count === 0xffff ? null : count;
  });
  return {
    endLocal,
    periodMinutes,
    counts,
    isIncomplete: (status & flags.incomplete) !== 0,
    isWinter: (status & flags.winter) !== 0,
  };
}

/** The reverse of `parseProfileRecord`. */
export function encodeProfileRecord(record: ProfileRecord, isUpper: boolean): Uint8Array {
  const { hour, minute, day, month, year } = partsOf(record.endLocal);
  const status =
    (record.isIncomplete ? flags.incomplete : 0) |
    (record.isWinter ? flags.winter : 0) |
    (isUpper ? flags.upper : 0);
  const writer = new ByteWriter(recordBytes).u8(status);
  for (const part of [hour, minute, day, month, year]) writer.u8(toBcd(part));
  writer.u8(record.periodMinutes);
  for (const count of record.counts)
    writer.u16le(count === null ? 0xffff : Math.min(0xfffe, Math.round(count)));
  return writer.finish();
}

/** Parameters for reading the profile of a meter. */
export interface ProfileOptions {
  /** Size of the ring; 65 536 bytes are 85 days of half-hours. */
  readonly memoryBytes: number;
  /** Pulses per kWh; undefined: read from the meter's variant. */
  readonly constant?: number;
  /** The meter's local time as epoch seconds UTC. */
  readonly toUtc: (local: number, isWinter: boolean) => number;
}

/**
 * Average power of the intervals that begin in [from, to), oldest first, as message type 5.
 * Source: 08 13 and 06 03 of the Incotex protocol; from memory, nothing of it is verified on a meter. Walks
 * the ring backwards from the newest record by position (local time repeats in autumn and gaps have no
 * records) and stops at the first older one, at an empty place, or after a whole turn.
 * Units: kW and kvar = N x (60 / T) / (2 x A). The stamp is the start of the interval. An hour becomes two
 * half-hours of the same average, so that its energy is kept. An incomplete interval keeps its energy and so
 * shows the average over the whole of it.
 * Errors: ProtocolError as `ask`; "unsupported" for an unknown meter constant.
 */
export function* readProfile(
  session: MercurySession,
  options: ProfileOptions,
  range: { from: number; to: number },
): Conversation<Reading[]> {
  const constant = options.constant ?? constantOf(yield* ask(session, requests.variant()));
  const last = parseLastProfile(new ByteReader(yield* ask(session, requests.lastProfile())));
  if (last.periodMinutes === 0)
    throw new ProtocolError("unexpected", "the profile has a period of 0 minutes");
  const places = options.memoryBytes / recordStep;
  const newest = placeOf(last);
  const startOf = (record: ProfileRecord) =>
    options.toUtc(record.endLocal, record.isWinter) - record.periodMinutes * 60;
  const found: Reading[] = [];
  const read = (back: number) => readPlace(session, (((newest - back) % places) + places) % places);
  let back = yield* firstBack({ places, last, to: range.to, startOf, read });
  for (; back < places; back++) {
    const record = yield* read(back);
    if (record === undefined) break;
    const slots = profileReadings(record, startOf(record), constant).reverse();
    if ((slots[0]?.at ?? 0) < range.from) break;
    found.push(...slots);
  }
  return found.reverse().filter(({ at }) => at !== null && at >= range.from && at < range.to);
}

const placeOf = ({ address, isUpper }: LastProfile): number =>
  Math.floor((address + (isUpper ? 0x10000 : 0)) / recordStep);

/**
 * Offset in records at which the search begins: as many as time suggests, fewer if the meter was off and
 * wrote none.
 */
function* firstBack(of: {
  places: number;
  last: LastProfile;
  to: number;
  startOf: (record: ProfileRecord) => number;
  read: (back: number) => Conversation<ProfileRecord | undefined>;
}): Conversation<number> {
  const periodSec = of.last.periodMinutes * 60;
  const stepsTo = (start: number) => Math.max(0, Math.floor((start - of.to) / periodSec));
  const newest = yield* of.read(0);
  if (newest === undefined) return of.places;
  let back = Math.min(of.places - 1, stepsTo(of.startOf(newest)));
  while (back > 0) {
    const record = yield* of.read(back);
    const start = record === undefined ? -Infinity : of.startOf(record);
    if (start >= of.to) return back;
    // Too old: at least one step nearer, at most half of the way where nothing was written.
    const missing = Number.isFinite(start) ? Math.ceil((of.to - start) / periodSec) : Math.ceil(back / 2);
    back = Math.max(0, back - Math.max(1, missing));
  }
  return 0;
}

function* readPlace(session: MercurySession, place: number): Conversation<ProfileRecord | undefined> {
  const address = place * recordStep;
  const bank = address >= 0x10000 ? 0x83 : 0x03;
  const data = yield* ask(session, requests.memory(bank, address % 0x10000, recordBytes));
  return parseProfileRecord(new ByteReader(data));
}

const fieldNames = ["power_a_plus", "power_a_minus", "power_r_plus", "power_r_minus"] as const;

function profileReadings(record: ProfileRecord, at: number, constant: number): Reading[] {
  const power = (count: number | null | undefined): number | null =>
    count === null || count === undefined
      ? null
      : withoutNoise((count * (60 / record.periodMinutes)) / (2 * constant));
  const values = Object.fromEntries(fieldNames.map((field, index) => [field, power(record.counts[index])]));
  const slots = record.periodMinutes === 60 ? [at, at + 1800] : [at];
  return slots.map((slot) => ({ msgType: 5, at: slot, meterAt: slot, values }));
}
