/**
 * SHA-256 of one short text, for the proof of work that replaces a captcha image: the browser's own is
 * unavailable on plain HTTP, and slow for many small texts.
 * Source: FIPS 180-4, sections 4.2.2, 5.3.3 and 6.2.
 */

const primes = firstPrimes(64);
/** First 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const constants = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
/** The same of the square roots of the first 8. */
const start = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

const schedule = new Int32Array(64);
const state = new Int32Array(8);
const bytes = new Uint8Array(64);
const view = new DataView(bytes.buffer);

/** Longest text that fits into one block with its padding and length. */
const longest = 55;

/**
 * The first 32 bits of the hash of an ASCII text, unsigned. Errors: RangeError for a text of more than 55
 * characters.
 */
export function firstWordOf(text: string): number {
  if (text.length > longest) throw new RangeError("longer than one block");
  bytes.fill(0);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  bytes[text.length] = 0x80;
  view.setUint32(60, text.length * 8);
  state.set(start);
  extend();
  compress();
  return ((start[0] ?? 0) + (state[0] ?? 0)) >>> 0;
}

/** The message schedule W. */
function extend(): void {
  for (let t = 0; t < 16; t += 1) schedule[t] = view.getInt32(t * 4);
  for (let t = 16; t < 64; t += 1) {
    const a = schedule[t - 15] ?? 0;
    const b = schedule[t - 2] ?? 0;
    const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
    const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
    schedule[t] = (schedule[t - 16] ?? 0) + s0 + (schedule[t - 7] ?? 0) + s1;
  }
}

function compress(): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < 64; t += 1) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (constants[t] ?? 0) + (schedule[t] ?? 0)) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] = a;
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function fraction(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) | 0;
}

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let each = 2; found.length < count; each += 1)
    if (found.every((prime) => each % prime !== 0)) found.push(each);
  return found;
}
