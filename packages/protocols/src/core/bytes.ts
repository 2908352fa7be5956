import type { TraceName, TraceValue } from "@metrum/vocabulary";
import { ProtocolError } from "./errors.ts";
import { shortestFloat } from "./shortestFloat.ts";

/** One named part of a frame, as `decode --explain` and the exchange log show it. */
export interface Span {
  readonly offset: number;
  readonly bytes: number;
  readonly name: TraceName;
  readonly value: TraceValue;
}

/**
 * Reads bytes from front to back. Every read may have a name; with `trace` on, named reads are kept as spans,
 * so that the decoder explains itself and no second parser is needed for explanations.
 * Errors: ProtocolError "unexpected" with the offset when the bytes end early.
 */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly base: number;
  readonly spans: Span[] | undefined;
  #view: DataView;
  #at = 0;

  /** `base` is added to reported offsets when the bytes are part of a longer frame. */
  constructor(bytes: Uint8Array, options: { trace?: Span[] | undefined; base?: number } = {}) {
    this.bytes = bytes;
    this.base = options.base ?? 0;
    this.spans = options.trace;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get offset(): number {
    return this.base + this.#at;
  }
  get position(): number {
    return this.#at;
  }
  get remaining(): number {
    return this.bytes.length - this.#at;
  }
  get done(): boolean {
    return this.#at >= this.bytes.length;
  }

  /** Peeks at a byte without moving; undefined past the end. */
  peek(ahead = 0): number | undefined {
    return this.bytes[this.#at + ahead];
  }

  u8(name?: TraceName): number {
    return this.#number(1, name, (at) => this.#view.getUint8(at));
  }
  i8(name?: TraceName): number {
    return this.#number(1, name, (at) => this.#view.getInt8(at));
  }
  u16le(name?: TraceName): number {
    return this.#number(2, name, (at) => this.#view.getUint16(at, true));
  }
  u16be(name?: TraceName): number {
    return this.#number(2, name, (at) => this.#view.getUint16(at));
  }
  u32le(name?: TraceName): number {
    return this.#number(4, name, (at) => this.#view.getUint32(at, true));
  }
  u32be(name?: TraceName): number {
    return this.#number(4, name, (at) => this.#view.getUint32(at));
  }
  f32le(name?: TraceName): number {
    return shortestFloat(this.#number(4, name, (at) => this.#view.getFloat32(at, true)));
  }
  f32be(name?: TraceName): number {
    return shortestFloat(this.#number(4, name, (at) => this.#view.getFloat32(at)));
  }

  /** The next `count` bytes, not copied. */
  take(count: number, name?: TraceName): Uint8Array {
    this.#need(count);
    const part = this.bytes.subarray(this.#at, this.#at + count);
    if (name !== undefined && this.spans) this.note(name, count, toHex(part));
    this.#at += count;
    return part;
  }

  /** Names a part that starts here, before it is consumed; the position does not change. */
  note(name: TraceName, bytes: number, value: TraceValue, offset = this.offset): void {
    this.spans?.push({ offset, bytes, name, value });
  }

  /** Names the part between `start` (an earlier `position`) and here, with a decoded value. */
  noteSince(start: number, name: TraceName, value: TraceValue): void {
    this.spans?.push({ offset: this.base + start, bytes: this.#at - start, name, value });
  }

  /** Throws "unexpected" at this offset. */
  fail(message: string): never {
    throw new ProtocolError("unexpected", message, { offset: this.offset });
  }

  #need(count: number): void {
    if (count < 0 || this.#at + count > this.bytes.length)
      throw new ProtocolError("unexpected", `${String(count)} bytes wanted, ${String(this.remaining)} left`, {
        offset: this.offset,
      });
  }

  #number(size: number, name: TraceName | undefined, read: (at: number) => number): number {
    this.#need(size);
    const value = read(this.#at);
    if (name !== undefined) this.note(name, size, value);
    this.#at += size;
    return value;
  }
}

/**
 * Writes bytes front to back; grows as needed. Numbers outside their width throw RangeError (a bug of the
 * caller).
 */
export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity = 64) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  u8(value: number): this {
    return this.#number(1, value, 0, 0xff, (view, at) => view.setUint8(at, value));
  }
  i8(value: number): this {
    return this.#number(1, value, -0x80, 0x7f, (view, at) => view.setInt8(at, value));
  }
  u16le(value: number): this {
    return this.#number(2, value, 0, 0xffff, (view, at) => view.setUint16(at, value, true));
  }
  u16be(value: number): this {
    return this.#number(2, value, 0, 0xffff, (view, at) => view.setUint16(at, value));
  }
  u32le(value: number): this {
    return this.#number(4, value, 0, 0xffffffff, (view, at) => view.setUint32(at, value, true));
  }
  u32be(value: number): this {
    return this.#number(4, value, 0, 0xffffffff, (view, at) => view.setUint32(at, value));
  }
  f32le(value: number): this {
    return this.#number(4, value, -Infinity, Infinity, (view, at) => view.setFloat32(at, value, true));
  }
  f32be(value: number): this {
    return this.#number(4, value, -Infinity, Infinity, (view, at) => view.setFloat32(at, value));
  }
  raw(bytes: ArrayLike<number>): this {
    this.#grow(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  /** A copy of what was written. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #number(
    size: number,
    value: number,
    min: number,
    max: number,
    write: (view: DataView, at: number) => void,
  ): this {
    if (!(value >= min && value <= max))
      throw new RangeError(`${String(value)} does not fit in ${String(size)} bytes`);
    this.#grow(size);
    write(new DataView(this.#bytes.buffer), this.#length);
    this.#length += size;
    return this;
  }

  #grow(size: number): void {
    if (this.#length + size <= this.#bytes.length) return;
    const wider = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + size));
    wider.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = wider;
  }
}

/** Lower-case hexadecimal, no separators. */
export function toHex(bytes: ArrayLike<number>): string {
  let text = "";
  for (let at = 0; at < bytes.length; at++) text += (bytes[at] ?? 0).toString(16).padStart(2, "0");
  return text;
}

/**
 * Bytes of a hexadecimal text; spaces are allowed between bytes.
 * Errors: ProtocolError "unexpected" with the offset of the first character that is not hexadecimal, or on
 * odd length.
 */
export function fromHex(text: string): Uint8Array {
  const clean = text.replaceAll(/\s+/g, "");
  const bad = clean.search(/[^0-9a-fA-F]/);
  if (bad >= 0) throw new ProtocolError("unexpected", "not hexadecimal", { offset: bad >> 1 });
  if (clean.length % 2 === 1)
    throw new ProtocolError("unexpected", "odd number of hexadecimal digits", { offset: clean.length >> 1 });
  return Uint8Array.from({ length: clean.length / 2 }, (_, at) =>
    Number.parseInt(clean.slice(at * 2, at * 2 + 2), 16),
  );
}
