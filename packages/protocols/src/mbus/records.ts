import type { TraceValue } from "@metrum/vocabulary";
import { quantityTerm } from "./quantities.ts";
import { ByteReader, toHex, type Span } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import {
  dateG,
  dateTimeF,
  dateTimeI,
  decimalInteger,
  doubtfulDecimal,
  floatingPoint,
  identificationText,
  reversedText,
  signedInteger,
  stampText,
  timeJ,
  unsignedInteger,
  type MeterStamp,
} from "./dataTypes.ts";
import {
  readDataInformation,
  readValueInformation,
  type DataInformation,
  type RecordFunction,
  type ValueInformation,
} from "./information.ts";
import { isProfile, profilesIn } from "./profile.ts";

/** One data record of a telegram, in base units (Wh, m^3, W, s, °C ...). */
export interface MbusRecord {
  /** maker: bytes after 0F or 1F, kept as hex in `value`. */
  readonly kind: "value" | "maker";
  readonly function: RecordFunction;
  readonly storage: number;
  readonly tariff: number;
  readonly subunit: number;
  readonly quantity: string;
  readonly unit: string;
  /** Null: the meter reports no value, or sent meaningless data. */
  readonly value: number | string | null;
  readonly modifiers: readonly string[];
  /**
   * A number that is no value (`value` is null then): a lenient reading of BCD with hex digits, a negative
   * count of an allocator. To be named in a warning, never stored.
   */
  readonly doubtful?: number;
  /** The date, if the value is one. */
  readonly stamp?: MeterStamp;
  /** The meter's reason for a missing value. */
  readonly error?: string;
  /** The time of the value, if given by the record itself: values of a profile. */
  readonly at?: MeterStamp;
  /** Data bytes as sent. */
  readonly raw: Uint8Array;
}

/** All records of a telegram; `isMoreFollowing` when DIF 1F announced another telegram. */
export interface RecordList {
  readonly records: readonly MbusRecord[];
  readonly isMoreFollowing: boolean;
  /** Why the list ends early; only from a lenient reader. */
  readonly broken?: ProtocolError;
  /** Bytes from the beginning of the broken record on. */
  readonly unread?: number;
  /** Place in the bytes of each record, if requested. */
  readonly places?: readonly RecordPlace[];
}

/** Offsets of the first byte of a record and of the first one behind it. */
export interface RecordPlace {
  readonly from: number;
  readonly to: number;
}

const special = { maker: 0x0f, makerAndMore: 0x1f, filler: 0x2f, globalReadout: 0x7f } as const;

/** Data bytes by coding; undefined: variable length. */
const codingBytes: readonly (number | undefined)[] = [0, 1, 2, 3, 4, 4, 6, 8, 0, 1, 2, 3, 4, undefined, 6, 0];

/**
 * Decodes a bare list of records: the part of a telegram behind its header, the same in wired and wireless
 * M-Bus and LoRaWAN.
 * Source: EN 13757-3, clause 6. Layout: records of DIF, DIFE, VIF, VIFE, data; low byte first unless
 * `isHighFirst` (CI 76, 77). Integers beyond 2^53 are texts. Sentinels (BCD with hex digits, unset dates, invalid integers, NaN) are null.
 * Time grows with the number of bytes. A profile is followed by its values, one record each (`profilesIn`).
 * Errors: ProtocolError "unexpected" for a record that ends early, "unsupported" for a reserved DIF or
 * length. With `isLenient` and at least one whole record, the list ends before the broken one and says so.
 */
export function decodeRecords(
  bytes: Uint8Array,
  options: {
    trace?: Span[] | undefined;
    base?: number;
    isHighFirst?: boolean;
    isLenient?: boolean;
    withPlaces?: boolean;
  } = {},
): RecordList {
  const reader = new ByteReader(bytes, options);
  const records: MbusRecord[] = [];
  const places: RecordPlace[] = [];
  const placed = options.withPlaces === true ? { places } : {};
  const profileOf = profilesIn(records);
  while (!reader.done) {
    const dif = reader.peek();
    if (dif === special.filler) reader.u8("filler");
    else if (dif === special.globalReadout) reader.u8("global_readout");
    else if (dif === special.maker || dif === special.makerAndMore) {
      places.push({ from: reader.position, to: bytes.length });
      records.push(readMakerData(reader));
      return { records, isMoreFollowing: dif === special.makerAndMore, ...placed };
    } else {
      const from = reader.position;
      const unread = reader.remaining;
      const read =
        options.isLenient === true && records.length > 0
          ? tryRecord(reader)
          : readRecord(reader, options.isHighFirst ?? false);
      if (read instanceof ProtocolError)
        return { records, isMoreFollowing: false, broken: read, unread, ...placed };
      const found = [read.record, ...profileOf(read.record, read.scale)];
      places.push(...found.map(() => ({ from, to: reader.position })));
      records.push(...found);
    }
  }
  return { records, isMoreFollowing: false, ...placed };
}

/** A record, and the conversion of a number in its data to a value. */
interface ReadRecord {
  readonly record: MbusRecord;
  readonly scale: (number: number) => number | null;
}

function tryRecord(reader: ByteReader): ReadRecord | ProtocolError {
  try {
    return readRecord(reader, false);
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
}

/**
 * Length of the data of a record, with LVAR where there is one. `next`: the first byte of the data.
 * Source: EN 13757-3, 6.3. Errors: ProtocolError "unexpected" when LVAR is missing, "unsupported" when it is
 * reserved.
 */
export function recordDataBytes(dif: number, next: number | undefined): number {
  const fixed = codingBytes[dif & 0x0f];
  if (fixed !== undefined) return fixed;
  if (next === undefined) throw new ProtocolError("unexpected", "LVAR is missing");
  return 1 + variableBytes(next);
}

/**
 * Data bytes behind LVAR. F0 to F4 are binaries of 16 to 32 bytes, F5 and F6 of 48 and 64; F7 to FA had
 * LVAR-F0 bytes in the standard before.
 * Source: EN 13757-3:2013, table 5, and EN 1434-3:1997; the lengths agree with two open implementations.
 */
function variableBytes(lvar: number): number {
  if (lvar > 0xfa) throw new ProtocolError("unsupported", "reserved LVAR");
  if (lvar < 0xc0) return lvar;
  if (lvar < 0xf0 || lvar > 0xf6) return lvar & 0x0f;
  return lvar <= 0xf4 ? 4 * (lvar - 0xec) : 16 * (lvar - 0xf2);
}

function readMakerData(reader: ByteReader): MbusRecord {
  const isMore = reader.u8("dif_makers_data") === special.makerAndMore;
  const raw = reader.take(reader.remaining);
  const value = (toHex(raw).toUpperCase().match(/../g) ?? []).join(" ");
  if (raw.length > 0)
    reader.spans?.push({
      offset: reader.offset - raw.length,
      bytes: raw.length,
      name: "makers_data",
      value,
    });
  const quantity = isMore && raw.length === 0 ? "More records follow" : "Manufacturer specific";
  const position = { function: "instantaneous", storage: 0, tariff: 0, subunit: 0 } as const;
  return { kind: "maker", ...position, quantity, unit: "", value, modifiers: [], raw };
}

function readRecord(reader: ByteReader, isHighFirst: boolean): ReadRecord {
  const at = reader.offset;
  if (((reader.peek() ?? 0) & 0x0f) === 0x0f)
    throw new ProtocolError("unsupported", "reserved DIF", { offset: at });
  const data = readDataInformation(reader);
  const meaning = readValueInformation(reader);
  const start = reader.position;
  const { raw, content } = readContent(reader, data, { meaning, isHighFirst });
  const { quantity, unit, modifiers } = meaning;
  if (reader.position > start) reader.noteSince(start, quantityTerm(quantity, unit), shownValue(content));
  const { function: role, storage, tariff, subunit } = data;
  const record = {
    kind: "value",
    function: role,
    storage,
    tariff,
    subunit,
    quantity,
    unit,
    modifiers,
    raw,
  } as const;
  const error = meaning.error === undefined ? {} : { error: meaning.error };
  return { record: { ...record, ...content, ...error }, scale: (number) => scaled(number, meaning) };
}

interface Content {
  readonly value: number | string | null;
  readonly stamp?: MeterStamp;
  readonly doubtful?: number;
  readonly error?: string;
}

/** A date of the meter's own clock is no text. */
const shownValue = ({ value, stamp }: Content): TraceValue =>
  stamp === undefined ? value : { local: stampText(stamp) };

interface Context {
  readonly meaning: ValueInformation;
  readonly isHighFirst: boolean;
}

function readContent(
  reader: ByteReader,
  data: DataInformation,
  context: Context,
): { raw: Uint8Array; content: Content } {
  const fixed = codingBytes[data.coding];
  if (fixed === undefined) return readVariable(reader, context);
  const raw = reader.take(fixed);
  const bytes = context.isHighFirst ? raw.toReversed() : raw;
  return { raw, content: fixed === 0 ? { value: null } : fixedContent(bytes, data.coding, context.meaning) };
}

function fixedContent(bytes: Uint8Array, coding: number, meaning: ValueInformation): Content {
  if (meaning.error !== undefined || meaning.isBroken) return missing(bytes, coding, meaning);
  if (meaning.form === "date" || meaning.form === "dateTime") return dateContent(bytes, coding);
  const number = plainNumber(bytes, coding, meaning);
  if (coding === eightBytes && !Number.isSafeInteger(number ?? 0)) return exactContent(bytes, meaning);
  const value = scaled(number, meaning);
  if (value !== null && value < 0 && meaning.quantity === "H.C.A.")
    return { value: null, doubtful: value, error: "a heat cost allocator counts no negative units" };
  if (value !== null || coding <= 8) return { value };
  const doubtful = scaled(doubtfulDecimal(bytes) ?? null, meaning);
  return doubtful === null ? { value } : { value, doubtful };
}

const identification = "(Enhanced) Identification";

const eightBytes = 7;

/** A number that a double cannot hold exactly, as the digits that were sent. */
const exactHex = (bytes: Uint8Array): string => toHex(bytes.toReversed());

const exactContent = (bytes: Uint8Array, { quantity }: ValueInformation): Content => ({
  value: quantity === identification ? identificationText(bytes) : exactHex(bytes),
});

/** With "data error" a meter may still send a number: to be shown, never stored. */
function missing(bytes: Uint8Array, coding: number, meaning: ValueInformation): Content {
  const number =
    meaning.error === "data error" && meaning.form === "number" ? plainNumber(bytes, coding, meaning) : null;
  const doubtful = scaled(number, meaning);
  return doubtful === null ? { value: null } : { value: null, doubtful };
}

function plainNumber(bytes: Uint8Array, coding: number, meaning: ValueInformation): number | null {
  if (coding === 5) return floatingPoint(bytes);
  if (coding > 8) return decimalInteger(bytes);
  return meaning.form === "bits" ? unsignedInteger(bytes) : signedInteger(bytes);
}

/** Dates are integers by coding; their type follows from the length. */
function dateContent(bytes: Uint8Array, coding: number): Content {
  if (coding === 3) return { value: timeJ(bytes) };
  const read = (
    { 2: dateG, 4: dateTimeF, 6: dateTimeI } as Readonly<Record<number, typeof dateG | undefined>>
  )[coding];
  const stamp = read?.(bytes) ?? null;
  return stamp === null ? { value: null } : { value: stampText(stamp), stamp };
}

function scaled(number: number | null, meaning: ValueInformation): number | null {
  if (number === null) return null;
  const { exponent, factor, addend } = meaning;
  // Dividing by a power of ten gives the number closest to the intended decimal; multiplying by its inverse
  // does not.
  const value = exponent < 0 ? (number * factor) / 10 ** -exponent : number * factor * 10 ** exponent;
  return Number.isFinite(value + addend) ? value + addend : null;
}

/**
 * Variable length data.
 * Source: EN 13757-3, 6.3.3. Layout: LVAR 00-BF that many characters, last first; C0-CF and D0-DF positive
 * and negative BCD of LVAR-C0 (D0) bytes; E0-EF and F0-F6 binary. Binary beyond 2^53 is given as hex. F7-FA float, of which only the 8 bytes of F8 have a known form.
 */
function readVariable(reader: ByteReader, context: Context): { raw: Uint8Array; content: Content } {
  const lvar = reader.u8();
  const raw = reader.take(variableBytes(lvar));
  const bytes = context.isHighFirst ? raw.toReversed() : raw;
  const { meaning } = context;
  if (meaning.error !== undefined || meaning.isBroken) return { raw, content: { value: null } };
  if (lvar < 0xc0)
    return { raw, content: { value: isProfile(meaning.modifiers) ? null : reversedText(bytes) } };
  if (lvar < 0xe0) {
    const number = decimalInteger(bytes);
    const signed = number !== null && lvar >= 0xd0 ? -number : number;
    return { raw, content: { value: scaled(signed, meaning) } };
  }
  if (lvar > 0xf6) return { raw, content: { value: scaled(floatingPoint(bytes), meaning) } };
  const number = signedInteger(bytes);
  const isExact = bytes.length <= 8 && (number === null || Number.isSafeInteger(number));
  return { raw, content: { value: isExact ? scaled(number, meaning) : exactHex(bytes) } };
}
