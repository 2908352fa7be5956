import { textOf } from "../iec62056-21/text.ts";
import { maxTelegramBytes } from "./telegram.ts";

/** Finds telegrams in the output of a P1 port. */
export interface P1Stream {
  /** Complete telegrams, from the slash to the end of the line with `!`, in order. */
  push(bytes: Uint8Array): Uint8Array[];
  /** Bytes outside of telegrams so far. */
  readonly dropped: number;
}

/**
 * Splits a stream into telegrams: reads may be split anywhere, garbage may be between them, a truncated
 * telegram is dropped when the next one begins. Never keeps more than `limit` bytes and never throws. Source:
 * DSMR P1 companion standard 5.0.2, 6.2 (a telegram begins with `/` at the start of a line).
 */
export function p1Stream(limit = maxTelegramBytes): P1Stream {
  let pending: Uint8Array = new Uint8Array(0);
  let dropped = 0;
  const drop = (count: number): void => {
    dropped += count;
    pending = pending.slice(count);
  };
  const push = (bytes: Uint8Array): Uint8Array[] => {
    const isInside = pending[0] === 0x2f;
    pending = joined(pending, bytes);
    const telegrams: Uint8Array[] = [];
    // Inside a telegram only the end of a line matters, which keeps single-byte reads cheap.
    if (isInside && pending.length <= limit && !bytes.includes(0x0a)) return telegrams;
    for (;;) {
      const text = textOf(pending);
      drop(startOf(text));
      const rest = textOf(pending);
      const restart = rest.search(/\n\//) + 1;
      const length = /[\n)]![^\n]*\n/.exec(rest);
      const endsAt = length ? length.index + length[0].length : undefined;
      if (restart > 0 && (endsAt === undefined || restart < endsAt)) drop(restart);
      else if (endsAt !== undefined) {
        telegrams.push(pending.slice(0, endsAt));
        pending = pending.slice(endsAt);
      } else break;
    }
    if (pending.length > limit) drop(pending.length);
    return telegrams;
  };
  return {
    push,
    get dropped() {
      return dropped;
    },
  };
}

/** Offset of the first slash, or the length without one. */
function startOf(text: string): number {
  const found = text.indexOf("/");
  return found < 0 ? text.length : found;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
