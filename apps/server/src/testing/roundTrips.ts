import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import type { Connection } from "../core/database/embedded/index.ts";

/** A TCP link to a database on which every message takes its time, so that what is sent at once is answered at once. */
export interface CountingLink {
  readonly connection: Connection;
  /**
   * How often an answer of the database was waited for before the next statement was sent, until the run had its result.
   * Statements that are sent at once count once, over however many connections.
   */
  readonly roundTrips: (run: () => Promise<unknown>) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** How long a message is under way. */
const latencyMs = 15;

export async function openCountingLink(to: Connection): Promise<CountingLink> {
  const ends = new Set<Socket>();
  let answered = 0;
  const keep = (socket: Socket): void => {
    ends.add(socket);
    socket.setNoDelay().on("close", () => ends.delete(socket));
    socket.on("error", () => undefined);
  };
  const server = createServer((near) => {
    const far = connect(`${to.host}/.s.PGSQL.${String(to.port)}`);
    keep(near);
    keep(far);
    let asked = 0;
    near.on("data", (bytes) => {
      asked = answered + 1;
      setTimeout(() => far.write(bytes), latencyMs);
    });
    far.on("data", (bytes) =>
      setTimeout(() => {
        answered = Math.max(answered, asked);
        near.write(bytes);
      }, latencyMs),
    );
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    connection: { ...to, host: "127.0.0.1", port },
    async roundTrips(run) {
      const before = answered;
      await run();
      return answered - before;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of ends) socket.destroy();
      }),
  };
}
