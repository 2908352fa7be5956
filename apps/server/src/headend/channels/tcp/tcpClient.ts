import { connect, type Socket } from "node:net";
import { connectOut, refuseHost } from "#core";
import type { Config } from "#config";
import { LineLost, type Channel } from "../channel.ts";
import { socketChannel } from "./socketChannel.ts";

/** A converter or meter that listens for connections. */
export interface TcpTarget {
  readonly host: string;
  readonly port: number;
  readonly echoes?: boolean;
  /**
   * Entered by a user of the company: connected to only on the public network, or if METRUM_OUTGOING_HOSTS
   * names the host, so that no company reaches hosts of the provider. Absent: set by the operator of the server.
   */
  readonly isEntered?: boolean;
}

export type OutgoingHosts = Pick<Config, "outgoingHosts">;

const connectMs = 10_000;

/** Opens a connection. Rejects with `LineLost` when it is refused or there is no answer within 10 s. */
export function openTcp(target: TcpTarget, allowed: OutgoingHosts = { outgoingHosts: [] }): Promise<Channel> {
  const { host, port, echoes = false } = target;
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown): void =>
      reject(new LineLost(`no connection to ${host}:${String(port)}`, { cause }));
    let socket: Socket;
    try {
      socket = connectTo(target, allowed);
    } catch (cause) {
      fail(cause);
      return;
    }
    // The code that the operating system gives later.
    const unanswered = Object.assign(new Error("no answer"), { code: "ETIMEDOUT" });
    const late = setTimeout(() => socket.destroy(unanswered), connectMs);
    socket.once("error", (cause) => {
      clearTimeout(late);
      fail(cause);
    });
    socket.once("connect", () => {
      clearTimeout(late);
      socket.setNoDelay(true);
      socket.setKeepAlive(true, 60_000);
      resolve(socketChannel(socket, { roundTripMs: 1500, gapMs: 150, echoes }));
    });
  });
}

/** Errors: OutgoingRefused; those of connecting are emitted. */
function connectTo({ host, port, isEntered = false }: TcpTarget, allowed: OutgoingHosts): Socket {
  if (!isEntered) return connect({ host, port });
  const name = host.toLowerCase();
  refuseHost(allowed, name);
  return connectOut(allowed, { host: name, port, isTls: false, path: "" });
}
