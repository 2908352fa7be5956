import { spawn, type ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

const main = join(import.meta.dirname, "../apps/server/src/main.ts");
const readyMs = 90_000;

/** What is killed: the server process, the server with its database and all below, or the first process of the database. */
export const killKinds = ["server", "tree", "postmaster"] as const;
export type KillKind = (typeof killKinds)[number];

export interface Installation {
  readonly dataDir: string;
  readonly httpPort: number;
  readonly mqttPort: number;
  readonly modemPort: number;
}

/** Starts the server as its user would after a kill, and nothing else. Resolves when it says that it is ready. */
export async function startServer(at: Installation): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["--conditions=source", "--import", "tsx", main], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      NODE_ENV: "production",
      METRUM_DATA_DIR: at.dataDir,
      METRUM_PORT: String(at.httpPort),
      METRUM_MQTT_PORT: String(at.mqttPort),
      METRUM_MODEM_PORTS: `${String(at.modemPort)}:imei`,
      METRUM_LOG_LEVEL: "error",
    },
  });
  let said = "";
  let late: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve, reject) => {
    const hear = (bytes: Buffer): void => {
      said = (said + bytes.toString()).slice(-4000);
      if (said.includes("Metrum is ready")) resolve();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("error", reject);
    child.on("exit", () => reject(new Error(`the server ended before it was ready: ${said}`)));
    late = setTimeout(
      () => reject(new Error(`not ready after ${String(readyMs / 1000)} s: ${said}`)),
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

/** Kills without warning; resolves when what was killed is gone. */
export async function kill(kind: KillKind, child: ChildProcess, at: Installation): Promise<void> {
  const server = child.pid ?? 0;
  const postmaster = postmasterOf(at);
  const victims = {
    server: [server],
    // After the server alone was killed, its database belongs to nobody: it is found by its own note.
    tree: [...below(server), server, ...(postmaster === undefined ? [] : [...below(postmaster), postmaster])],
    postmaster: postmaster === undefined ? [] : [postmaster],
  }[kind];
  const gone = kind === "postmaster" ? Promise.resolve() : ended(child);
  for (const pid of new Set(victims)) send(pid);
  await gone;
}

/** Ends what is left of an installation, however the run went. */
export async function endAll(child: ChildProcess | undefined, at: Installation): Promise<void> {
  if (child?.exitCode === null && child.signalCode === null) {
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

/** The first process of our database, by its lock file; its command names our directory, so it is no other one. */
export function postmasterOf({ dataDir }: Installation): number | undefined {
  try {
    const pid = Number(readFileSync(join(dataDir, "database/postmaster.pid"), "utf8").split("\n")[0]);
    return readFileSync(`/proc/${String(pid)}/cmdline`, "utf8").includes(dataDir) ? pid : undefined;
  } catch {
    return undefined;
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
