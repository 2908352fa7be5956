import { fork, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { MixedOptions } from "@metrum/simulator";
import type { Services, Stop } from "#core";
import { knownParks, optionsOf } from "./parkStore.ts";

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

/** The parks that staff have started, whenever they change: others are stopped. */
export interface ParksOrder {
  readonly parks: readonly MixedOptions[];
}

/** Where the converters listen: the planned ports, or others where those were taken. `park`: absent for the demonstration. */
export interface ParkStarted {
  readonly park?: number;
  readonly converters: readonly { readonly deviceID: string; readonly port: number }[];
}

export interface ParkProcess {
  readonly pid: number;
  readonly stop: Stop;
}

const stopMs = 2_000;
/** How soon a park that was started or removed is noticed. */
const lookMs = 3_000;

/**
 * Starts the simulated meters of the demonstration in a process of their own: they reach the platform over sockets like
 * real ones, and stop when that process is stopped. It ends by itself when this process is gone, however it went. Parks
 * that staff start are played by the same process.
 */
export function startPark(
  services: Services,
  order: ParkOrder,
  onStarted: (started: ParkStarted) => Promise<void>,
): ParkProcess {
  const { log } = services;
  const path = workerPath();
  const child = fork(path, [], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    ...(path.endsWith(".ts") ? { execArgv: ["--conditions=source", "--import", "tsx"] } : {}),
  });
  child.on("error", (error) => log.error({ err: error }, "the simulated meters could not be started"));
  child.on("message", (started: ParkStarted) => {
    onStarted(started).catch((error: unknown) => {
      log.error({ err: error }, "the ports of the simulated converters were not noted");
    });
  });
  child.send(order);
  const stopLooking = tellParks(services, child);
  return {
    pid: child.pid ?? 0,
    async stop() {
      stopLooking();
      await stopChild(child);
    },
  };
}

/** Looks which parks there are and tells the process of the meters when that has changed. */
function tellParks({ database, log }: Services, child: ChildProcess): () => void {
  let told = "[]";
  let isLooking = false;
  const look = async (): Promise<void> => {
    const parks = (await knownParks(database.system)).map(optionsOf);
    const text = JSON.stringify(parks);
    if (text === told || !child.connected) return;
    child.send({ parks } satisfies ParksOrder);
    told = text;
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch((error: unknown) => log.debug({ err: error }, "the simulated parks could not be looked up"))
      .finally(() => (isLooking = false));
  }, lookMs).unref();
  return () => clearInterval(timer);
}

/** Beside the bundle in production; the source itself, which tsx reads, elsewhere. */
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
