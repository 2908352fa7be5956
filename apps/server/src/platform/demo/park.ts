import { fork, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { MixedOptions } from "@metrum/simulator";
import type { Services, Stop } from "#core";
import { knownParks, optionsOf } from "./parkStore.ts";

/** Configuration of the process of the simulated meters; sent to it as its first message. */
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

/** The parks that staff have started, sent on every change: others are stopped. */
export interface ParksOrder {
  readonly parks: readonly MixedOptions[];
}

/**
 * Addresses of the converters: the planned ports, or others if those were in use. `park`: absent for the
 * demonstration.
 */
export interface ParkStarted {
  readonly park?: number;
  readonly converters: readonly { readonly deviceID: string; readonly port: number }[];
}

export interface ParkProcess {
  readonly pid: number;
  readonly stop: Stop;
}

const stopMs = 2_000;
/** How soon a started or removed park is noticed. */
const everyMs = 3_000;

/**
 * Starts the simulated meters of the demonstration in a separate process: they connect to the platform over
 * sockets like real ones, and stop when that process is stopped. It ends when this process has ended for any
 * reason. Parks that staff start run in the same process.
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
      log.error({ err: error }, "the ports of the simulated converters were not stored");
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

/** Checks which parks exist and sends changes to the process of the meters. */
function tellParks({ database, log }: Services, child: ChildProcess): () => void {
  let sent = "[]";
  let isChecking = false;
  const check = async (): Promise<void> => {
    const parks = (await knownParks(database.system)).map(optionsOf);
    const text = JSON.stringify(parks);
    if (text === sent || !child.connected) return;
    child.send({ parks } satisfies ParksOrder);
    sent = text;
  };
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    check()
      .catch((error: unknown) => log.debug({ err: error }, "the simulated parks could not be looked up"))
      .finally(() => (isChecking = false));
  }, everyMs).unref();
  return () => clearInterval(timer);
}

/** Next to the bundle in production; elsewhere the source, run by tsx. */
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
