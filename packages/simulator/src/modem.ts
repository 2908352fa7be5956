import { connect, type Socket } from "node:net";
import type { Bus } from "./bus.ts";
import type { Timetable } from "./timetable.ts";

export interface ModemOptions {
  readonly host: string;
  readonly port: number;
  readonly imei: string;
  readonly bus: Bus;
  readonly timetable: Timetable;
  readonly heartbeatSec?: number;
}

const reconnectMs = [500, 30_000] as const;

/**
 * A transparent modem: dials in, identifies itself, repeats its identity as a heartbeat, carries the bus;
 * redials when disconnected.
 */
export function startModem(options: ModemOptions): () => void {
  const { host, port, imei, bus, timetable, heartbeatSec = 60 } = options;
  let socket: Socket | undefined;
  let stopped = false;
  let pauseMs: number = reconnectMs[0];

  const dial = (): void => {
    if (stopped) return;
    const current = connect({ host, port, keepAlive: true, noDelay: true });
    socket = current;
    current.on("connect", () => {
      pauseMs = reconnectMs[0];
      current.write(imei);
      beat(current);
    });
    current.on("data", (bytes) => {
      for (const piece of bus.receive(bytes))
        timetable.after(piece.afterMs, () => {
          if (current.writable) current.write(piece.bytes);
        });
    });
    // Errors of the connection are handled by "close", which always follows.
    current.on("error", () => undefined);
    current.on("close", () => {
      timetable.after(pauseMs, dial);
      pauseMs = Math.min(reconnectMs[1], pauseMs * 2);
    });
  };
  const beat = (current: Socket): void =>
    timetable.after(heartbeatSec * 1000, () => {
      if (current !== socket || !current.writable) return;
      current.write(imei);
      beat(current);
    });

  dial();
  return () => {
    stopped = true;
    socket?.destroy();
  };
}
