import { createServer, type AddressInfo, type Socket } from "node:net";
import { Aedes } from "aedes";

/** An external broker, as of The Things Stack or ChirpStack. */
export interface ForeignBroker {
  readonly url: string;
  readonly close: () => Promise<void>;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** An MQTT broker in this process that admits one account, with all topics or none. `port`: 0 for any. */
export async function openForeignBroker(
  { username, password, hasTopics = true }: Credentials & { readonly hasTopics?: boolean },
  port = 0,
): Promise<ForeignBroker> {
  const aedes = await Aedes.createBroker({
    authorizeSubscribe: (_, subscription, done) => done(null, hasTopics ? subscription : null),
    authenticate: (_, name, secret, done) => {
      done(null, name === username && secret?.toString() === password);
    },
  });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    aedes.handle(socket);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `mqtt://127.0.0.1:${String(bound)}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
      await new Promise<void>((resolve) => aedes.close(() => resolve()));
    },
  };
}
