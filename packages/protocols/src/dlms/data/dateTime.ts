import { ByteReader, ByteWriter } from "../../core/bytes.ts";
import type { DlmsData, DlmsDate, DlmsDateTime, DlmsTime } from "../types.ts";

const anyByte = 0xff;
const anyYear = 0xffff;
const noDeviation = 0x8000;

/** Bits of the clock status: the four low ones mean that the time is unreliable. */
export const clockStatus = {
  invalid: 0x01,
  doubtful: 0x02,
  otherBase: 0x04,
  invalidStatus: 0x08,
  daylightSaving: 0x80,
} as const;

const orAny = (value: number, any: number): number | null => (value === any ? null : value);

/**
 * 5 bytes: year (high byte first), month, day, weekday. Source: Blue Book 4.1.6.1. Errors: ProtocolError
 * "unexpected".
 */
export function readDate(reader: ByteReader): DlmsDate {
  return {
    year: orAny(reader.u16be(), anyYear),
    month: orAny(reader.u8(), anyByte),
    day: orAny(reader.u8(), anyByte),
    weekday: orAny(reader.u8(), anyByte),
  };
}

/**
 * 4 bytes: hour, minute, second, hundredths. Source: Blue Book 4.1.6.1. Errors: ProtocolError "unexpected".
 */
export function readTime(reader: ByteReader): DlmsTime {
  return {
    hour: orAny(reader.u8(), anyByte),
    minute: orAny(reader.u8(), anyByte),
    second: orAny(reader.u8(), anyByte),
    hundredths: orAny(reader.u8(), anyByte),
  };
}

/**
 * Date-time as stored in the meter.
 * Source: Blue Book 4.1.6.1, pairs of the shared corpus.
 * Layout: date 5 bytes, time 4, deviation 2 (signed minutes to ADD to local time to get UTC: UTC+2 is FF 88;
 * 8000 not specified), status 1. FF (year FFFF) in a field: any, given as null. Fields are not checked for
 * sense here; `toEpoch` does.
 * Errors: ProtocolError "unexpected" when 12 bytes are not there.
 */
export function readDateTime(reader: ByteReader): DlmsDateTime {
  const date = readDate(reader);
  const time = readTime(reader);
  const deviation = reader.u16be();
  const status = orAny(reader.u8(), anyByte);
  return { ...date, ...time, deviation: deviation === noDeviation ? null : (deviation << 16) >> 16, status };
}

export function writeDate(writer: ByteWriter, date: DlmsDate): ByteWriter {
  const { year, month, day, weekday } = date;
  return writer
    .u16be(year ?? anyYear)
    .u8(month ?? anyByte)
    .u8(day ?? anyByte)
    .u8(weekday ?? anyByte);
}

export function writeTime(writer: ByteWriter, time: DlmsTime): ByteWriter {
  const { hour, minute, second, hundredths } = time;
  return writer
    .u8(hour ?? anyByte)
    .u8(minute ?? anyByte)
    .u8(second ?? anyByte)
    .u8(hundredths ?? anyByte);
}

export function writeDateTime(writer: ByteWriter, at: DlmsDateTime): ByteWriter {
  const deviation = at.deviation === null ? noDeviation : at.deviation & 0xffff;
  return writeTime(writeDate(writer, at), at)
    .u16be(deviation)
    .u8(at.status ?? anyByte);
}

/** The 12 bytes; see `readDateTime`. */
export const dateTimeBytes = (at: DlmsDateTime): Uint8Array => writeDateTime(new ByteWriter(12), at).finish();

/** Date-time of its 12 bytes. Errors: ProtocolError "unexpected" for another length. */
export function dateTimeOfBytes(bytes: Uint8Array): DlmsDateTime {
  const reader = new ByteReader(bytes);
  const at = readDateTime(reader);
  if (!reader.done) reader.fail("a date-time has 12 bytes");
  return at;
}

/**
 * Date-time of a value: its own type, or an octet string of 12 bytes, as most meters send it; otherwise null.
 */
export function dateTimeOf(data: DlmsData): DlmsDateTime | null {
  if (data.type === "dateTime") return data.value;
  if (data.type !== "octets" || data.value.length !== 12) return null;
  return dateTimeOfBytes(data.value);
}

export interface ClockRule {
  /** Minutes to add to local time to get UTC, for a clock without a deviation; default 0. */
  readonly deviation?: number;
  /** The meter sends the deviation with the wrong sign (UTC+2 as +120). */
  readonly isDeviationReversed?: boolean;
}

/**
 * Epoch seconds UTC; hundredths are dropped, a second that is not given is 0.
 * Returns null when a field from year to minute is missing or out of range (also month FD/FE, day FD/FE), or
 * the meter says "invalid".
 */
export function toEpoch(at: DlmsDateTime, rule: ClockRule = {}): number | null {
  const day = dayStart(at);
  const time = secondsOfDay(at);
  if (day === null || time === null || ((at.status ?? 0) & clockStatus.invalid) !== 0) return null;
  const sent = at.deviation === null ? undefined : (rule.isDeviationReversed ? -1 : 1) * at.deviation;
  return day + time + (sent ?? rule.deviation ?? 0) * 60;
}

function dayStart({ year, month, day }: DlmsDate): number | null {
  if (year === null || month === null || day === null) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.getTime() / 1000 : null;
}

function secondsOfDay({ hour, minute, second }: DlmsTime): number | null {
  if (hour === null || minute === null || hour > 23 || minute > 59 || (second ?? 0) > 59) return null;
  return hour * 3600 + minute * 60 + (second ?? 0);
}

/**
 * The date-time of an instant. `deviation` null: the time is written as UTC and the field as "not specified".
 */
export function fromEpoch(
  seconds: number,
  { deviation = 0, status = 0 }: { deviation?: number | null; status?: number | null } = {},
): DlmsDateTime {
  const local = new Date((seconds - (deviation ?? 0) * 60) * 1000);
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    weekday: local.getUTCDay() === 0 ? 7 : local.getUTCDay(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
    hundredths: Math.floor(local.getUTCMilliseconds() / 10),
    deviation,
    status,
  };
}

const digits = (value: number | null, width = 2): string =>
  value === null ? "?".repeat(width) : String(value).padStart(width, "0");

/** "2020-01-06"; `?` where any value is meant. */
export const formatDate = ({ year, month, day }: DlmsDate): string =>
  `${digits(year, 4)}-${digits(month)}-${digits(day)}`;

/** "00:03:00"; `?` where any value is meant. */
export const formatTime = ({ hour, minute, second }: DlmsTime): string =>
  `${digits(hour)}:${digits(minute)}:${digits(second)}`;

/**
 * ISO 8601 in the zone of the meter: "2020-01-06T00:03:00+01:00"; without a zone when the meter names none.
 */
export const formatDateTime = (at: DlmsDateTime): string =>
  `${formatDate(at)}T${formatTime(at)}${at.deviation === null ? "" : formatZone(-at.deviation)}`;

function formatZone(east: number): string {
  const minutes = Math.abs(east);
  return `${east < 0 ? "-" : "+"}${digits(Math.floor(minutes / 60))}:${digits(minutes % 60)}`;
}
