import type { TraceName } from "@metrum/vocabulary";
import { ByteReader } from "../core/bytes.ts";
import type { Conversation } from "../core/conversation.ts";
import type { DeviceMetadata } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { periods, requests, type InstantKind } from "./requests.ts";
import { ask, type MercurySession } from "./session.ts";
import { readBcd, readClock, readFour, readThree, localOf, localText, type MercuryClock } from "./values.ts";

/** A+, A-, R+, R- in Wh and varh; null when the meter does not keep it. */
export interface MercuryEnergy {
  readonly aPlus: number | null;
  readonly aMinus: number | null;
  readonly rPlus: number | null;
  readonly rMinus: number | null;
}

/**
 * Four counters of an answer to code 05. Layout: A+ A- R+ R-, see `readFour`. Checked with an independent
 * client.
 */
export function parseEnergy(reader: ByteReader): MercuryEnergy {
  const next = (n: string, unit: string): number | null => {
    const start = reader.position;
    const value = readFour(reader);
    reader.noteSince(start, { code: "energy_way", n, unit }, value);
    return value;
  };
  return {
    aPlus: next("A+", "Wh"),
    aMinus: next("A−", "Wh"),
    rPlus: next("R+", "varh"),
    rMinus: next("R−", "varh"),
  };
}

/** Momentary values of an answer to 08 16. Layout: see `instants`. Units: those of the kind. */
export function parseInstant(reader: ByteReader, kind: InstantKind): number[] {
  return Array.from({ length: kind.count }, (_, at) => {
    const start = reader.position;
    const { value, isActiveReverse, isReactiveReverse } = readThree(reader);
    const isNegative =
      kind.sign === "active" ? isActiveReverse : kind.sign === "reactive" && isReactiveReverse;
    const number = (isNegative && value !== 0 ? -value : value) / kind.divisor;
    reader.noteSince(start, instantName(kind, at), number);
    return number;
  });
}

/** Four values are the sum and the phases, three of voltage or current the phases; angles are counted. */
function instantName({ code, count }: InstantKind, at: number): TraceName {
  if (code === "angle") return { code, n: at + 1 };
  const phase = phases[count === 4 ? at : at + 1];
  return count === 1 || phase === undefined ? code : { code, phase };
}
const phases = [0, 1, 2, 3] as const;

/** Date of manufacture and serial number. */
export interface MercurySerial {
  /** Eight digits with their leading zeros. */
  readonly serial: string;
  /** dd.mm.yy as the meter sends it. */
  readonly made: string;
}

const twoDigits = (value: number): string => String(value).padStart(2, "0");

/**
 * Serial number and date of manufacture, 08 00.
 * Source: Incotex protocol [public clients]. Layout: four bytes of 0 to 99 in binary (two digits each), dd mm
 * yy in binary.
 */
export function parseSerial(reader: ByteReader): MercurySerial {
  const start = reader.position;
  const serial = Array.from({ length: 4 }, () => twoDigits(reader.u8())).join("");
  reader.noteSince(start, "serial_number", serial);
  const date = reader.position;
  const made = Array.from({ length: 3 }, () => twoDigits(reader.u8())).join(".");
  reader.noteSince(date, "date_of_manufacture", made);
  return { serial, made };
}

/**
 * Meter constants by the low nibble of the second variant byte, pulses per kWh. From memory, not verified.
 */
const constants: readonly number[] = [5000, 25_000, 1250, 500, 1000, 250];

/**
 * Pulses per kWh of the variant bytes (08 12). Errors: ProtocolError "unsupported" for a code that is not in
 * the table.
 */
export function constantOf(variant: Uint8Array): number {
  const constant = constants[(variant[1] ?? 0xff) & 0x0f];
  if (constant === undefined) throw new ProtocolError("unsupported", "the meter constant is not known");
  return constant;
}

/** Start and end of an event of a journal; null if empty. Epoch seconds of the meter's own clock. */
export interface MercuryEvent {
  readonly beganLocal: number | null;
  readonly endedLocal: number | null;
}

/** Journals of 04 jj nn by number. Source: Incotex protocol [public clients], not verified. */
export const journals: Readonly<Record<number, { readonly name: string; readonly code: TraceName }>> = {
  0x01: { name: "meter on and off", code: "journal_meter_on_and_off" },
  0x02: { name: "clock before and after correction", code: "journal_clock_before_and_after_correction" },
  0x03: { name: "phase 1 on and off", code: "journal_phase_1_on_and_off" },
  0x04: { name: "phase 2 on and off", code: "journal_phase_2_on_and_off" },
  0x05: { name: "phase 3 on and off", code: "journal_phase_3_on_and_off" },
  0x06: { name: "power limit exceeded", code: "journal_power_limit_exceeded" },
  0x07: { name: "tariff schedule corrected", code: "journal_tariff_schedule_corrected" },
  0x12: { name: "cover opened", code: "journal_cover_opened" },
  0x13: { name: "reprogrammed", code: "journal_reprogrammed" },
  0x14: { name: "status word", code: "journal_status_word" },
  0x17: { name: "current of phase 1", code: "journal_current_of_phase_1" },
  0x18: { name: "current of phase 2", code: "journal_current_of_phase_2" },
  0x19: { name: "current of phase 3", code: "journal_current_of_phase_3" },
  0x1a: { name: "magnetic field", code: "journal_magnetic_field" },
};

/**
 * A record of a journal.
 * Source: Incotex protocol, 04 jj nn [public clients], not verified. Layout: one or two stamps of 6 bytes, ss
 * mm hh dd MM yy in BCD; zeros or FF: nothing.
 * Errors: ProtocolError "unexpected" for another length or digits that are not decimal.
 */
export function parseEvent(reader: ByteReader): MercuryEvent {
  if (reader.remaining !== 6 && reader.remaining !== 12)
    reader.fail("a journal record has one or two stamps");
  const beganLocal = readStamp(reader, "began");
  return { beganLocal, endedLocal: reader.done ? null : readStamp(reader, "ended") };
}

function readStamp(reader: ByteReader, name: TraceName): number | null {
  const start = reader.position;
  const raw = reader.take(6);
  const isEmpty = raw.every((byte) => byte === 0) || raw.every((byte) => byte === 0xff);
  const inner = new ByteReader(raw, { base: reader.base + start });
  const [second = 0, minute = 0, hour = 0, day = 0, month = 0, year = 0] = isEmpty
    ? []
    : Array.from({ length: 6 }, () => readBcd(inner));
  const local = isEmpty ? null : (localOf({ year, month, day, hour, minute, second }) ?? null);
  reader.noteSince(start, name, local === null ? null : { local: localText(local) });
  return local;
}

/**
 * Counters of one period and tariff (0 is the sum), or by phases (`readPhaseEnergy`).
 * Units: Wh, varh. Errors: ProtocolError as `ask`.
 */
export function* readEnergy(
  session: MercurySession,
  of: { period: number; month?: number; tariff: number },
): Conversation<MercuryEnergy> {
  return parseEnergy(
    new ByteReader(yield* ask(session, requests.energy(of.period, of.month ?? 0, of.tariff))),
  );
}

/**
 * A+ of the three phases since reset, Wh. Source: Incotex protocol, array 6 [public clients], not verified.
 * Errors: as `ask`.
 */
export function* readPhaseEnergy(session: MercurySession, tariff: number): Conversation<(number | null)[]> {
  const reader = new ByteReader(yield* ask(session, requests.energy(periods.perPhase, 0, tariff)));
  return [readFour(reader), readFour(reader), readFour(reader)];
}

/** The meter's clock. Errors: as `ask` and `readClock`. */
export function* readMeterClock(session: MercurySession): Conversation<MercuryClock> {
  return readClock(new ByteReader(yield* ask(session, requests.clock())));
}

/** Identification of the meter. */
export interface MercuryInfo extends MercurySerial {
  /** "9.0.2". */
  readonly firmware: string;
  /** Ratios of the voltage and current transformers as set; counters are not multiplied by them. */
  readonly ku: number;
  readonly ki: number;
}

/**
 * Serial number, firmware and transformer ratios.
 * Source: Incotex protocol, 08 00, 08 03, 08 02 [public clients]; that the ratios come high byte first is
 * from memory. Errors: as `ask`.
 */
export function* readInfo(session: MercurySession): Conversation<MercuryInfo> {
  const serial = parseSerial(new ByteReader(yield* ask(session, requests.serial())));
  const firmware = [...(yield* ask(session, requests.firmware()))].join(".");
  const ratios = new ByteReader(yield* ask(session, requests.transformers()));
  return { ...serial, firmware, ku: ratios.u16be(), ki: ratios.u16be() };
}

/** Serial number and firmware alone. Source, layout and errors: as `readInfo`. */
export function* readFacts(session: MercurySession): Conversation<DeviceMetadata> {
  const { serial } = parseSerial(new ByteReader(yield* ask(session, requests.serial())));
  return { serial, version: [...(yield* ask(session, requests.firmware()))].join(".") };
}

/** A record of a journal, 0 the newest place of 10. Errors: as `ask` and `parseEvent`. */
export function* readJournal(
  session: MercurySession,
  journal: number,
  index: number,
): Conversation<MercuryEvent> {
  return parseEvent(new ByteReader(yield* ask(session, requests.journal(journal, index))));
}
