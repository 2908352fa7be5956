import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createSessions } from "#access/auth";
import {
  createBus,
  createLog,
  holdSecretsKey,
  migrate,
  openDatabase,
  startSchedules,
  systemClock,
  watchDisk,
  type Services,
} from "#core";
import { seedDemo, startClosing, startDemoPark } from "#platform/demo";
import { createFirstAdmin, demoPassword } from "#access/users";
import { buildApp, buildHealth, webFolder } from "./app.ts";
import { readConfig, type Config } from "./config.ts";
import { startEmbedded } from "./core/database/embedded/index.ts";
import { untilAnswered } from "./core/database/untilAnswered.ts";
import { createParts } from "./core/parts.ts";
import { requirePorts } from "./core/ports.ts";
import { giveUpRoot } from "./core/root.ts";
import { domains } from "./domains.ts";
import { createServices } from "./services.ts";

/** Time limit of an orderly stop: all parts together, then the embedded database. Under 5 s in total. */
const partsMs = 2_300;
const databaseMs = 2_300;
/** For each part after that time, so that dozens of them cannot use up that of the database. */
const latePartMs = 5;
/** How long a start waits for a connection: on a loaded machine its own parts take all of them for seconds. */
const startConnectMs = 120_000;
/** The same for the first connection, whose address may be wrong. */
const firstConnectMs = 30_000;
/** For the pool, whose statements are given up once a part was late. */
const poolMs = 200;
const databaseName = "database";
const poolName = "database pool";

const parts = createParts();
let isStopping = false;
let isStarted = false;
/** A part did not stop in time. */
let isLate = false;

async function start(): Promise<void> {
  const config = readConfig();
  const log = createLog(config.logLevel);
  for (const { requireSettings } of domains) requireSettings?.(config);
  await requirePorts(config);
  const { connection, note } = await startDatabase(config, log);
  const database = openDatabase({ ...connection, max: 20, connectionTimeoutMillis: startConnectMs });
  parts.add({
    name: poolName,
    stop: () => {
      // What is late fails from here on, which is no news: its name is logged.
      log.level = "silent";
      // A start that is stopped and a part that is late have statements under way, which the next start repeats.
      return isStarted && !isLate ? database.close() : database.abandon();
    },
  });
  parts.add({ name: "watch of the disk", stop: watchDisk(config.dataDir, log) });
  const patience = { log, advice: adviceFor(config), isStopped: () => isStopping };
  await untilAnswered(() => migrate(database.pool), patience);
  await untilAnswered(() => holdSecretsKey(database.system, config.dataDir), patience);
  const bus = createBus((error) => log.error({ err: error }, "a listener failed"));
  const services = createServices({ config, database, bus, clock: systemClock, log });

  const demoCompany = config.demo ? await untilAnswered(() => seedDemo(services), patience) : undefined;
  const owner = config.demo
    ? undefined
    : await untilAnswered(() => createFirstAdmin(services, { onlyIfNone: true }), patience);
  const where = await startRoles(services);
  await giveUpRoot(config, { log, folders: [import.meta.dirname, webFolder] });
  const park =
    demoCompany && config.roles.includes("broker") ? await startDemoPark(services, demoCompany) : undefined;
  if (park) parts.add({ name: "simulated meters", stop: park.stop });
  // It gives up connections that are slow to answer, as all are while a loaded machine starts.
  parts.add({ name: "watch of the database", stop: database.watch(log) });
  if (demoCompany && config.roles.includes("worker"))
    parts.add({ name: "closing of a month", stop: startClosing(services, demoCompany) });
  if (owner?.password !== undefined)
    process.stdout.write(
      `First account: ${owner.email}, password ${owner.password} (shown only this once)\n`,
    );
  isStarted = true;
  process.stdout.write(`${readyLine(config, where, park?.pid)}${note}\n`);
}

const adviceFor = ({ databaseUrl, dataDir }: Config): string =>
  databaseUrl === undefined
    ? `Start Metrum again when the machine has less to do: the start goes on where it was. Reasons of the database are in ${join(resolve(dataDir), "database.log")}.`
    : "Check that the server of METRUM_DATABASE_URL runs and accepts connections.";

async function startDatabase(
  config: Config,
  log: Services["log"],
): Promise<{ connection: { connectionString: string } | object; note: string }> {
  if (config.databaseUrl !== undefined) {
    const connection = { connectionString: config.databaseUrl };
    await requireDatabase(connection);
    return { connection, note: "" };
  }
  const starting = startEmbedded({ dataDir: config.dataDir, log: (message) => log.info(message) });
  parts.add({ name: databaseName, stop: async () => (await starting).stop() });
  const embedded = await starting;
  return { connection: embedded.connection, note: embedded.notice ? `; ${embedded.notice}` : "" };
}

/** Errors: Error that names the setting when the database cannot be reached or refuses the account. */
async function requireDatabase(connection: { connectionString: string }): Promise<void> {
  const database = openDatabase({ ...connection, max: 1, connectionTimeoutMillis: firstConnectMs });
  try {
    await database.pool.query("select 1");
  } catch (cause) {
    throw new Error("METRUM_DATABASE_URL: the database cannot be used", { cause });
  } finally {
    await database.close();
  }
}

/**
 * Starts the parts of every domain for the roles of this process; the API listens last. Returns the address
 * of the process.
 */
async function startRoles(services: Services): Promise<string> {
  const { config } = services;
  for (const domain of domains) {
    for (const role of ["worker", "broker"] as const)
      if (config.roles.includes(role) && domain[role])
        parts.add({ name: `${domain.name} ${role}`, stop: await domain[role](services) });
  }
  if (config.roles.includes("worker")) {
    const works = domains.flatMap(({ scheduled = [] }) => scheduled);
    parts.add({ name: "schedules", stop: startSchedules(services, works) });
  }
  if (!config.roles.includes("api")) return startHealth(services);
  const { fastify } = await buildApp(services, { resolveSession: createSessions(services), domains });
  for (const domain of domains)
    if (domain.api) parts.add({ name: `${domain.name} api`, stop: await domain.api(services, fastify) });
  const address = await fastify.listen({ host: config.host, port: config.port });
  parts.add({ name: "http", stop: () => fastify.close() });
  // Port 0 takes a free one, which no setting can name.
  return config.port === 0 ? address : config.publicUrl;
}

/** Returns the address of the health endpoints of this process. */
async function startHealth(services: Services): Promise<string> {
  const { host, healthPort, roles } = services.config;
  const fastify = buildHealth(services);
  const address = await fastify.listen({ host, port: healthPort });
  parts.add({ name: "health", stop: () => fastify.close() });
  return `as ${roles.join(" and ")}, health at ${address}`;
}

function readyLine(config: Config, where: string, parkPid: number | undefined): string {
  const parts = [`Metrum is ready: ${where}`];
  if (config.demo)
    parts.push(
      `demo accounts engineer@metrum.example, operator@metrum.example, dealer@metrum.example, admin@metrum.example (password ${demoPassword})`,
    );
  if (parkPid !== undefined) parts.push(`simulated meters run as process ${String(parkPid)}`);
  return parts.join("; ");
}

/**
 * Stops everything in reverse order. A hanging part is abandoned in time for the database, which is stopped
 * last and must not outlive the process.
 */
async function stop(signal: string): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  const log = createLog("info");
  const partsUntil = performance.now() + partsMs;
  await parts.stopAll(async ({ name, stop: end }) => {
    const isDatabase = name === databaseName;
    const least = name === poolName ? poolMs : latePartMs;
    const left = isDatabase ? databaseMs : Math.max(least, partsUntil - performance.now());
    const outcome = await Promise.race([
      end().then(() => "done", failure),
      sleep(left, "late", { ref: false }),
    ]);
    if (outcome === "done") return;
    isLate = true;
    log.error({ part: name, outcome, signal }, "a part did not stop in order");
  });
  process.exit(0);
}

const failure = (error: unknown): string => (error instanceof Error ? error.message : String(error));

process.on("SIGINT", () => void stop("SIGINT"));
process.on("SIGTERM", () => void stop("SIGTERM"));
process.on("SIGHUP", () => void stop("SIGHUP"));

start().catch(async (error: unknown) => {
  // A signal is already stopping what had started: what fails for that reason is no fault.
  if (isStopping) return;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof Error && error.cause instanceof Error)
    process.stderr.write(`${error.cause.message}\n`);
  isStopping = true;
  await parts.stopAll(({ stop: end }) => end().catch(() => undefined));
  process.exit(1);
});
