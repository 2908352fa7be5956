/** Mulberry32: small, quick, and the same everywhere. Gives numbers from 0 up to 1. */
export function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One input in so many is long: what takes time by the square of the length shows there. */
const longEach = 512;
const longestBytes = 16_384;

/** A good frame after one to six changes: bits, bytes, cuts, insertions, repetitions, and pieces of another seed. */
export function mutate(seeds: readonly Uint8Array[], random: () => number): Uint8Array {
  const below = (limit: number): number => Math.floor(random() * limit);
  const bytes = [...(seeds[below(seeds.length)] ?? [])];
  for (let change = below(6); change >= 0; change--) {
    const at = below(bytes.length + 1);
    switch (below(7)) {
      case 0:
        bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
        break;
      case 1:
        bytes[at] = below(256);
        break;
      case 2:
        bytes[at] = [0, 0xff, 0x7f, 0x80][below(4)] ?? 0;
        break;
      case 3:
        bytes.splice(at, 1 + below(4));
        break;
      case 4:
        bytes.splice(at, 0, ...Array.from({ length: 1 + below(4) }, () => below(256)));
        break;
      case 5:
        bytes.splice(at, 0, ...bytes.slice(at, at + below(16)));
        break;
      default: {
        const other = seeds[below(seeds.length)] ?? new Uint8Array();
        bytes.splice(at, below(8), ...other.slice(below(other.length), below(other.length + 1)));
      }
    }
  }
  return below(longEach) === 0 ? lengthened(bytes, below) : Uint8Array.from(bytes);
}

/** A piece of the bytes said again and again in its place. */
function lengthened(bytes: readonly number[], below: (limit: number) => number): Uint8Array {
  const from = below(bytes.length);
  const piece = bytes.slice(from, from + 1 + below(bytes.length - from));
  const times = Math.floor(below(longestBytes) / Math.max(1, piece.length));
  const before = bytes.slice(0, from);
  const after = bytes.slice(from + piece.length);
  return Uint8Array.from([...before, ...Array.from({ length: times }, () => piece).flat(), ...after]);
}
