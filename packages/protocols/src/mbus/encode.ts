import { ByteReader, ByteWriter, fromHex } from "../core/bytes.ts";
import { encodeDateG, encodeDateTimeF, encodeDateTimeI, encodeDecimal, encodeInteger } from "./dataTypes.ts";
import {
  readDataInformation,
  readValueInformation,
  recordFunctions,
  type DataInformation,
  type ValueInformation,
} from "./information.ts";

/** Identity and coding of a record, read from its DIF and VIF bytes. */
export interface RecordCode {
  readonly data: DataInformation;
  readonly meaning: ValueInformation;
  /** VIF and its extensions as sent. */
  readonly vif: Uint8Array;
}

/**
 * Reads the DIF and VIF bytes of a record as a data sheet prints them ("0C 06", "04 FD 17").
 * Source: EN 13757-3, 6.3 and 6.4. Errors: ProtocolError "unexpected" when it is not hexadecimal, too short
 * or too long.
 */
export function parseCode(code: string): RecordCode {
  const reader = new ByteReader(fromHex(code));
  const data = readDataInformation(reader);
  const start = reader.position;
  const meaning = readValueInformation(reader);
  if (!reader.done) reader.fail("bytes behind the VIF");
  return { data, meaning, vif: reader.bytes.subarray(start) };
}

/**
 * DIF and its extensions. Source and layout: EN 13757-3, 6.3, the reverse of `readDataInformation`.
 * Errors: none.
 */
export function encodeDataInformation(data: DataInformation): Uint8Array {
  let storage = Math.floor(data.storage / 2);
  let { tariff, subunit } = data;
  const bytes = [data.coding | (recordFunctions.indexOf(data.function) << 4) | ((data.storage & 1) << 6)];
  while (storage > 0 || tariff > 0 || subunit > 0) {
    const last = bytes.length - 1;
    bytes[last] = (bytes[last] ?? 0) | 0x80;
    bytes.push((storage & 0x0f) | ((tariff & 3) << 4) | ((subunit & 1) << 6));
    storage = Math.floor(storage / 16);
    tariff >>= 2;
    subunit >>= 1;
  }
  return Uint8Array.from(bytes);
}

/**
 * One record with a value in the record's unit; null is sent as the sentinel of its coding. Dates take epoch
 * seconds of the meter's clock.
 * Source and layout: EN 13757-3, clause 6 and annex A, the reverse of `decodeRecords`. What does not fit
 * stops at the largest number, or rolls over when it is a counter.
 * Errors: none.
 */
export function encodeRecord(code: RecordCode, value: number | string | null, isCounter = false): Uint8Array {
  const head = new ByteWriter().raw(encodeDataInformation(code.data)).raw(code.vif);
  return head.raw(encodeData(code, value, isCounter)).finish();
}

const integerBytes: Readonly<Record<number, number>> = { 1: 1, 2: 2, 3: 3, 4: 4, 6: 6, 7: 8 };
const decimalBytes: Readonly<Record<number, number>> = { 9: 1, 10: 2, 11: 3, 12: 4, 14: 6 };

function encodeData(
  { data, meaning }: RecordCode,
  value: number | string | null,
  isCounter: boolean,
): Uint8Array {
  const { coding } = data;
  if (coding === 0x0d) return encodeText(typeof value === "number" ? value.toFixed(0) : (value ?? ""));
  const number = typeof value === "number" && Number.isFinite(value) ? value : null;
  if (meaning.form === "date" || meaning.form === "dateTime") return encodeStamp(coding, number);
  const wire =
    number === null ? null : ((number - meaning.addend) / meaning.factor) * 10 ** -meaning.exponent;
  if (coding === 5) return encodeFloat(wire);
  const digits = decimalBytes[coding];
  if (digits !== undefined)
    return wire === null
      ? new Uint8Array(digits).fill(0xff)
      : encodeDecimal(within(wire, { limit: 10 ** (digits * 2), isCounter }), digits);
  const count = integerBytes[coding] ?? 0;
  // Bit fields use all bits; a number keeps the highest one for its sign.
  const limit = 2 ** (count * 8 - (meaning.form === "bits" ? 0 : 1));
  return encodeInteger(wire === null ? -limit : within(wire, { limit, isCounter }), count);
}

/**
 * A whole number under the limit. A negative decimal loses its highest digit to the sign, which no value here
 * comes near.
 */
function within(wire: number, of: { limit: number; isCounter: boolean }): number {
  const whole = Math.round(wire);
  if (of.isCounter) return whole % of.limit;
  return Math.max(Math.min(whole, of.limit - 1), 1 - of.limit);
}

function encodeFloat(wire: number | null): Uint8Array {
  return wire === null ? Uint8Array.of(0, 0, 0xc0, 0x7f) : new ByteWriter().f32le(wire).finish();
}

function encodeStamp(coding: number, local: number | null): Uint8Array {
  if (coding === 2) return encodeDateG(local);
  return coding === 6 ? encodeDateTimeI(local) : encodeDateTimeF(local);
}

function encodeText(text: string): Uint8Array {
  const count = Math.min(text.length, 0xbf);
  const characters = Uint8Array.from({ length: count }, (_, at) => text.charCodeAt(count - 1 - at) & 0xff);
  return Uint8Array.of(count, ...characters);
}
