/**
 * Rows in the binary format of COPY (documentation of COPY, "Binary Format"): the fastest insert, with the
 * least WAL, but only for keys that are all new. Each function writes one column at an offset and returns the
 * next offset.
 */
const float8 = 701;
const headerBytes = 19;
const trailerBytes = 2;

/** How rows are written: an upper bound of their size, and a function that writes the columns of one at an offset. */
export interface Sized<Row> {
  readonly bytes: number;
  readonly write: (out: Out, row: Row, at: number) => number;
}

/** Rows of a part: some 50 KB, which a socket takes at once. */
const rowsAtOnce = 500;

/** The rows in parts, each serialised when it is asked for. */
export function* binaryParts<Row>(
  rows: readonly Row[],
  columns: number,
  sized: (part: readonly Row[]) => Sized<Row>,
): Generator<Buffer> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const part = rows.slice(from, from + rowsAtOnce);
    const ends = { isFirst: from === 0, isLast: from + rowsAtOnce >= rows.length };
    yield binaryPart(part, columns, { ...sized(part), ...ends });
  }
}

function binaryPart<Row>(
  rows: readonly Row[],
  columns: number,
  { bytes, write, isFirst, isLast }: Sized<Row> & { readonly isFirst: boolean; readonly isLast: boolean },
): Buffer {
  const buffer = Buffer.allocUnsafe(headerBytes + rows.length * 2 + bytes + trailerBytes);
  const out = { buffer, view: new DataView(buffer.buffer, buffer.byteOffset, buffer.length) };
  let at = 0;
  if (isFirst) {
    buffer.write("PGCOPY\n\u00ff\r\n\0", 0, "latin1");
    out.view.setInt32(11, 0);
    out.view.setInt32(15, 0);
    at = headerBytes;
  }
  for (const row of rows) {
    out.view.setInt16(at, columns);
    at = write(out, row, at + 2);
  }
  if (!isLast) return buffer.subarray(0, at);
  out.view.setInt16(at, -1);
  return buffer.subarray(0, at + trailerBytes);
}

export interface Out {
  readonly buffer: Buffer;
  readonly view: DataView;
}

export function nothing({ view }: Out, at: number): number {
  view.setInt32(at, -1);
  return at + 4;
}

export function bool({ view }: Out, at: number, value: boolean): number {
  view.setInt32(at, 1);
  view.setUint8(at + 4, value ? 1 : 0);
  return at + 5;
}

export function int2({ view }: Out, at: number, value: number): number {
  view.setInt32(at, 2);
  view.setInt16(at + 4, value);
  return at + 6;
}

export function int4({ view }: Out, at: number, value: number): number {
  view.setInt32(at, 4);
  view.setInt32(at + 4, value);
  return at + 8;
}

/** A whole number up to 2^53. */
export function int8({ view }: Out, at: number, value: number): number {
  view.setInt32(at, 8);
  const high = Math.floor(value / 2 ** 32);
  view.setInt32(at + 4, high);
  view.setUint32(at + 8, value - high * 2 ** 32);
  return at + 12;
}

/** Size of a text; as JSON it takes a byte more. */
export const textBytes = (text: string | null): number => 4 + (text === null ? 0 : Buffer.byteLength(text));

export function text(out: Out, at: number, value: string | null): number {
  if (value === null) return nothing(out, at);
  const length = out.buffer.write(value, at + 4);
  out.view.setInt32(at, length);
  return at + 4 + length;
}

/** jsonb on the wire: version 1, then its text. */
export function json(out: Out, at: number, value: string | null): number {
  if (value === null) return nothing(out, at);
  const length = out.buffer.write(value, at + 5) + 1;
  out.view.setInt32(at, length);
  out.view.setUint8(at + 4, 1);
  return at + 4 + length;
}

/** Size of an array of float8. */
export const floatsBytes = (v: readonly unknown[]): number => 24 + v.length * 12;

/** As `array_recv` reads it: dimensions, null flag, type, length, lower bound; then each element. */
export function floats(out: Out, start: number, v: readonly (number | null)[]): number {
  const { view } = out;
  view.setInt32(start + 8, v.includes(null) ? 1 : 0);
  view.setInt32(start + 12, float8);
  view.setInt32(start + 4, v.length === 0 ? 0 : 1);
  let at = start + 16;
  if (v.length > 0) {
    view.setInt32(at, v.length);
    view.setInt32(at + 4, 1);
    at += 8;
  }
  for (const value of v) {
    if (value === null) {
      at = nothing(out, at);
      continue;
    }
    view.setInt32(at, 8);
    view.setFloat64(at + 4, value);
    at += 12;
  }
  view.setInt32(start, at - start - 4);
  return at;
}
