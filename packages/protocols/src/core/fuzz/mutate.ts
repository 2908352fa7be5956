/** Mulberry32: small, fast, and the same on every platform. Returns numbers from 0 to 1, exclusive. */
export function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of this many inputs is long, to reveal quadratic run time. */
const longEach = 512;
const longestBytes = 16_384;
const telling = [0, 0xff, 0x7f, 0x80] as const;

/** A buffer shared by all inputs, because millions of them are created. */
const buffer = new Uint8Array(4 * longestBytes);

/**
 * A valid frame after one to six mutations: bits, bytes, truncation, insertion, repetition, and parts of
 * another seed.
 */
export function mutate(seeds: readonly Uint8Array[], random: () => number): Uint8Array {
  const below = (limit: number): number => Math.floor(random() * limit);
  const seed = seeds[below(seeds.length)] ?? new Uint8Array();
  buffer.set(seed);
  let length = seed.length;
  for (let change = below(6); change >= 0; change--) length = changed(seeds, length, below);
  return below(longEach) === 0 ? lengthened(length, below) : buffer.slice(0, length);
}

/** Mutates the first `length` bytes of the buffer in one way; returns the new length. */
function changed(seeds: readonly Uint8Array[], length: number, below: (limit: number) => number): number {
  const at = below(length + 1);
  switch (below(7)) {
    case 0:
      buffer[at] = (at < length ? (buffer[at] ?? 0) : 0) ^ (1 << below(8));
      return Math.max(length, at + 1);
    case 1:
      buffer[at] = below(256);
      return Math.max(length, at + 1);
    case 2:
      buffer[at] = telling[below(4)] ?? 0;
      return Math.max(length, at + 1);
    case 3:
      return length - makeRoom(length, at, -Math.min(1 + below(4), length - at));
    case 4: {
      const more = makeRoom(length, at, 1 + below(4));
      for (let n = 0; n < more; n++) buffer[at + n] = below(256);
      return length + more;
    }
    case 5: {
      const more = makeRoom(length, at, Math.min(below(16), length - at));
      buffer.copyWithin(at, at + more, at + 2 * more);
      return length + more;
    }
    default: {
      const other = seeds[below(seeds.length)] ?? new Uint8Array();
      const left = length - makeRoom(length, at, -Math.min(below(8), length - at));
      const piece = other.subarray(below(other.length), below(other.length + 1));
      makeRoom(left, at, piece.length);
      buffer.set(piece, at);
      return left + piece.length;
    }
  }
}

/** Moves the bytes after `at` up or down by a number of bytes. Returns the absolute number. */
function makeRoom(length: number, at: number, by: number): number {
  if (by >= 0) buffer.copyWithin(at + by, at, length);
  else buffer.copyWithin(at, at - by, length);
  return Math.abs(by);
}

/** Repeats a part of the bytes in place. */
function lengthened(length: number, below: (limit: number) => number): Uint8Array {
  const from = below(length);
  const pieceBytes = Math.min(length - from, 1 + below(length - from));
  const times = Math.floor(below(longestBytes) / Math.max(1, pieceBytes));
  const long = new Uint8Array(length + pieceBytes * (times - 1));
  const piece = buffer.slice(from, from + pieceBytes);
  long.set(buffer.subarray(0, from));
  for (let n = 0; n < times; n++) long.set(piece, from + n * pieceBytes);
  long.set(buffer.subarray(from + pieceBytes, length), from + times * pieceBytes);
  return long;
}
