import { connect, type Socket } from "node:net";

/** Connects a number of silent modems. Reports to the parent how many are open, and when one was closed. */
export interface DiallerTask {
  readonly port: number;
  readonly count: number;
  readonly perSec: number;
  /** Identifies itself by IMEI number `first + n`, or sends nothing. */
  readonly first: number | null;
}

export interface DiallerState {
  readonly opened: number;
  readonly closed: number;
  readonly failed: number;
  /** Milliseconds from connecting to being closed by the server, shortest and longest. */
  readonly shortestMs: number;
  readonly longestMs: number;
}

const tickMs = 50;
const sockets = new Set<Socket>();
const state = { opened: 0, closed: 0, failed: 0, shortestMs: Infinity, longestMs: 0 };

function dial({ port, first }: DiallerTask, n: number): void {
  // Each local address has a limited number of ports, and the server admits 5,000 connections per address.
  const socket = connect({ host: "127.0.0.1", port, localAddress: `127.0.0.${String(1 + (n % 3))}` });
  let atMs = 0;
  socket.on("connect", () => {
    atMs = performance.now();
    state.opened += 1;
    sockets.add(socket);
    if (first !== null) socket.write(String(first + n));
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    if (!sockets.delete(socket)) {
      state.failed += 1;
      return;
    }
    const livedMs = performance.now() - atMs;
    state.closed += 1;
    state.shortestMs = Math.min(state.shortestMs, livedMs);
    state.longestMs = Math.max(state.longestMs, livedMs);
  });
}

function start(task: DiallerTask): void {
  let dialled = 0;
  const timer = setInterval(() => {
    for (let left = Math.ceil((task.perSec * tickMs) / 1000); left > 0 && dialled < task.count; left--)
      dial(task, dialled++);
    if (dialled >= task.count) clearInterval(timer);
  }, tickMs);
}

process.on("message", (message: DiallerTask | "state" | "end") => {
  if (message === "state") process.send?.(state);
  else if (message === "end") process.exit(0);
  else start(message);
});
process.send?.("ready");
