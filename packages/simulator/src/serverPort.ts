import { createServer, type Server, type Socket } from "node:net";

export interface ServerPortOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Another client has connected. */
  readonly onClient?: () => void;
  /** Bytes of a client; `answer` reaches only that client. */
  readonly onBytes: (bytes: Uint8Array, answer: (bytes: Uint8Array) => void) => void;
}

export interface ServerPort {
  readonly port: number;
  /** To the connected client, if there is one. */
  readonly say: (bytes: Uint8Array) => void;
  readonly hasClient: () => boolean;
  readonly stop: () => Promise<void>;
}

/**
 * A TCP port that listens for a connection. One client at a time, as on the devices; a new client replaces
 * the old one. Errors: those of listening (port taken).
 */
export async function openServerPort(options: ServerPortOptions): Promise<ServerPort> {
  let client: Socket | undefined;
  const server = createServer({ noDelay: true }, (socket) => {
    client?.destroy();
    client = socket;
    options.onClient?.();
    socket.on("data", (bytes) =>
      options.onBytes(bytes, (answer) => {
        if (socket.writable) socket.write(answer);
      }),
    );
    socket.on("error", () => undefined);
  });
  await listen(server, options);
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : options.port,
    say(bytes) {
      if (client?.writable === true) client.write(bytes);
    },
    hasClient: () => client?.writable === true,
    stop: () =>
      new Promise((resolve) => {
        client?.destroy();
        server.close(() => resolve());
      }),
  };
}

function listen(server: Server, { host, port }: ServerPortOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      server.on("error", () => undefined);
      resolve();
    });
  });
}
