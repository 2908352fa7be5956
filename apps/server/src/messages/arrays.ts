/**
 * PostgreSQL arrays in the binary wire format, for `unnest`: the driver sends a Buffer as it is, so neither side writes
 * or reads digits. Layout (src/backend/utils/adt/arrayfuncs.c, array_recv), big-endian: dimensions, flag of nulls, type
 * of the elements, then length and lower bound of the one dimension, then each element as length and bytes (-1: null).
 */
const headerBytes = 20;
/** Type numbers that never change (pg_type.dat). */
const types = { bool: 16, int8: 20, int2: 21, int4: 23, text: 25, float8: 701, date: 1082 } as const;
/** A date on the wire counts from 2000-01-01. */
const dateEpoch = 10_957;

type Nullable<Value> = readonly (Value | null)[];
type Write = (buffer: Buffer, value: number, at: number) => void;

export const int2Array = (values: Nullable<number>): Buffer =>
  fixed(types.int2, 2, values, (buffer, value, at) => buffer.writeInt16BE(value, at));
export const int4Array = (values: Nullable<number>): Buffer =>
  fixed(types.int4, 4, values, (buffer, value, at) => buffer.writeInt32BE(value, at));
export const float8Array = (values: Nullable<number>): Buffer =>
  fixed(types.float8, 8, values, (buffer, value, at) => buffer.writeDoubleBE(value, at));
export const boolArray = (values: readonly boolean[]): Buffer =>
  fixed(types.bool, 1, values.map(Number), (buffer, value, at) => buffer.writeUInt8(value, at));
/** Days from 1970-01-01. */
export const dateArray = (values: readonly number[]): Buffer =>
  fixed(types.date, 4, values, (buffer, value, at) => buffer.writeInt32BE(value - dateEpoch, at));
export const int8Array = (values: Nullable<number>): Buffer => fixed(types.int8, 8, values, writeInt64);

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
  let nulls = 0;
  for (const value of values) if (value === null) nulls += 1;
  const bytes = headerBytes + values.length * (4 + size) - nulls * size;
  const buffer = start(type, values.length, nulls > 0, bytes);
  let at = headerBytes;
  for (const value of values) {
    if (value === null) {
      at = buffer.writeInt32BE(-1, at);
      continue;
    }
    buffer.writeInt32BE(size, at);
    write(buffer, value, at + 4);
    at += 4 + size;
  }
  return buffer;
}

function start(type: number, length: number, hasNulls: boolean, bytes: number): Buffer {
  // PostgreSQL wants no dimension at all for an empty array.
  const buffer = Buffer.allocUnsafe(length === 0 ? 12 : bytes);
  buffer.writeInt32BE(length === 0 ? 0 : 1, 0);
  buffer.writeInt32BE(hasNulls ? 1 : 0, 4);
  buffer.writeInt32BE(type, 8);
  if (length === 0) return buffer;
  buffer.writeInt32BE(length, 12);
  buffer.writeInt32BE(1, 16);
  return buffer;
}

/** Whole numbers up to 2^53 without BigInt, which is ten times slower. */
function writeInt64(buffer: Buffer, value: number, at: number): void {
  const high = Math.floor(value / 2 ** 32);
  buffer.writeInt32BE(high, at);
  buffer.writeUInt32BE(value - high * 2 ** 32, at + 4);
}
