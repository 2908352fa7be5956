/** Scrambles two 32-bit numbers into one; every bit of the result depends on every bit given. */
export function mix(a: number, b: number): number {
  let hash = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** A number from 0 to 1 that depends only on its arguments. */
export function noise(seed: number, at: number): number {
  return mix(seed, at) / 2 ** 32;
}

/** A sequence of numbers from 0 to 1, the same for the same seed. */
export function sequence(seed: number): () => number {
  let at = 0;
  return () => noise(seed, at++);
}
