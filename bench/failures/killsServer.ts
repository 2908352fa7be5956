import { execFile, spawn, type ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../..");
const fromSource = ["--conditions=source", "--import", "tsx", join(root, "apps/server/src/main.ts")];
const built = ["--enable-source-maps", join(root, "apps/server/dist/main.js")];
const readyMs = 180_000;

export interface Installation {
  readonly dataDir: string;
  readonly httpPort: number;
  readonly mqttPort: number;
  readonly modemPort: number;
  readonly udpPort?: number;
  /** Runs the result of `buildProduct`, as `npm start` does, and not the sources. */
  readonly isBuilt?: true;
  /** An external database; default: the embedded one. */
  readonly databaseUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with each line of its log. */
  readonly onLog?: (line: string) => void;
}

/** Builds the server as `npm start` does, if its sources have changed. */
export async function buildProduct(): Promise<void> {
  const script = 'import("./scripts/build.mjs").then(({ buildServer }) => buildServer())';
  await promisify(execFile)(process.execPath, ["-e", script], { cwd: root });
}

/** Roles of a process; default: all. */
export type Roles = "api" | "api,worker,broker" | "api,worker" | "worker,broker";

/** The account used by external clients. */
export const owner = { email: "owner@metrum.example", password: "Kills-2026-of-the-bench" } as const;

/** Bytes that acknowledge a datagram. */
export const datagramAnswer = "OK";

/** Starts a server process as a user would after a kill. Resolves when it reports that it is ready. */
export async function startServer(
  at: Installation,
  roles: Roles = "api,worker,broker",
): Promise<ChildProcess> {
  const child = spawn(process.execPath, at.isBuilt ? built : fromSource, {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      NODE_ENV: "production",
      METRUM_DATA_DIR: at.dataDir,
      METRUM_ROLES: roles,
      METRUM_PORT: String(at.httpPort),
      METRUM_HEALTH_PORT: "0",
      METRUM_MQTT_PORT: String(at.mqttPort),
      METRUM_MODEM_PORTS: `${String(at.modemPort)}:imei`,
      ...(at.udpPort === undefined
        ? {}
        : {
            METRUM_UDP_PORTS: `${String(at.udpPort)}:hex;length=8;fport=2;greeting=${datagramAnswer}`,
          }),
      METRUM_BRIDGE_PORTS: "off",
      METRUM_ADMIN_EMAIL: owner.email,
      METRUM_ADMIN_PASSWORD: owner.password,
      METRUM_LOG_LEVEL: at.onLog ? "warn" : "error",
      ...(at.databaseUrl === undefined ? {} : { METRUM_DATABASE_URL: at.databaseUrl }),
      ...at.env,
    },
  });
  if (at.onLog) createInterface({ input: child.stderr }).on("line", at.onLog);
  let output = "";
  let late: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve, reject) => {
    const hear = (bytes: Buffer): void => {
      output = (output + bytes.toString()).slice(-4000);
      if (output.includes("Metrum is ready")) resolve();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("error", reject);
    child.on("exit", () => reject(new Error(`the server ended before it was ready: ${output}`)));
    late = setTimeout(
      () => reject(new Error(`not ready after ${String(readyMs / 1000)} s: ${output}`)),
      readyMs,
    );
  })
    .catch((error: unknown) => {
      child.kill("SIGKILL");
      throw error;
    })
    .finally(() => clearTimeout(late));
  return child;
}

/** Kills processes and their descendants without warning; resolves when they have ended. */
export async function killProcesses(children: readonly ChildProcess[]): Promise<void> {
  const gone = Promise.all(children.map(ended));
  const pids = children.flatMap(({ pid }) => (pid === undefined ? [] : [...below(pid), pid]));
  const postgres = new Set(children.flatMap(({ pid }) => (pid === undefined ? [] : postgresBelow(pid))));
  for (const pid of pids) if (!postgres.has(pid)) send(pid);
  await gone;
}

/** The database below a server is a separate victim. */
const postgresBelow = (pid: number): number[] =>
  below(pid).filter((each) => commandOf(each).includes("postgres"));

/** Kills the database: its main process only, or with its descendants. */
export function killDatabase(at: Installation, isWhole: boolean): void {
  const first = postmasterOf(at);
  if (first === undefined) return;
  for (const pid of isWhole ? [...below(first), first] : [first]) send(pid);
}

/** Ends all remaining processes of an installation, however the run ended. */
export async function endAll(children: ChildProcess | readonly ChildProcess[] | undefined, at: Installation) {
  const all = children === undefined ? [] : [children].flat();
  for (const child of all) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = ended(child);
    child.kill("SIGTERM");
    await gone;
  }
  const left = postmasterOf(at);
  if (left !== undefined) for (const pid of [...below(left), left]) send(pid);
}

const ended = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once("exit", () => resolve());
  });

function send(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/**
 * The main process of the run's database, by its lock file; its command line names the directory, so it is
 * the right one.
 */
export function postmasterOf({ dataDir }: Pick<Installation, "dataDir">): number | undefined {
  try {
    const pid = Number(readFileSync(join(dataDir, "database/postmaster.pid"), "utf8").split("\n")[0]);
    return commandOf(pid).includes(dataDir) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Empty for a process that has ended meanwhile. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${String(pid)}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** All processes below one, by their parents. */
function below(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
    } catch {
      // It has ended meanwhile.
    }
  }
  const children = (parent: number): number[] =>
    [...parents].flatMap(([each, of]) => (of === parent ? [each, ...children(each)] : []));
  return children(pid);
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
