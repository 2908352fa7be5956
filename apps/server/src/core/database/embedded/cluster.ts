import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, chown, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { totalmem } from "node:os";
import { join } from "node:path";
import type { Account, Place } from "./account.ts";
import { engineFor } from "./engine.ts";
import { execute } from "./execute.ts";

/**
 * How a PostgreSQL client reaches the embedded server; `host` is the directory of its socket or 127.0.0.1.
 */
export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** Everything that is fixed for a data directory. */
export interface Cluster {
  readonly database: string;
  readonly logFile: string;
  readonly password: string;
  /** Undefined: a cluster of an older version, in which it is the password of the role. */
  readonly superuserPassword: string | undefined;
  readonly account: Account;
  readonly settings: Readonly<Record<string, string>>;
  /** Directory with `bin/postgres`. */
  readonly engine: string;
}

/** Who has the password of the server's role cannot become superuser with it. */
export const superuserPasswordFile = "database.superuser.password";

/** `sun_path` holds 108 bytes with the closing zero (104 on macOS). */
const longestSocketPath = process.platform === "linux" ? 107 : 103;
const defaultPort = 5432;
const megabyte = 1024 * 1024;

/** Acknowledged means committed: these settings cannot be overridden by a caller. */
const durability = { fsync: "on", full_page_writes: "on", synchronous_commit: "on" };

/**
 * Sized for a small machine: two cores, memory shared with Node. `max_wal_size` keeps recovery after a kill
 * below 10 s.
 */
function defaultSettings(): Record<string, string> {
  const memory = totalmem() / megabyte;
  const share = (part: number, least: number, most: number): string =>
    `${String(Math.round(Math.min(most, Math.max(least, memory * part))))}MB`;
  return {
    ...durability,
    shared_buffers: share(1 / 8, 64, 1024),
    effective_cache_size: share(1 / 2, 256, 16_384),
    work_mem: "16MB",
    maintenance_work_mem: share(1 / 32, 32, 256),
    max_connections: "100",
    max_wal_size: "1GB",
    min_wal_size: "256MB",
    wal_buffers: "16MB",
    random_page_cost: "1.1",
    jit: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    log_checkpoints: "off",
    // The roles that migrations create are used through `set role`.
    createrole_self_grant: "set,inherit",
  };
}

/** Prepares the files: account, engine, password, and at first start the cluster itself. */
export async function prepareCluster(
  dataDir: string,
  place: Place,
  settings: Readonly<Record<string, string>>,
): Promise<Cluster> {
  const database = join(place.directory, "database");
  const isThere = existsSync(database);
  const password = await readPassword(join(dataDir, "database.password"), isThere);
  const superuserFile = join(dataDir, superuserPasswordFile);
  const isSeparate = !isThere || existsSync(superuserFile);
  const engine = await engineFor(place);
  const cluster = {
    database,
    logFile: join(dataDir, "database.log"),
    password,
    superuserPassword: isSeparate ? await readPassword(superuserFile, isThere) : undefined,
    account: place.account,
    settings: { ...defaultSettings(), ...settings },
    engine,
  };
  if (isThere) await giveTo(database, place.account);
  else await initialise(cluster, place.directory);
  return cluster;
}

export async function readPassword(path: string, mustExist: boolean): Promise<string> {
  if (existsSync(path)) return (await readFile(path, "utf8")).trim();
  if (mustExist) throw new Error(`${path} is missing: the database cannot be opened without its password`);
  const password = randomBytes(24).toString("base64url");
  await writeFile(path, `${password}\n`, { mode: 0o600, flag: "wx" });
  return password;
}

/** The cluster gets its name only when it is complete, so a kill at any moment leaves none or a whole one. */
async function initialise(cluster: Cluster, directory: string): Promise<void> {
  const unfinished = `${cluster.database}.new`;
  const passwordFile = join(directory, "database.initial");
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await rm(passwordFile, { force: true });
  await writeFile(passwordFile, cluster.superuserPassword ?? cluster.password, { mode: 0o600, flag: "wx" });
  await giveTo(unfinished, cluster.account);
  await giveTo(passwordFile, cluster.account);
  const locale = ["-E", "UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
  const access = ["-U", "postgres", "--auth=scram-sha-256", `--pwfile=${passwordFile}`];
  const sync = cluster.settings["fsync"] === "off" ? ["--no-sync"] : [];
  try {
    await must(cluster, "initdb", ["-D", unfinished, ...locale, ...access, ...sync]);
  } finally {
    await rm(passwordFile, { force: true });
  }
  // Single-user mode: the application's role and database exist before any client can connect. The role is no
  // superuser, so what works here also works on a database provided by the user.
  await must(
    cluster,
    "postgres",
    ["--single", "-j", "-D", unfinished, ...flags({ fsync: cluster.settings["fsync"] ?? "on" }), "postgres"],
    `create role metrum login createrole password '${cluster.password}';\n\ncreate database metrum owner metrum;\n\n`,
  );
  await rename(unfinished, cluster.database);
}

async function must(cluster: Cluster, program: string, args: string[], input = ""): Promise<void> {
  const { code, text } = await execute(cluster.account, join(cluster.engine, "bin", program), args, input);
  if (code !== 0 || /^(FATAL|ERROR|PANIC):/m.test(text))
    throw new Error(`PostgreSQL ${program} failed (${String(code)}): ${text.trim().slice(-800)}`);
}

/** PostgreSQL insists that its user owns the directory; the account may have changed since the last start. */
async function giveTo(path: string, account: Account): Promise<void> {
  if (account.kind === "self") return;
  const [uid, gid] = account.kind === "user" ? [account.uid, account.gid] : [0, 0];
  const about = await lstat(path);
  if (about.uid === uid || about.isSymbolicLink()) return;
  if (about.isDirectory()) for (const name of await readdir(path)) await giveTo(join(path, name), account);
  await chown(path, uid, gid);
  if (about.isDirectory()) await chmod(path, 0o700);
}

function flags(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/**
 * Address of the next start: a socket in the data directory, or a free port of loopback when its path would
 * be too long.
 */
export async function chooseAddress(cluster: Cluster): Promise<Connection> {
  const path = join(cluster.database, `.s.PGSQL.${String(defaultPort)}`);
  if (Buffer.byteLength(path) <= longestSocketPath)
    return connectionTo(cluster, cluster.database, defaultPort);
  return connectionTo(cluster, "127.0.0.1", await freePort());
}

export function connectionTo(cluster: { readonly password: string }, host: string, port: number): Connection {
  return { host, port, user: "metrum", password: cluster.password, database: "metrum" };
}

export function serverArguments(cluster: Cluster, at: Connection): string[] {
  const isSocket = at.host.startsWith("/");
  return [
    "-D",
    cluster.database,
    ...flags({
      ...cluster.settings,
      listen_addresses: isSocket ? "" : at.host,
      unix_socket_directories: isSocket ? at.host : "",
      port: String(at.port),
    }),
  ];
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
