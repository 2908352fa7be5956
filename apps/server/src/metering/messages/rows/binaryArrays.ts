/** Bytes that a statement has encoded in base64. */
export function binaryOf(text: string): DataView {
  const bytes = Buffer.from(text, "base64");
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

export const wholeBytes = 8;

/** A whole number up to 2^53, as `int8send` writes it. */
export const wholeAt = (view: DataView, at: number): number =>
  view.getInt32(at) * 2 ** 32 + view.getUint32(at + 4);

/** What `array_send` writes before the elements of an array of one dimension, see `arrays.ts`. */
export const beforeElements = 20;

/** An element of float8[] there: its length (-1: null), and the bytes of a number. */
export const floatAt = (view: DataView, at: number): number | null =>
  view.getInt32(at) < 0 ? null : view.getFloat64(at + 4);

export const bytesOfFloat = (value: number | null | undefined): number => (value === null ? 4 : 12);
