import { createServer, type Server, type Socket } from "node:net";

export interface ServerPortOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Another client has come. */
  readonly onClient?: () => void;
  /** What a client says; `answer` reaches that client and no later one. */
  readonly onBytes: (bytes: Uint8Array, answer: (bytes: Uint8Array) => void) => void;
}

export interface ServerPort {
  readonly port: number;
  /** To the client that is there, if there is one. */
  readonly say: (bytes: Uint8Array) => void;
  readonly hasClient: () => boolean;
  readonly stop: () => Promise<void>;
}

/**
 * A TCP port that waits for a connection. One client at a time, as the devices do; a new client takes the place of the old one.
 * Errors: those of listening (port taken).
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
