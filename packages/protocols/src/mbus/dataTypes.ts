import { ByteReader } from "../core/bytes.ts";
import { shortestFloat } from "../core/shortestFloat.ts";
import { manufacturerLetters, readId } from "./header.ts";

/**
 * A time of the meter's own clock. `local` is epoch seconds as if that clock ran in UTC: the wire carries no
 * zone. `summer`: hours that the clock is ahead of its standard time, if reported.
 */
export interface MeterStamp {
  readonly local: number;
  readonly summerHours: number;
  readonly dateOnly: boolean;
}

/**
 * Signed integer, type B.
 * Source: EN 13757-3, annex A. Layout: two's complement, little-endian, 1 to 8 bytes; only the sign bit set
 * means "invalid".
 * Returns null for "invalid". Beyond 2^53 the nearest number. Errors: none.
 */
export function signedInteger(bytes: Uint8Array): number | null {
  const top = bytes[bytes.length - 1] ?? 0;
  const unsigned = unsignedInteger(bytes);
  if (top < 0x80) return unsigned;
  const isInvalid = top === 0x80 && bytes.subarray(0, -1).every((byte) => byte === 0);
  return isInvalid ? null : -(unsignedInteger(bytes.map((byte) => byte ^ 0xff)) + 1);
}

/**
 * Unsigned integer or bit field, types C and D.
 * Source: EN 13757-3, annex A. Layout: little-endian, any length. Beyond 2^53 the nearest number. Errors:
 * none.
 */
export function unsignedInteger(bytes: Uint8Array): number {
  return bytes.reduceRight((total, byte) => total * 256 + byte, 0);
}

/**
 * Packed decimal, type A.
 * Source: EN 13757-3, annex A. Layout: two digits a byte, low byte first; the highest nibble F is a minus
 * sign.
 * Returns null when any other nibble is not a digit: meters show errors and missing values so. Errors: none.
 */
export function decimalInteger(bytes: Uint8Array): number | null {
  const isNegative = (bytes[bytes.length - 1] ?? 0) >> 4 === 0xf;
  let total = 0;
  for (let at = bytes.length - 1; at >= 0; at--) {
    const byte = bytes[at] ?? 0;
    const high = isNegative && at === bytes.length - 1 ? 0 : byte >> 4;
    const low = byte & 0x0f;
    if (high > 9 || low > 9) return null;
    total = total * 100 + high * 10 + low;
  }
  return isNegative ? -total : total;
}

/**
 * Packed decimal with invalid digits, as the most used C library reads it: such a high nibble counts as 0, a
 * low one by its value. For display only, never for storing; undefined when all nibbles are F, the plain "not
 * available".
 * Source: behaviour of rscada/libmbus on its test frames. Layout: as `decimalInteger`. Errors: none.
 */
export function doubtfulDecimal(bytes: Uint8Array): number | undefined {
  if (bytes.every((byte) => byte === 0xff)) return undefined;
  return bytes.reduceRight(
    (total, byte) => total * 100 + (byte >> 4 > 9 ? 0 : (byte >> 4) * 10) + (byte & 0x0f),
    0,
  );
}

/**
 * Float, type H. Source: EN 13757-3, annex A. Layout: IEEE 754, 4 or 8 bytes, little-endian.
 * Returns null when not a finite number. Errors: none.
 */
export function floatingPoint(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length !== 4 && bytes.length !== 8) return null;
  const value = bytes.length === 4 ? shortestFloat(view.getFloat32(0, true)) : view.getFloat64(0, true);
  return Number.isFinite(value) ? value : null;
}

/**
 * ISO 8859-1 text that is sent last character first. Source: EN 13757-3, 6.3.3 (LVAR 00 to BF). Errors: none.
 */
export function reversedText(bytes: Uint8Array): string {
  let text = "";
  for (let at = bytes.length - 1; at >= 0; at--) text += String.fromCharCode(bytes[at] ?? 0);
  return text;
}

/**
 * Address of a meter in 8 bytes: "QDS-12345678-3C-04", version and medium in hexadecimal.
 * Source: EN 13757-3, 6.4 (VIF 79). Layout: number 4 BCD, manufacturer 2, version 1, medium 1, low byte first.
 * Errors: ProtocolError "unexpected" when shorter.
 */
export function identificationText(bytes: Uint8Array): string {
  const reader = new ByteReader(bytes);
  const id = readId(reader);
  const manufacturer = manufacturerLetters(reader.u16le());
  const rest = [reader.u8(), reader.u8()].map((byte) => byte.toString(16).toUpperCase().padStart(2, "0"));
  return [manufacturer, id, ...rest].join("-");
}

/**
 * Two digits of a year, 81 to 99 in the last century for meters without a century field. Centuries 2 and 3
 * (2100 and 2200) are sent by real meters in this one, so they count as it.
 */
const fullYear = (twoDigits: number, century = 0): number =>
  century > 0 || twoDigits <= 80 ? 2000 + twoDigits : 1900 + twoDigits;

interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour?: number;
  readonly minute?: number;
  readonly second?: number;
}

/**
 * Null when a part is "every" or "not set" (day 0, month 0 or 15, hour 31, minute 63, year 127) or no such
 * day exists.
 */
function stamp(parts: Parts, summerHours = 0): MeterStamp | null {
  const { year, month, day, hour = 0, minute = 0, second = 0 } = parts;
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return null;
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return null;
  const local = Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
  return { local, summerHours, dateOnly: parts.hour === undefined };
}

/**
 * Day, month and two-digit year, packed alike in types F, G and I; undefined year when it is "every year".
 */
const packedDate = (low: number, high: number): { day: number; month: number; twoDigits: number } => ({
  day: low & 0x1f,
  month: high & 0x0f,
  twoDigits: (low >> 5) | ((high & 0xf0) >> 1),
});

/**
 * Date, type G.
 * Source: EN 13757-3, annex A. Layout: 16 bits little-endian: day 0-4, month 8-11, year 5-7 (low) and 12-15
 * (high).
 * Returns null when not set (FFFF, day or month 0, wildcard). Errors: none.
 */
export function dateG(bytes: Uint8Array): MeterStamp | null {
  const { day, month, twoDigits } = packedDate(bytes[0] ?? 0, bytes[1] ?? 0);
  return twoDigits > 99 ? null : stamp({ year: fullYear(twoDigits), month, day });
}

/**
 * Date and time, type F.
 * Source: EN 13757-3, annex A. Layout: 32 bits little-endian: minute 0-5, invalid 7, hour 8-12, century
 * 13-14, summer time 15, day 16-20, month 24-27, year 21-23 and 28-31. Returns null when invalid or not set.
 * Errors: none.
 */
export function dateTimeF(bytes: Uint8Array): MeterStamp | null {
  const [b0 = 0, b1 = 0, b2 = 0, b3 = 0] = bytes;
  if ((b0 & 0x80) !== 0) return null;
  const { day, month, twoDigits } = packedDate(b2, b3);
  if (twoDigits > 99) return null;
  const year = fullYear(twoDigits, (b1 >> 5) & 3);
  return stamp({ year, month, day, hour: b1 & 0x1f, minute: b0 & 0x3f }, b1 >> 7);
}

/**
 * Date and time with seconds, type I.
 * Source: EN 13757-3, annex A. Layout: 48 bits little-endian: second 0-5, summer time 6, leap year 7, minute
 * 8-13, sign of the deviation 14 (1 is plus), invalid 15, hour 16-20, day 24-28, year 29-31 and 36-39, month
 * 32-35, hours of deviation 46-47.
 * Returns null when invalid or not set. Errors: none.
 */
export function dateTimeI(bytes: Uint8Array): MeterStamp | null {
  const [b0 = 0, b1 = 0, b2 = 0, b3 = 0, b4 = 0, b5 = 0] = bytes;
  if ((b1 & 0x80) !== 0) return null;
  const { day, month, twoDigits } = packedDate(b3, b4);
  if (twoDigits > 99) return null;
  const deviation = (b5 >> 6) * ((b1 & 0x40) !== 0 ? 1 : -1);
  const summerHours = (b0 & 0x40) === 0 ? 0 : deviation === 0 ? 1 : deviation;
  const time = { hour: b2 & 0x1f, minute: b1 & 0x3f, second: b0 & 0x3f };
  return stamp({ year: fullYear(twoDigits), month, day, ...time }, summerHours);
}

/**
 * Time of day, type J, as `HH:MM:SS`.
 * Source: EN 13757-3, annex A. Layout: 24 bits: second 0-5, minute 8-13, hour 16-20. Null when not set.
 * Errors: none.
 */
export function timeJ(bytes: Uint8Array): string | null {
  const parts = [(bytes[2] ?? 0) & 0x1f, (bytes[1] ?? 0) & 0x3f, (bytes[0] ?? 0) & 0x3f];
  const [hour = 0, minute = 0, second = 0] = parts;
  if (hour > 23 || minute > 59 || second > 59) return null;
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

/**
 * A stamp as text: `2014-03-13`, or `2014-03-13T11:11:00Z` where Z means the meter's clock, whose zone is
 * unknown.
 */
export function stampText(at: MeterStamp): string {
  const iso = new Date(at.local * 1000).toISOString();
  return at.dateOnly ? iso.slice(0, 10) : `${iso.slice(0, 19)}Z`;
}

/**
 * The number as packed decimal of `count` bytes; digits that do not fit are lost, as when a counter rolls
 * over.
 */
export function encodeDecimal(value: number, count: number): Uint8Array {
  const digits = Math.abs(value)
    .toFixed(0)
    .padStart(count * 2, "0")
    .slice(-count * 2);
  const bytes = Uint8Array.from({ length: count }, (_, at) =>
    Number.parseInt(digits.slice((count - 1 - at) * 2, (count - at) * 2), 16),
  );
  if (value < 0) bytes[count - 1] = ((bytes[count - 1] ?? 0) & 0x0f) | 0xf0;
  return bytes;
}

/** The number as two's complement of `count` bytes, little-endian; it wraps as a counter does. */
export function encodeInteger(value: number, count: number): Uint8Array {
  let rest = BigInt.asUintN(count * 8, BigInt(Math.round(value)));
  return Uint8Array.from({ length: count }, () => {
    const byte = Number(rest & 0xffn);
    rest >>= 8n;
    return byte;
  });
}

/** Type G of a local moment; null is "not set". */
export function encodeDateG(local: number | null): Uint8Array {
  if (local === null) return Uint8Array.of(0xff, 0xff);
  const date = new Date(local * 1000);
  const twoDigits = date.getUTCFullYear() % 100;
  return Uint8Array.of(
    date.getUTCDate() | ((twoDigits & 7) << 5),
    (date.getUTCMonth() + 1) | ((twoDigits >> 3) << 4),
  );
}

/** Type F of a local moment, century 2000; null is "invalid". */
export function encodeDateTimeF(local: number | null): Uint8Array {
  if (local === null) return Uint8Array.of(0x80, 0, 0, 0);
  const date = new Date(local * 1000);
  return Uint8Array.of(date.getUTCMinutes(), date.getUTCHours() | 0x20, ...encodeDateG(local));
}

/** Type I of a local moment; null is "invalid". Day of week and week stay unset. */
export function encodeDateTimeI(local: number | null): Uint8Array {
  if (local === null) return Uint8Array.of(0, 0x80, 0, 0, 0, 0);
  const date = new Date(local * 1000);
  const time = [date.getUTCSeconds(), date.getUTCMinutes(), date.getUTCHours()];
  return Uint8Array.of(...time, ...encodeDateG(local), 0);
}
