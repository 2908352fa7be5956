import { createServer, type Server, type Socket } from "node:net";
import { bridgeBounds } from "@metrum/contract/headend";
import type { Clock } from "#core";
import type { Channel } from "#headend/channels";

/** Silence in both directions after which a transparent port is closed. */
const idleMs = bridgeBounds.idle * 1000;
const checkMs = 1000;

/** Called with every chunk that passes, in order. */
export interface Passing {
  readonly sent: (bytes: Uint8Array) => void;
  readonly received: (bytes: Uint8Array) => void;
}

export interface ConduitOptions extends Passing {
  readonly host: string;
  readonly ports: { readonly first: number; readonly last: number };
  /** The only client address that is accepted. */
  readonly address: string;
  readonly clock: Clock;
  readonly endsAtMs: number;
}

export type ConduitEnd = "idle" | "limit" | "line_down" | "closed";

/** A listening port for one client at a time, to be connected to a line. */
export interface Conduit {
  readonly port: number;
  /** Connects the client transparently to the line until either ends; bytes received before are kept. */
  readonly join: (channel: Channel) => Promise<ConduitEnd>;
  readonly close: () => void;
}

/** Listens on the first free port of the range. Returns undefined when none is free. */
export async function openConduit(options: ConduitOptions): Promise<Conduit | undefined> {
  const { clock, address } = options;
  let client: Socket | undefined;
  let channel: Channel | undefined;
  let lastByteMs = clock.monotonicMs();
  const server = createServer({ noDelay: true, pauseOnConnect: true }, (socket) => {
    if (client !== undefined || plainAddress(socket.remoteAddress ?? "") !== plainAddress(address)) {
      socket.destroy();
      return;
    }
    client = socket;
    lastByteMs = clock.monotonicMs();
    // Errors of the connection are handled by "close", which always follows.
    socket.on("error", () => undefined);
    socket.on("close", () => (client = undefined));
    socket.on("data", (bytes) => {
      lastByteMs = clock.monotonicMs();
      socket.pause();
      options.sent(bytes);
      channel?.write(bytes).then(
        () => socket.resume(),
        () => socket.destroy(),
      );
    });
    if (channel) socket.resume();
  });
  const port = await listenInRange(server, options);
  if (port === undefined) return undefined;
  const ends = new Set<(end: ConduitEnd) => void>();
  let isClosed = false;
  const close = (): void => {
    isClosed = true;
    server.close();
    client?.destroy();
    for (const end of ends) end("closed");
  };
  const join = async (line: Channel): Promise<ConduitEnd> => {
    if (isClosed) return "closed";
    channel = line;
    lastByteMs = clock.monotonicMs();
    line.listen((bytes) => {
      lastByteMs = clock.monotonicMs();
      options.received(bytes);
      return client ? written(client, bytes) : undefined;
    });
    client?.resume();
    try {
      return await new Promise<ConduitEnd>((resolve) => {
        ends.add(resolve);
        const timer = setInterval(() => {
          const now = clock.monotonicMs();
          if (now >= options.endsAtMs) resolve("limit");
          else if (now - lastByteMs >= idleMs) resolve("idle");
        }, checkMs);
        ends.add(() => clearInterval(timer));
        line.onClose(() => resolve("line_down"));
      });
    } finally {
      line.listen(undefined);
      channel = undefined;
      close();
    }
  };
  return { port, join, close };
}

/** An IPv4-mapped IPv6 address is the same address. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");

/** Resolves when the client has accepted the bytes, which throttles reading from the line. */
function written(client: Socket, bytes: Uint8Array): Promise<void> | undefined {
  if (client.destroyed || client.write(bytes)) return undefined;
  return new Promise((resolve) => {
    const done = (): void => {
      client.off("drain", done).off("close", done);
      resolve();
    };
    client.on("drain", done).on("close", done);
  });
}

async function listenInRange(server: Server, options: ConduitOptions): Promise<number | undefined> {
  const { first, last } = options.ports;
  for (let port = first; port <= last; port++) if (await listens(server, options.host, port)) return port;
  return undefined;
}

function listens(server: Server, host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const refused = (): void => {
      server.off("listening", taken);
      resolve(false);
    };
    const taken = (): void => {
      server.off("error", refused);
      server.on("error", () => undefined);
      resolve(true);
    };
    server.once("error", refused).once("listening", taken);
    server.listen({ host, port, backlog: 1 });
  });
}
