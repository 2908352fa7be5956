/**
 * PostgreSQL arrays in the binary wire format, for `unnest`: the driver sends a Buffer unchanged, so neither
 * side converts digits. Layout (src/backend/utils/adt/arrayfuncs.c, array_recv), big-endian: dimensions, null
 * flag, element type, then length and lower bound of the one dimension, then each element as length and bytes
 * (-1: null).
 */
const headerBytes = 20;
/** Type OIDs, which never change (pg_type.dat). */
const types = { bool: 16, int8: 20, int2: 21, int4: 23, text: 25, float8: 701, date: 1082 } as const;
/** A date on the wire counts from 2000-01-01. */
const dateEpoch = 10_957;

type Nullable<Value> = readonly (Value | null)[];
type Write = (view: DataView, value: number, at: number) => void;

export const int2Array = (values: Nullable<number>): Buffer =>
  fixed(types.int2, 2, values, (view, value, at) => view.setInt16(at, value));
export const int4Array = (values: Nullable<number>): Buffer =>
  fixed(types.int4, 4, values, (view, value, at) => view.setInt32(at, value));
export const float8Array = (values: Nullable<number>): Buffer =>
  fixed(types.float8, 8, values, (view, value, at) => view.setFloat64(at, value));
export const boolArray = (values: readonly boolean[]): Buffer =>
  fixed(types.bool, 1, values.map(Number), (view, value, at) => view.setUint8(at, value));
/** Days from 1970-01-01. */
export const dateArray = (values: readonly number[]): Buffer =>
  fixed(types.date, 4, values, (view, value, at) => view.setInt32(at, value - dateEpoch));
/** Whole numbers up to 2^53 without BigInt, which is ten times slower. */
export const int8Array = (values: Nullable<number>): Buffer =>
  fixed(types.int8, 8, values, (view, value, at) => {
    const high = Math.floor(value / 2 ** 32);
    view.setInt32(at, high);
    view.setUint32(at + 4, value - high * 2 ** 32);
  });

export function textArray(values: Nullable<string>): Buffer {
  const parts = values.map((value) => (value === null ? null : Buffer.from(value, "utf8")));
  const bytes = parts.reduce((sum, part) => sum + 4 + (part?.length ?? 0), headerBytes);
  const buffer = start(types.text, values.length, values.includes(null), bytes);
  let at = headerBytes;
  for (const part of parts) {
    at = buffer.writeInt32BE(part ? part.length : -1, at);
    if (part) at += part.copy(buffer, at);
  }
  return buffer;
}

function fixed(type: number, size: number, values: Nullable<number>, write: Write): Buffer {
  const nulls = values.includes(null) ? values.filter((value) => value === null).length : 0;
  const bytes = headerBytes + values.length * (4 + size) - nulls * size;
  const buffer = start(type, values.length, nulls > 0, bytes);
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
  let at = headerBytes;
  for (const value of values) {
    view.setInt32(at, value === null ? -1 : size);
    at += 4;
    if (value === null) continue;
    write(view, value, at);
    at += size;
  }
  return buffer;
}

function start(type: number, length: number, hasNulls: boolean, bytes: number): Buffer {
  // PostgreSQL expects no dimension for an empty array.
  const buffer = Buffer.allocUnsafe(length === 0 ? 12 : bytes);
  buffer.writeInt32BE(length === 0 ? 0 : 1, 0);
  buffer.writeInt32BE(hasNulls ? 1 : 0, 4);
  buffer.writeInt32BE(type, 8);
  if (length === 0) return buffer;
  buffer.writeInt32BE(length, 12);
  buffer.writeInt32BE(1, 16);
  return buffer;
}
