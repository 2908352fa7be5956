import { connect } from "node:net";
import { LineLost, type Channel } from "../channel.ts";
import { socketChannel } from "./socketChannel.ts";

/** A converter or meter that listens for connections. */
export interface TcpTarget {
  readonly host: string;
  readonly port: number;
  readonly echoes?: boolean;
}

const connectMs = 10_000;

/** Opens a connection. Rejects with `LineLost` when there is no answer within 10 s. */
export function openTcp({ host, port, echoes = false }: TcpTarget): Promise<Channel> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 });
    const late = setTimeout(() => socket.destroy(new Error("no answer")), connectMs);
    socket.once("error", (cause) => {
      clearTimeout(late);
      reject(new LineLost(`no connection to ${host}:${port}`, { cause }));
    });
    socket.once("connect", () => {
      clearTimeout(late);
      resolve(socketChannel(socket, { roundTripMs: 1500, gapMs: 150, echoes }));
    });
  });
}
