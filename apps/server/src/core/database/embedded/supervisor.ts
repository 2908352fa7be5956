import { type ChildProcess } from "node:child_process";
import { closeSync, mkdirSync, openSync, realpathSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { choosePlace } from "./account.ts";
import {
  type Cluster,
  type Connection,
  chooseAddress,
  connectionTo,
  prepareCluster,
  serverArguments,
} from "./cluster.ts";
import { start } from "./execute.ts";
import { claim, hasOther, release } from "./owner.ts";
import { separateSuperuser } from "./superuser.ts";
import { clearLocks, isAlive, livingPostmaster, type Postmaster, readText } from "./pidFile.ts";

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly log: (message: string) => void;
  /**
   * Server settings of this run, on top of the defaults; only disposable clusters of tests change durability.
   */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedDatabase {
  readonly connection: Connection;
  /** False: another live process started the database; it is shared and left running by `stop`. */
  readonly isOwner: boolean;
  /** Location of the cluster if it is not the data directory; printed in the start line. */
  readonly notice: string | null;
  /** Stops PostgreSQL (fast shutdown) within 5 s. */
  readonly stop: () => Promise<void>;
}

/** A running, supervised server. `connection` changes when a restart had to take another port. */
interface Running {
  readonly pid: number;
  readonly connection: Connection;
}

const lingerMs = 15_000;
const recoveryMs = 120_000;
const stopMs = 4_000;
/** Interval at which a process that shares a server looks whether its owner lives. */
const heirMs = 500;

/**
 * Embedded PostgreSQL on `dataDir`: initialised at the first start, adopted if one still runs there after a
 * kill, restarted when it dies, shared if another process of the platform already runs it, and taken over when
 * that process ends.
 * Errors: Error with the reason when no server can be provided.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  mkdirSync(options.dataDir, { recursive: true });
  const dataDir = realpathSync(options.dataDir);
  const place = await choosePlace(dataDir);
  const { notice } = place;
  const ownerFile = join(dataDir, "database.owner");
  const own = (wanted?: Connection) => supervise({ ...options, dataDir }, place, { ownerFile, wanted });
  if (!claim(ownerFile)) {
    const connection = await attach(dataDir, { directory: place.directory, ownerFile });
    if (connection)
      return {
        connection,
        isOwner: false,
        notice,
        ...inherit(ownerFile, () => own(connection), options.log),
      };
  }
  return { ...(await own()), isOwner: true, notice };
}

interface Owned {
  readonly connection: Connection;
  readonly stop: () => Promise<void>;
}

/** Runs the server as its owner, who has claimed it; one that still runs is adopted. */
async function supervise(
  { dataDir, settings = {}, log }: EmbeddedOptions,
  place: Awaited<ReturnType<typeof choosePlace>>,
  { ownerFile, wanted }: { readonly ownerFile: string; readonly wanted: Connection | undefined },
): Promise<Owned> {
  try {
    const cluster = await prepareCluster(dataDir, place, settings);
    const running = (await adopt(cluster, log)) ?? (await launch(cluster, wanted));
    if (cluster.superuserPassword === undefined) await separateSuperuser(dataDir, running.connection);
    const watch = keepRunning(cluster, running, log);
    const stop = async (): Promise<void> => {
      await watch.stop();
      release(ownerFile);
    };
    return { connection: running.connection, stop };
  } catch (error) {
    release(ownerFile);
    throw error;
  }
}

/**
 * Shares the server that another process of the platform is starting or running; undefined: that process has ended
 * meanwhile, and this one has claimed the server.
 */
async function attach(
  dataDir: string,
  { directory, ownerFile }: { readonly directory: string; readonly ownerFile: string },
): Promise<Connection | undefined> {
  const deadline = Date.now() + recoveryMs;
  while (Date.now() < deadline) {
    const found = await livingPostmaster(join(directory, "database"));
    const password = readText(join(dataDir, "database.password"))?.trim();
    if (found && password !== undefined) {
      const connection = connectionTo({ password }, found.host, found.port);
      if ((await knock(connection)) === "answers") return connection;
    }
    if (!hasOther(ownerFile) && claim(ownerFile)) return undefined;
    await sleep(100);
  }
  throw new Error(`Another process holds ${dataDir} but its database does not answer`);
}

/** Takes over a shared server when its owner has ended; the connections of this process stay good. */
function inherit(
  ownerFile: string,
  own: () => Promise<Owned>,
  log: (message: string) => void,
): Pick<Owned, "stop"> {
  let isStopping = false;
  let inherited: Promise<Owned | undefined> | undefined;
  const timer = setInterval(() => {
    if (inherited || isStopping || hasOther(ownerFile) || !claim(ownerFile)) return;
    log("the process that ran the database has ended; this one runs it now");
    inherited = own().catch((error: unknown) => {
      log(`the database does not start: ${error instanceof Error ? error.message : String(error)}`);
      inherited = undefined;
      return undefined;
    });
  }, heirMs);
  timer.unref();
  return {
    async stop() {
      isStopping = true;
      clearInterval(timer);
      await (await inherited)?.stop();
    },
  };
}

/** Takes over a server that outlived its supervisor; undefined when there is none, or none that may stay. */
async function adopt(cluster: Cluster, log: (message: string) => void): Promise<Running | undefined> {
  const deadline = Date.now() + recoveryMs;
  for (;;) {
    const found = await livingPostmaster(cluster.database);
    if (!found) return undefined;
    if (found.outdated) {
      await end(found.pid);
      return undefined;
    }
    const connection = connectionTo(cluster, found.host, found.port);
    if ((await knock(connection)) === "answers") {
      log(`adopted the running database (process ${String(found.pid)})`);
      return { pid: found.pid, connection };
    }
    if (Date.now() > deadline) throw new Error(unresponsive(cluster, found));
    await sleep(100);
  }
}

function unresponsive(cluster: Cluster, found: Postmaster): string {
  return `PostgreSQL (process ${String(found.pid)}) runs on ${cluster.database} but does not answer`;
}

/**
 * Starts PostgreSQL and waits until it answers. Directly after a kill the shared memory of the old server is
 * still in use and the new one exits at once: the start is then retried for 15 s.
 */
async function launch(cluster: Cluster, wanted?: Connection): Promise<Running> {
  const deadline = Date.now() + (clearLocks(cluster.database) ? lingerMs : 0);
  for (;;) {
    const connection = wanted ?? (await chooseAddress(cluster));
    const child = spawnServer(cluster, connection);
    if (await untilAnswers(child, connection)) return { pid: child.pid ?? 0, connection };
    if (Date.now() >= deadline) {
      const tail = readText(cluster.logFile)?.trim().split("\n").slice(-3).join(" | ");
      throw new Error(`PostgreSQL did not start: ${tail ?? "no log"} (${cluster.logFile})`);
    }
    await sleep(250);
  }
}

function spawnServer(cluster: Cluster, connection: Connection): ChildProcess {
  turnLog(cluster.logFile);
  const log = openSync(cluster.logFile, "a", 0o600);
  const child = start(
    cluster.account,
    join(cluster.engine, "bin", "postgres"),
    serverArguments(cluster, connection),
    { stdio: ["ignore", log, log], detached: true },
  );
  closeSync(log);
  child.on("error", () => undefined);
  child.unref();
  return child;
}

/** Keeps the current log and the previous one, each up to 8 MiB a start. */
function turnLog(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > 8 * 1024 * 1024) renameSync(path, `${path}.1`);
}

/** True when it answers, false when the process ended first. */
async function untilAnswers(child: ChildProcess, connection: Connection): Promise<boolean> {
  const deadline = Date.now() + recoveryMs;
  while (Date.now() < deadline) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return false;
    if ((await knock(connection)) === "answers") return true;
    await sleep(25);
  }
  throw new Error(`PostgreSQL has been recovering for ${String(recoveryMs / 1000)} s`);
}

/**
 * Whether the server accepts a connection. A refusal other than "starting up" or "connection refused" is
 * fatal.
 */
async function knock(connection: Connection): Promise<"answers" | "not yet"> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.end();
    return "answers";
  } catch (error) {
    void client.end().catch(() => undefined);
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // 28P01: wrong password. 3D000: no such database. Waiting repairs neither.
    if (code === "28P01" || code === "3D000") throw error;
    return "not yet";
  }
}

/**
 * Monitors the server and restarts it when it dies, so that ingest resumes without a restart of the platform.
 */
function keepRunning(
  cluster: Cluster,
  first: Running,
  log: (message: string) => void,
): { stop: () => Promise<void> } {
  let running = first;
  let isStopping = false;
  let restart: Promise<void> = Promise.resolve();
  const revive = async (): Promise<void> => {
    log("the database ended by itself; starting it again");
    try {
      running = await launch(cluster, first.connection);
      log(`the database answers again (process ${String(running.pid)})`);
    } catch (error) {
      log(`the database does not start: ${error instanceof Error ? error.message : String(error)}`);
      await sleep(1_000);
    }
  };
  let isBusy = false;
  const timer = setInterval(() => {
    if (isStopping || isBusy || isAlive(running.pid)) return;
    isBusy = true;
    restart = revive().finally(() => (isBusy = false));
  }, 250);
  timer.unref();
  const stop = async (): Promise<void> => {
    isStopping = true;
    clearInterval(timer);
    await restart;
    await end(running.pid);
  };
  return { stop };
}

/** Fast shutdown; after the time limit an immediate one, which costs a recovery at the next start. */
async function end(pid: number): Promise<void> {
  for (const [signal, patience] of [
    ["SIGINT", stopMs],
    ["SIGQUIT", 500],
    ["SIGKILL", 300],
  ] as const) {
    if (!isAlive(pid)) return;
    process.kill(pid, signal);
    const deadline = Date.now() + patience;
    while (isAlive(pid) && Date.now() < deadline) await sleep(20);
  }
}
