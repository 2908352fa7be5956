import { createServer, type Server, type Socket } from "node:net";
import type { Bus } from "./bus.ts";
import type { Timetable } from "./timetable.ts";

export interface ConverterOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly bus: Bus;
  readonly timetable: Timetable;
}

export interface Converter {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/**
 * A serial server or level converter: waits for a connection and carries the bus. One client at a time, as the devices do; a new
 * client takes the place of the old one. Errors: those of listening (port taken).
 */
export async function startConverter(options: ConverterOptions): Promise<Converter> {
  const { bus, timetable } = options;
  let client: Socket | undefined;
  const server = createServer({ noDelay: true }, (socket) => {
    client?.destroy();
    client = socket;
    socket.on("data", (bytes) => {
      for (const piece of bus.receive(bytes))
        timetable.after(piece.afterMs, () => {
          if (socket.writable) socket.write(piece.bytes);
        });
    });
    socket.on("error", () => undefined);
  });
  await listen(server, options);
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : options.port,
    stop: () =>
      new Promise((resolve) => {
        client?.destroy();
        server.close(() => resolve());
      }),
  };
}

function listen(server: Server, { host, port }: ConverterOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      server.on("error", () => undefined);
      resolve();
    });
  });
}
