import type { ByteReader } from "../../core/bytes.ts";
import { ByteWriter } from "../../core/bytes.ts";
import { dateG, stampText, type MeterStamp } from "../../mbus/dataTypes.ts";
import { parseCode, type RecordCode } from "../../mbus/encode.ts";
import type { MbusRecord } from "../../mbus/records.ts";

/** Meters of one manufacturer with a layout. Without `versions` or `media`: of any version or medium. */
export interface MakersDevices {
  readonly manufacturer: string;
  readonly versions?: readonly number[];
  readonly media?: readonly number[];
}

/** Context of a layout decoder beside the bytes of its place. */
export interface MakersFrame {
  /** The telegram from L on, without the radio checksums. */
  readonly frame: Uint8Array;
  /** Offset of the CI in `frame`, if the layout begins after one. */
  readonly ciAt: number;
  /** AES key field of the device; manufacturers with their own secret use a part of it. */
  readonly key: Uint8Array | undefined;
}

/** Values of a manufacturer layout, as records with the identity of standard ones. */
export interface MakersContent {
  readonly records: readonly MbusRecord[];
  readonly warnings: readonly string[];
  /** The content was scrambled or encrypted by the manufacturer's own method. */
  readonly isProtected?: boolean;
}

/**
 * Content of a simulated meter; `value` returns the reading of a record code in the base unit of the code.
 */
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
 * A manufacturer layout. `place`: "ci" after a CI of A0 to B7, "records" in place of the records of a
 * standard telegram, "data" after DIF 0F. `read` returns only certain numbers: unknown parts are warnings.
 * Errors of `read`: ProtocolError "unexpected" for content that ends early.
 */
export interface MakersLayout {
  readonly name: string;
  readonly devices: readonly MakersDevices[];
  readonly place: "ci" | "records" | "data";
  readonly read: (reader: ByteReader, of: MakersFrame) => MakersContent;
  /** The complete telegram from L on: the meter's side, for the simulator and for tests. */
  readonly build: (plan: MakersPlan) => Uint8Array;
}

/** Code of a record as a data sheet prints it; see `parseCode`. */
export const codeOf = (code: string): RecordCode => parseCode(code);

/** Meters in flats have dials of five digits of cubic metres: a larger total cannot be right. */
export const mostLitres = 99_999_999;

/** Warning for a total beyond the dial; the number itself is omitted. Errors: none. */
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

/**
 * A value without a standard code, by its own name; no model can refer to it, so it is only shown.
 * Errors: none.
 */
export function namedRecord(
  quantity: string,
  unit: string,
  { value, raw }: { readonly value: number | string | null; readonly raw: Uint8Array },
): MbusRecord {
  const position = { function: "instantaneous", storage: 0, tariff: 0, subunit: 0 } as const;
  return { kind: "value", ...position, quantity, unit, modifiers: [], value, raw };
}

/** A date of two bytes (default: type G) as a record; null for an invalid date. Errors: none. */
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
