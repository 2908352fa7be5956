import type { Socket } from "node:net";
import { LineLost, type Channel } from "../channel.ts";

/** A peer with this many unread bytes is dropped. */
const maxUnsent = 256 * 1024;

export interface SocketChannelOptions {
  readonly roundTripMs: number;
  readonly gapMs: number;
  readonly echoes?: boolean;
  /**
   * Filters received bytes and returns those for the listener: registration packets and heartbeats are
   * removed here.
   */
  readonly filter?: ByteFilter;
}

/**
 * Removes bytes from a stream. May hold back a tail that could be the beginning of such bytes; `flush`
 * releases it.
 */
export interface ByteFilter {
  push(bytes: Uint8Array): Uint8Array;
  flush(): Uint8Array;
  /** Whether bytes are held back. */
  readonly isHolding: boolean;
}

/** How long the rest of a heartbeat is awaited before its beginning counts as data. */
const holdMs = 100;

/** A TCP socket as a channel. The socket must already be connected. */
export function socketChannel(socket: Socket, options: SocketChannelOptions): Channel {
  const { filter } = options;
  let listener: Parameters<Channel["listen"]>[0];
  let holding: NodeJS.Timeout | undefined;
  const closed = new Set<() => void>();

  const pass = (bytes: Uint8Array): void => {
    if (bytes.length === 0) return;
    const pending = listener?.(bytes);
    if (!pending) return;
    socket.pause();
    pending.then(
      () => socket.resume(),
      () => socket.destroy(),
    );
  };
  socket.on("data", (bytes: Uint8Array) => {
    clearTimeout(holding);
    pass(filter ? filter.push(bytes) : bytes);
    if (filter?.isHolding) holding = setTimeout(() => pass(filter.flush()), holdMs);
  });
  // A poll does not need the error; "close" always follows.
  socket.on("error", () => undefined);
  socket.on("close", () => {
    clearTimeout(holding);
    for (const callback of closed) callback();
    closed.clear();
  });
  return {
    get isOpen() {
      return !socket.destroyed && socket.writable;
    },
    roundTripMs: options.roundTripMs,
    gapMs: options.gapMs,
    echoes: options.echoes ?? false,
    listen(next) {
      listener = next;
    },
    onClose(callback) {
      if (socket.destroyed) callback();
      else closed.add(callback);
      return () => closed.delete(callback);
    },
    close: () => socket.destroy(),
    write: (bytes) => send(socket, bytes),
  };
}

function send(socket: Socket, bytes: Uint8Array): Promise<void> {
  if (socket.destroyed || !socket.writable) return Promise.reject(new LineLost("the line is closed"));
  if (socket.writableLength + bytes.length > maxUnsent) {
    socket.destroy();
    return Promise.reject(new LineLost("the peer does not read"));
  }
  return new Promise((resolve, reject) => {
    socket.write(bytes, (error) => {
      if (error) reject(new LineLost("the line broke while sending", { cause: error }));
      else resolve();
    });
  });
}
