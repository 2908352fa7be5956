import { shortestFloat } from "../core/shortestFloat.ts";
import { withoutNoise, type FieldName } from "@metrum/vocabulary";

export type RegisterType = "u16" | "i16" | "u32" | "i32" | "u64" | "i64" | "f32" | "f64";

/**
 * Order of the bytes of a value on the line, A the highest: ABCD whole big-endian, CDAB low word first, BADC
 * bytes swapped.
 */
export type WordOrder = "ABCD" | "CDAB" | "BADC" | "DCBA";

export type RegisterTable = "input" | "holding";

/** One value of a meter's register map. */
export interface RegisterRow {
  /** Address of the first register as it goes over the line (counted from 0). */
  readonly address: number;
  readonly table: RegisterTable;
  readonly type: RegisterType;
  /**
   * Default ABCD. Of values longer than 32 bits it orders words (CD before AB: lowest word first) and bytes
   * alike.
   */
  readonly order?: WordOrder;
  /** Value of the field = raw value x scale. Default 1. */
  readonly scale?: number;
  readonly field: FieldName;
  /** 1: readings (counters, and measurements of sensors); 2: current values. */
  readonly msgType: 1 | 2;
  /** Raw values that mean "no value"; NaN and infinity of floats always do. */
  readonly noValue?: readonly number[];
}

const sizes: Readonly<Record<RegisterType, number>> = {
  u16: 2,
  i16: 2,
  u32: 4,
  i32: 4,
  u64: 8,
  i64: 8,
  f32: 4,
  f64: 8,
};

/** Registers that a value of this type takes. */
export function registersOf(type: RegisterType): number {
  return sizes[type] / 2;
}

/**
 * Value of a row from its bytes, in the unit of its field; null for "no value". Layout: `order` of the row.
 * Floats are returned as the shortest decimal with the same 32 bits, as the meter displays them.
 */
export function decodeRow(row: RegisterRow, bytes: Uint8Array): number | null {
  const raw = readRaw(row.type, arrange(bytes, row.order));
  if (!Number.isFinite(raw) || row.noValue?.includes(raw)) return null;
  return row.scale === undefined ? raw : withoutNoise(raw * row.scale);
}

/**
 * Bytes of a row for a value in the unit of its field, the meter's side of `decodeRow`. Unsigned counters
 * roll over as in the meter; signed values stop at their limits; NaN gives the first "no value".
 */
export function encodeRow(row: RegisterRow, value: number): Uint8Array {
  const raw = Number.isFinite(value) ? value / (row.scale ?? 1) : (row.noValue?.[0] ?? Number.NaN);
  return arrange(writeRaw(row.type, raw), row.order);
}

function readRaw(type: RegisterType, bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (type) {
    case "u16":
      return view.getUint16(0);
    case "i16":
      return view.getInt16(0);
    case "u32":
      return view.getUint32(0);
    case "i32":
      return view.getInt32(0);
    case "u64":
      return Number(view.getBigUint64(0));
    case "i64":
      return Number(view.getBigInt64(0));
    case "f32":
      return shortestFloat(view.getFloat32(0));
    case "f64":
      return view.getFloat64(0);
  }
}

function writeRaw(type: RegisterType, raw: number): Uint8Array {
  const bytes = new Uint8Array(sizes[type]);
  const view = new DataView(bytes.buffer);
  if (type === "f32") view.setFloat32(0, raw);
  else if (type === "f64") view.setFloat64(0, raw);
  else {
    const bits = sizes[type] * 8;
    const whole = BigInt(Math.round(Number.isFinite(raw) ? raw : 0));
    const fitted = type.startsWith("u") ? BigInt.asUintN(bits, whole) : clamp(whole, bits);
    for (let at = 0; at < bytes.length; at++)
      bytes[at] = Number((fitted >> BigInt(8 * (bytes.length - 1 - at))) & 0xffn);
  }
  return bytes;
}

function clamp(value: bigint, bits: number): bigint {
  const limit = 1n << BigInt(bits - 1);
  if (value >= limit) return limit - 1n;
  return value < -limit ? -limit : value;
}

/** Turns line order into ABCD and back: every order is its own inverse. */
function arrange(bytes: Uint8Array, order: WordOrder = "ABCD"): Uint8Array {
  const swapsWords = order === "CDAB" || order === "DCBA";
  const swapsBytes = order === "BADC" || order === "DCBA";
  const words = bytes.length / 2;
  return Uint8Array.from(bytes, (_, at) => {
    const word = swapsWords ? words - 1 - (at >> 1) : at >> 1;
    const byte = swapsBytes ? 1 - (at & 1) : at & 1;
    return bytes[word * 2 + byte] ?? 0;
  });
}
