import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, constants, cp, mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export interface Platform {
  /** Address of the web app and the API. */
  readonly address: string;
  /** Process of the simulated meters; suspending it suspends them. */
  readonly parkPid: number;
  /** Its data directory; letters are in its folder `outbox`. */
  readonly dataDir: string;
  /** Address on which modems dial in; the platform reports the port. */
  readonly deviceHost: string;
}

export interface RunningPlatform extends Platform {
  readonly stop: () => Promise<void>;
}

/** Creating the demonstration takes some 15 s of one processor, which the machine may share. */
const readyWithinMs = 600_000;
/** What follows from its readings takes a minute and a half: a part is computed twice, a minute apart. */
const computedWithinMs = 600_000;
const stopWithinMs = 8_000;
/** A copied demonstration must be closed: its process is given time beside other tests, and its database outlives it. */
const closedWithinMs = 120_000;
const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Starts the demonstration as users run it: the built server as a child process, with free ports and a
 * separate data directory, empty or a copy of `demonstration`. Errors: it is not built, or not ready in time;
 * its output is in the message.
 */
export async function startPlatform(demonstration?: string): Promise<RunningPlatform> {
  const dataDir = await newDataDir();
  const remove = () => rm(dataDir, { recursive: true, force: true });
  const deviceHost = ownLoopback();
  try {
    if (demonstration !== undefined)
      await cp(demonstration, dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE });
    const { address, line, stop } = await startServer(dataDir, deviceHost);
    const parkPid = Number(/simulated meters run as process (\d+)/.exec(line)?.[1]);
    return { address, parkPid, dataDir, deviceHost, stop: () => stop().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Creates the demonstration once, for platforms that start from a copy, with everything computed that follows from
 * its readings, so that none of them begins with it. No ports or lines are open, so that no device is polled. Returns
 * its data directory, with the database closed. Errors: as those of `startPlatform`; what is not computed in time.
 */
export async function createDemonstration(): Promise<string> {
  const dataDir = await newDataDir();
  try {
    const { address, stop } = await startServer(dataDir, ownLoopback(), { METRUM_ROLES: "api,worker" });
    try {
      await untilComputed(address);
    } finally {
      await stop(closedWithinMs);
    }
    const deadline = performance.now() + closedWithinMs;
    while (existsSync(join(dataDir, "database/postmaster.pid"))) {
      if (performance.now() > deadline) throw new Error(`The database in ${dataDir} was not closed`);
      await pause(50);
    }
    return dataDir;
  } catch (error) {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  }
}

async function untilComputed(address: string): Promise<void> {
  const ask = async (path: string, request: RequestInit): Promise<unknown> => {
    for (;;) {
      const response = await fetch(`${address}/api/${path}`, request);
      if (response.ok) return ((await response.json()) as { readonly data: unknown }).data;
      const text = await response.text();
      // A machine under load is busy at times.
      if (response.status !== 503 || performance.now() > deadline) throw new Error(`${path}: ${text}`);
      await pause(1_000);
    }
  };
  const deadline = performance.now() + computedWithinMs;
  const signIn = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "engineer@metrum.example", password: "Metrum!2026" }),
  };
  const { access_token } = (await ask("auth/login", signIn)) as { readonly access_token: string };
  const headers = { authorization: `Bearer ${access_token}` };
  for (;;) {
    const data = await ask("objects/accounting_point/progress", { headers });
    const { progress } = data as {
      readonly progress: readonly { readonly due: number; readonly later: number }[];
    };
    if (progress.every(({ due, later }) => due + later === 0)) return;
    if (performance.now() > deadline) throw new Error(`Not computed in time: ${JSON.stringify(progress)}`);
    await pause(1_000);
  }
}

async function newDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "metrum-e2e-"));
  // The database runs under a separate account, which needs access.
  await chmod(dataDir, 0o711);
  return dataDir;
}

interface Server {
  readonly address: string;
  /** Its output when it is ready. */
  readonly line: string;
  /** Ends it by force after a time limit. */
  readonly stop: (withinMs?: number) => Promise<void>;
}

async function startServer(
  dataDir: string,
  deviceHost: string,
  settings: NodeJS.ProcessEnv = {},
): Promise<Server> {
  if (!existsSync(join(root, "apps/web/dist/index.html")))
    throw new Error("The web app is not built. `npm run e2e` builds it first.");
  const [port, mqttPort, modemPort] = await Promise.all([
    freePort("127.0.0.1"),
    freePort(deviceHost),
    freePort(deviceHost),
  ]);
  const child = spawn(process.execPath, serverArguments(), {
    cwd: root,
    env: {
      ...cleanEnvironment(),
      METRUM_DEMO: "true",
      METRUM_DATA_DIR: dataDir,
      METRUM_PORT: String(port),
      METRUM_DEVICE_HOST: deviceHost,
      METRUM_MQTT_PORT: String(mqttPort),
      METRUM_MODEM_PORTS: `${String(modemPort)}:imei`,
      METRUM_LOG_LEVEL: "warn",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stop = (withinMs?: number) => stopProcess(child, withinMs);
  try {
    return { address: `http://127.0.0.1:${String(port)}`, line: await readyLineOf(child), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The bundle that `npm start` runs; the sources where there is none. */
function serverArguments(): string[] {
  const bundle = join(root, "apps/server/dist/main.js");
  if (existsSync(bundle)) return ["--enable-source-maps", bundle];
  return ["--conditions=source", "--import", "tsx", join(root, "apps/server/src/main.ts")];
}

/** Environment without variables of the test runner and settings of the user. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(METRUM_|VITEST|NODE_OPTIONS$|NODE_ENV$|TEST$|DEV$|PROD$|MODE$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

/**
 * The simulated converters listen on fixed ports, so two demonstrations on one machine would conflict. On
 * Linux the whole of 127/8 is this machine, and every run uses a different address.
 */
function ownLoopback(): string {
  if (process.platform !== "linux") return "127.0.0.1";
  const part = () => 2 + Math.floor(Math.random() * 250);
  return `127.${String(part())}.${String(part())}.${String(part())}`;
}

function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, host, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

/** Waits for the ready line. */
async function readyLineOf(child: ChildProcess): Promise<string> {
  let output = "";
  const ready = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const line = /^Metrum is ready: .*\n/m.exec(output)?.[0];
      if (line !== undefined) resolve(line);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The server ended with code ${String(code)}:\n${output}`)));
  });
  const late = new AbortController();
  try {
    return await Promise.race([
      ready,
      pause(readyWithinMs, undefined, { signal: late.signal }).then(() => {
        throw new Error(`The server was not ready after ${String(readyWithinMs / 1000)} s:\n${output}`);
      }),
    ]);
  } finally {
    late.abort();
  }
}

/** Orderly if possible, by force after a time limit; also when this process ends first. */
async function stopProcess(child: ChildProcess, withinMs = stopWithinMs): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), withinMs);
  await gone;
  clearTimeout(timer);
}
