import { ProtocolError } from "@metrum/protocols/core";
import type { Clock } from "#core";
import type { Channel } from "#headend/channels";

/** More unparsed bytes than any reply has are noise, and must not fill memory. */
const maxBytes = 64 * 1024;

/** Bytes received over a channel since the last request. */
export interface Inbox {
  /** Everything since the last flush, without the echo and dropped bytes. */
  bytes(): Uint8Array;
  /** Everything since the last flush, as received. */
  seen(): Uint8Array;
  /** Time of the last byte. */
  lastByteMs(): number;
  /** Discards received bytes. `echo`: these bytes are expected before the answer and are skipped. */
  flush(echo: Uint8Array | undefined): void;
  drop(count: number): void;
  /** Waits for more bytes, at most until this monotonic time. */
  next(untilMs: number): Promise<"bytes" | "silence" | "closed">;
  /** Waits until nothing has arrived for this long. */
  drain(silenceMs: number): Promise<void>;
  close(): void;
}

export function openInbox(channel: Channel, clock: Clock): Inbox {
  let buffer = new Uint8Array(256);
  let length = 0;
  let from = 0;
  let examined = 0;
  let lastByteMs = 0;
  let echo: Uint8Array | undefined;
  let wake: (() => void) | undefined;

  const keep = (bytes: Uint8Array): void => {
    if (length + bytes.length > buffer.length) buffer = widened(buffer, length + bytes.length);
    buffer.set(bytes, length);
    length += bytes.length;
  };
  channel.listen((bytes) => {
    lastByteMs = clock.monotonicMs();
    keep(bytes.subarray(0, maxBytes - length));
    wake?.();
  });
  const stopWatching = channel.onClose(() => wake?.());

  /** A complete echo is skipped; bytes that turn out not to be an echo were the answer. */
  const passEcho = (): void => {
    if (!echo) return;
    const got = buffer.subarray(0, Math.min(length, echo.length));
    if (!got.every((byte, at) => byte === echo?.[at])) echo = undefined;
    else if (length >= echo.length) {
      from = echo.length;
      echo = undefined;
    }
  };
  const bytes = (): Uint8Array => {
    passEcho();
    return echo ? buffer.subarray(0, 0) : buffer.subarray(from, length);
  };
  const next: Inbox["next"] = async (untilMs) => {
    if (length >= maxBytes) throw new ProtocolError("unexpected", "too many bytes without a whole reply");
    if (length > examined) {
      examined = length;
      return "bytes";
    }
    if (!channel.isOpen) return "closed";
    const waitMs = untilMs - clock.monotonicMs();
    if (waitMs <= 0) return "silence";
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    wake = undefined;
    return next(untilMs);
  };
  return {
    bytes,
    seen: () => buffer.slice(0, length),
    lastByteMs: () => lastByteMs,
    flush(expected) {
      // A new buffer: frames of earlier steps may still refer to the old one.
      buffer = new Uint8Array(256);
      length = 0;
      from = 0;
      examined = 0;
      echo = expected;
    },
    drop(count) {
      from = Math.min(length, from + count);
    },
    next,
    async drain(silenceMs) {
      for (let event = ""; event !== "silence" && event !== "closed";) {
        examined = length;
        if (length >= maxBytes) return;
        event = await next(clock.monotonicMs() + silenceMs);
      }
    },
    close() {
      channel.listen(undefined);
      stopWatching();
    },
  };
}

function widened(bytes: Uint8Array, needed: number): Uint8Array<ArrayBuffer> {
  const wider = new Uint8Array(Math.max(bytes.length * 2, needed));
  wider.set(bytes);
  return wider;
}
