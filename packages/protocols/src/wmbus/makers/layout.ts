import type { ByteReader } from "../../core/bytes.ts";
import { ByteWriter } from "../../core/bytes.ts";
import { dateG, stampText, type MeterStamp } from "../../mbus/dataTypes.ts";
import { parseCode, type RecordCode } from "../../mbus/encode.ts";
import type { MbusRecord } from "../../mbus/records.ts";

/** Meters of one maker that send a layout. Without `versions` or `media`: those of any version or medium. */
export interface MakersDevices {
  readonly manufacturer: string;
  readonly versions?: readonly number[];
  readonly media?: readonly number[];
}

/** What a decoder of a maker's layout may look at beside the bytes of its place. */
export interface MakersFrame {
  /** The telegram from L on, without the check sums of the radio. */
  readonly frame: Uint8Array;
  /** Where the CI stands in `frame`, when the layout begins behind one. */
  readonly ciAt: number;
  /** AES key field of the device; makers with a secret of their own use a part of it. */
  readonly key: Uint8Array | undefined;
}

/** Values that a maker's layout gave, as records with the identity that a standard telegram would give them. */
export interface MakersContent {
  readonly records: readonly MbusRecord[];
  readonly warnings: readonly string[];
  /** The content was scrambled or encrypted by the maker's own method. */
  readonly isProtected?: boolean;
}

/** What a simulated meter sends; `value` is the reading of a record code in the base unit of the code. */
export interface MakersPlan {
  readonly manufacturer: string;
  readonly id: string;
  readonly version: number;
  readonly medium: number;
  readonly accessNumber: number;
  /** Epoch seconds of the meter's own clock. */
  readonly local: number;
  readonly key: Uint8Array | undefined;
  readonly value: (code: string) => number;
}

/**
 * One maker's layout. `place`: "ci" behind a CI of A0 to B7, "records" where the records of a standard telegram would stand,
 * "data" behind DIF 0F. `read` gives no number that is not sure: what it does not know is a warning.
 * Errors of `read`: ProtocolError "unexpected" for content that ends early.
 */
export interface MakersLayout {
  readonly name: string;
  readonly devices: readonly MakersDevices[];
  readonly place: "ci" | "records" | "data";
  readonly read: (reader: ByteReader, of: MakersFrame) => MakersContent;
  /** The whole telegram from L on: the meter's side, for the simulator and for tests. */
  readonly build: (plan: MakersPlan) => Uint8Array;
}

/** Code of a record as a data sheet prints it; see `parseCode`. */
export const codeOf = (code: string): RecordCode => parseCode(code);

/** Dials of meters in flats have five digits of cubic metres: a larger total was not read from such a meter. */
export const mostLitres = 99_999_999;

/** Words for a total that no dial shows; the number itself is left out. Errors: none. */
export const tooLarge = (cubicMetres: number): string => `a total that cannot be: ${String(cubicMetres)} m³`;

/** A value in the base unit of its code, as a record. Errors: none. */
export function recordOf(
  { data, meaning }: RecordCode,
  value: number | string | null,
  { raw, stamp }: { readonly raw: Uint8Array; readonly stamp?: MeterStamp },
): MbusRecord {
  const { function: role, storage, tariff, subunit } = data;
  const { quantity, unit, modifiers } = meaning;
  const identity = { function: role, storage, tariff, subunit, quantity, unit, modifiers };
  return { kind: "value", ...identity, value, raw, ...(stamp === undefined ? {} : { stamp }) };
}

/** A value that has no standard code, by a name of its own; no model can name it, so it is only shown. Errors: none. */
export function namedRecord(
  quantity: string,
  unit: string,
  { value, raw }: { readonly value: number | string | null; readonly raw: Uint8Array },
): MbusRecord {
  const position = { function: "instantaneous", storage: 0, tariff: 0, subunit: 0 } as const;
  return { kind: "value", ...position, quantity, unit, modifiers: [], value, raw };
}

/** A date of two bytes (type G where `read` is left out) as a record; null for a date that is none. Errors: none. */
export function dateRecord(
  code: RecordCode,
  raw: Uint8Array,
  read: (bytes: Uint8Array) => MeterStamp | null = dateG,
): MbusRecord {
  const stamp = read(raw);
  return stamp === null ? recordOf(code, null, { raw }) : recordOf(code, stampText(stamp), { raw, stamp });
}

/** A telegram from L on: C, the address as given, CI and content. Errors: none. */
export function telegramOf(address: Uint8Array, ci: number, content: ArrayLike<number>): Uint8Array {
  const body = new ByteWriter().u8(0x44).raw(address).u8(ci).raw(content).finish();
  return new ByteWriter().u8(body.length).raw(body).finish();
}
