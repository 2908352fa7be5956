import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { networkOf, type Certificate, type Log } from "#core";
import type { ConnectionLimiter } from "../bounds.ts";

export interface BrokerListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly log: Log;
  readonly limiter: ConnectionLimiter;
  /** Options of TLS 1.2 or newer; absent: plain TCP. */
  readonly certificate?: Certificate;
  /** A connection whose bytes may be read; with TLS after the handshake. */
  readonly onSocket: (socket: Socket) => void;
}

/** A port of the embedded broker. */
export interface BrokerListener {
  readonly port: number;
  /** Sets the certificate for new connections; existing ones stay. */
  readonly renew: (certificate: Certificate) => void;
  /** Closes all connections, including those that have not sent anything yet. */
  readonly close: () => Promise<void>;
}

/** Time limit of the TLS handshake. */
const handshakeMs = 30_000;

/** Opens a port; the limiter counts connections before anything is read. Errors: those of listening. */
export async function openBrokerListener(options: BrokerListenerOptions): Promise<BrokerListener> {
  const { limiter, onSocket, certificate } = options;
  const sockets = new Set<Socket>();
  const tls = certificate && tlsOf(options, certificate);
  const server = createServer({ noDelay: true }, (socket) => {
    const address = socket.remoteAddress ?? "";
    if (!limiter.enter(networkOf(address))) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.on("close", () => {
      sockets.delete(socket);
      limiter.leave(networkOf(address));
    });
    if (tls) tls.emit("connection", socket);
    else onSocket(socket);
  });
  const port = await listen(server, options);
  return {
    port,
    renew: (next) => tls?.setSecureContext(contextOf(next)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

const contextOf = ({ cert, key }: Certificate): TlsOptions => ({ cert, key, minVersion: "TLSv1.2" });

/** Never listens itself: it gets connections admitted by the listener. */
function tlsOf({ log, onSocket }: BrokerListenerOptions, certificate: Certificate) {
  const server = createTlsServer({ ...contextOf(certificate), handshakeTimeout: handshakeMs }, onSocket);
  server.on("tlsClientError", (error, socket) => {
    log.debug({ err: error }, "mqtt connection without TLS");
    socket.destroy();
  });
  return server;
}

function listen(server: Server, { host, port }: BrokerListenerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      server.on("error", () => undefined);
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}
