import type { ByteReader, ByteWriter } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";

/**
 * One of the three-byte momentary values.
 * Layout: high, low, middle byte; bits 7 and 6 of the first are the directions of active and reactive power
 * (1 reverse), not part of the number.
 * Source: Incotex protocol, code 08 16; checked with an independent client.
 */
export function readThree(reader: ByteReader): {
  value: number;
  isActiveReverse: boolean;
  isReactiveReverse: boolean;
} {
  const high = reader.u8();
  const low = reader.u8();
  const middle = reader.u8();
  return {
    value: ((high & 0x3f) << 16) | (middle << 8) | low,
    isActiveReverse: (high & 0x80) !== 0,
    isReactiveReverse: (high & 0x40) !== 0,
  };
}

/** The reverse of `readThree`; a value beyond 22 bits becomes the largest number. */
export function writeThree(
  writer: ByteWriter,
  value: number,
  reverse: { active?: boolean; reactive?: boolean } = {},
): void {
  const number = Math.min(0x3fffff, Math.round(Math.abs(Number.isFinite(value) ? value : 0)));
  const bits = (reverse.active === true ? 0x80 : 0) | (reverse.reactive === true ? 0x40 : 0);
  writer
    .u8((number >> 16) | bits)
    .u8(number & 0xff)
    .u8((number >> 8) & 0xff);
}

/**
 * A counter of four bytes.
 * Layout: byte order b1 b0 b3 b2; FFFFFFFF means "not kept" and is null. Units: Wh or varh.
 */
export function readFour(reader: ByteReader): number | null {
  const high = reader.u16le();
  const value = high * 0x10000 + reader.u16le();
  return value === 0xffffffff ? null : value;
}

/** The reverse of `readFour`; rolls over at 2^32 - 1. */
export function writeFour(writer: ByteWriter, value: number | null): void {
  const number = value === null ? 0xffffffff : Math.max(0, Math.round(value)) % 0xffffffff;
  writer.u16le(Math.floor(number / 0x10000)).u16le(number % 0x10000);
}

/** A BCD byte. Errors: ProtocolError "unexpected" for digits that are not decimal. */
export function readBcd(reader: ByteReader): number {
  const byte = reader.u8();
  const value = bcd(byte);
  if (value === undefined)
    throw new ProtocolError("unexpected", "digits are not decimal", { offset: reader.offset - 1 });
  return value;
}

const bcd = (byte: number): number | undefined =>
  byte >> 4 > 9 || (byte & 0x0f) > 9 ? undefined : (byte >> 4) * 10 + (byte & 0x0f);

export const toBcd = (value: number): number => (Math.floor(value / 10) << 4) | (value % 10);

/**
 * Epoch seconds of a meter's local moment as if its clock were UTC; undefined for a moment that does not
 * exist.
 */
export function localOf(parts: {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second?: number;
}): number | undefined {
  const { year, month, day, hour, minute, second = 0 } = parts;
  const ms = Date.UTC(2000 + year, month - 1, day);
  const date = new Date(ms);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isReal || hour > 24 || minute > 59 || second > 59) return undefined;
  return ms / 1000 + hour * 3600 + minute * 60 + second;
}

/** Year (two digits), month, day, hour, minute, second and weekday (1 Monday) of a local moment. */
export function partsOf(local: number) {
  const date = new Date(Math.floor(local) * 1000);
  return {
    year: date.getUTCFullYear() % 100,
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    weekday: ((date.getUTCDay() + 6) % 7) + 1,
  };
}

/** Clock of the meter. `local` is epoch seconds as if its clock were UTC. */
export interface MercuryClock {
  readonly local: number;
  readonly isWinter: boolean;
}

/**
 * Reads the clock: ss mm hh weekday dd MM yy in BCD, then 0 in summer, 1 in winter.
 * Source: Incotex protocol, 04 00 [public clients]; the meaning of the last byte is from memory and not
 * verified.
 * Errors: ProtocolError "unexpected" for a moment that does not exist.
 */
export function readClock(reader: ByteReader): MercuryClock {
  const start = reader.position;
  const [second = 0, minute = 0, hour = 0, , day = 0, month = 0, year = 0] = Array.from({ length: 7 }, () =>
    readBcd(reader),
  );
  const isWinter = reader.u8() !== 0;
  const local = localOf({ year, month, day, hour, minute, second });
  if (local === undefined)
    throw new ProtocolError("unexpected", "the clock shows no date", { offset: reader.base + start });
  reader.noteSince(start, "clock", { local: localText(local), season: isWinter ? "winter" : "summer" });
  return { local, isWinter };
}

/** The reverse of `readClock`. */
export function writeClock(writer: ByteWriter, { local, isWinter }: MercuryClock): void {
  const { second, minute, hour, weekday, day, month, year } = partsOf(local);
  for (const part of [second, minute, hour, weekday, day, month, year]) writer.u8(toBcd(part));
  writer.u8(isWinter ? 1 : 0);
}

export const localText = (local: number): string => new Date(local * 1000).toISOString().slice(0, 19);
