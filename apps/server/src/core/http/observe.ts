import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { pendingMigrations } from "../database/migrate.ts";
import { diskSpace, isOutOfSpace } from "../storage.ts";
import type { Services } from "./context.ts";

/** Longest wait for the database before this process reports itself as not ready. */
const readyWithinMs = 2_000;
/** Gauges of the library with the name of a counter; each is the sum of a gauge that stays. */
const misnamed = ["handles", "requests", "resources"].map((of) => `nodejs_active_${of}_total`);

/**
 * `/healthz`: the process is alive. `/readyz`: it can serve. `/metrics`: Prometheus; no names, addresses or
 * readings.
 */
export function observe(fastify: FastifyInstance, services: Services): void {
  const { config, database, metrics } = services;
  const mayRead = metricsReader(config.metricsToken);
  const register = new Registry();
  collectDefaultMetrics({ register });
  for (const name of misnamed) register.removeSingleMetric(name);
  measureStorage(register, services);
  const seconds = new Histogram({
    name: "metrum_http_request_seconds",
    help: "Time to answer, by route and status",
    labelNames: ["method", "route", "status"] as const,
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 1, 5],
    registers: [register],
  });
  fastify.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "none";
    seconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
  fastify.get("/healthz", { schema: { hide: true } }, () => ({ status: "ok" }));
  fastify.get("/readyz", { schema: { hide: true } }, async (_, reply) => {
    const reason = isOutOfSpace(services) ? "storage full" : await notReady(database.pool);
    if (reason === undefined) return { status: "ready" };
    return reply.code(503).header("retry-after", "5").send({ status: reason });
  });
  fastify.get("/metrics", { schema: { hide: true } }, async (request, reply) => {
    if (!mayRead(request)) {
      reply.callNotFound();
      return reply;
    }
    reply.type(register.contentType);
    return reply.send((await register.metrics()) + (await metrics.text()));
  });
}

/** Space is that of the data directory; a disk that cannot be read has no figure. */
function measureStorage(register: Registry, services: Services): void {
  const add = (name: string, help: string, read: () => number | undefined): void => {
    new Gauge({
      name,
      help,
      registers: [register],
      collect() {
        const value = read();
        if (value === undefined) this.reset();
        else this.set(value);
      },
    });
  };
  const space = () => diskSpace(services.config.dataDir);
  add("metrum_disk_free_bytes", "Free space of the data directory", () => space()?.freeBytes);
  add("metrum_disk_total_bytes", "Size of the disk of the data directory", () => space()?.totalBytes);
  add("metrum_storage_full", "1 while nothing can be stored for lack of space", () =>
    Number(isOutOfSpace(services)),
  );
}

/**
 * Call counts are for the operator of the installation. With a token only who sends it reads them; without one only a
 * collector on this machine, and never through a proxy, which sends one of these headers.
 */
function metricsReader(token: string | undefined): (request: FastifyRequest) => boolean {
  if (token === undefined) return isOwnMachine;
  const wanted = digest(`Bearer ${token}`);
  return ({ headers }) => timingSafeEqual(digest(headers.authorization ?? ""), wanted);
}

const forwarding = [
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "forwarded",
  "via",
];

function isOwnMachine({ ip, headers }: FastifyRequest): boolean {
  const isForwarded = forwarding.some((name) => headers[name] !== undefined);
  return !isForwarded && /^(::ffff:)?127\.|^::1$/.test(ip);
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

async function notReady(pool: Services["database"]["pool"]): Promise<string | undefined> {
  let late: NodeJS.Timeout | undefined;
  const tooLate = new Promise<"database away">((resolve) => {
    late = setTimeout(resolve, readyWithinMs, "database away");
  });
  const check = pendingMigrations(pool)
    .then((pending) => (pending.length === 0 ? undefined : "migrations pending"))
    .catch(() => "database away");
  return Promise.race([check, tooLate]).finally(() => clearTimeout(late));
}
