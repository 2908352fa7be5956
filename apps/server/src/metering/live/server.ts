import type { Server as HttpServer } from "node:http";
import { createAdapter } from "@socket.io/postgres-adapter";
import { Server, type Socket } from "socket.io";
import type { Events, Services, Session } from "#core";
import type { QuarantineNotice } from "./quarantine.ts";

interface FromServer {
  device_data: (data: { device_id: number; msgType: number; from: number; to: number }) => void;
  device_task: (data: {
    device_task_id: number;
    device_id?: number;
    status_id: number;
    user_id?: number;
  }) => void;
  device_event: (data: { msg: string; event: object }) => void;
}
interface FromClient {
  join: (data: unknown, answer?: unknown) => void;
}
interface BetweenServers {
  stored: (events: Events["readingsStored"]) => void;
  tasks: (changes: Events["tasksChanged"]) => void;
  quarantined: (notice: QuarantineNotice) => void;
}
export interface SocketData {
  session: Session;
  readonly tokenHash: Buffer;
}

export type LiveServer = Server<FromClient, FromServer, BetweenServers, SocketData>;
export type LiveSocket = Socket<FromClient, FromServer, BetweenServers, SocketData>;

/** Bytes of one message from a browser: a join is small. */
const largestMessage = 16 * 1024;

/**
 * The real-time server, connected with those of other processes through PostgreSQL. Without an HTTP server it
 * only announces: a process that stores readings and serves no browser.
 */
export function createLiveServer(services: Services, http?: HttpServer): LiveServer {
  const { config } = services;
  const live: LiveServer = new Server({
    path: "/socket.io",
    serveClient: false,
    maxHttpBufferSize: largestMessage,
    connectTimeout: 10_000,
    cors: { origin: [...config.corsOrigins], credentials: true },
  });
  live.adapter(createAdapter(adapterPool(services), adapterOptions(services)));
  if (http) live.attach(http);
  return live;
}

function adapterOptions({ log }: Services) {
  return {
    // NOTIFY accepts less than 8,000 bytes, including the quoting of the message.
    payloadThreshold: 7_000,
    errorHandler: (error: Error) =>
      log.warn({ err: error }, "real-time messages between processes were lost"),
  };
}

/**
 * The adapter keeps one connection permanently and replaces it when it breaks. It gets separate connections:
 * one of the pool would never be returned, and without a listener its error would end the process.
 */
function adapterPool({ database, log }: Services): Parameters<typeof createAdapter>[0] {
  const pool = {
    query: database.pool.query.bind(database.pool),
    async connect() {
      const client = database.client();
      client.on("error", (error) => log.warn({ err: error }, "real-time connection to the database broke"));
      await client.connect();
      return Object.assign(client, {
        release: () => {
          client.end().catch(() => undefined);
        },
      });
    },
  };
  // The adapter uses only these two members of a pool.
  return pool as unknown as Parameters<typeof createAdapter>[0];
}
