import { fork, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Services, Stop } from "#core";

/** What the process of the simulated meters must know; sent to it as its first message. */
export interface ParkOrder {
  readonly host: string;
  readonly modemPort: number;
  readonly utcOffsetSec: number;
  readonly mqtt: {
    readonly url: string;
    readonly username: string;
    readonly password: string;
    readonly prefix: string;
  };
}

/** Where the converters listen: the planned ports, or others where those were taken. */
export interface ParkStarted {
  readonly converters: readonly { readonly deviceID: string; readonly port: number }[];
}

export interface ParkProcess {
  readonly pid: number;
  readonly stop: Stop;
}

const stopMs = 2_000;

/**
 * Starts the simulated meters of the demonstration in a process of their own: they reach the platform over sockets like
 * real ones, and stop when that process is stopped. It ends by itself when this process is gone, however it went.
 */
export function startPark(
  { log }: Services,
  order: ParkOrder,
  onStarted: (started: ParkStarted) => Promise<void>,
): ParkProcess {
  const child = fork(workerPath(), [], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  child.on("error", (error) => log.error({ err: error }, "the simulated meters could not be started"));
  child.once("message", (started: ParkStarted) => {
    onStarted(started).catch((error: unknown) => {
      log.error({ err: error }, "the ports of the simulated converters were not noted");
    });
  });
  child.send(order);
  return { pid: child.pid ?? 0, stop: () => stopChild(child) };
}

/** Beside the bundle in production; the source itself (tsx passes on how to read it) elsewhere. */
function workerPath(): string {
  const bundled = fileURLToPath(new URL("./parkWorker.js", import.meta.url));
  return existsSync(bundled) ? bundled : fileURLToPath(new URL("./parkWorker.ts", import.meta.url));
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.disconnect();
  const timer = setTimeout(() => child.kill("SIGKILL"), stopMs);
  await gone;
  clearTimeout(timer);
}
