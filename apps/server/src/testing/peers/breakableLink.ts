import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import type { Connection } from "../../core/database/embedded/index.ts";

/** A TCP link to a database that can be interrupted in two ways. */
export interface BreakableLink {
  readonly connection: Connection;
  /** Every connection is closed and new ones are refused. */
  readonly cut: () => void;
  /** Connections stay and new ones are accepted, but no bytes pass, not even the end of a connection. */
  readonly swallow: () => void;
  /** New connections work; old ones stay dead: a restored link does not revive them. */
  readonly restore: () => void;
  readonly close: () => Promise<void>;
}

export async function openBreakableLink(to: Connection): Promise<BreakableLink> {
  let mode: "open" | "cut" | "silent" = "open";
  const ends = new Set<Socket>();
  const swallowed = new Set<Socket>();
  const keep = (socket: Socket): void => {
    ends.add(socket);
    socket.on("error", () => undefined).on("close", () => ends.delete(socket));
  };
  const server = createServer((near) => {
    keep(near);
    if (mode === "cut") near.destroy();
    if (mode !== "open") return;
    const far = connect(`${to.host}/.s.PGSQL.${String(to.port)}`);
    keep(far);
    near.pipe(far).pipe(near);
    near.on("close", () => swallowed.has(far) || far.destroy());
    far.on("close", () => swallowed.has(near) || near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    connection: { ...to, host: "127.0.0.1", port },
    cut() {
      mode = "cut";
      for (const socket of ends) socket.destroy();
    },
    swallow() {
      mode = "silent";
      for (const socket of ends) swallowed.add(socket.unpipe().pause());
    },
    restore() {
      mode = "open";
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of ends) socket.destroy();
      }),
  };
}
