import { fork } from "node:child_process";
import { join } from "node:path";
import { issueMqttCredentials } from "../../apps/server/src/headend/channels/index.ts";
import { createConnectionLimiter } from "../../apps/server/src/headend/channels/bounds.ts";
import { startBroker } from "../../apps/server/src/headend/channels/mqtt/broker.ts";
import { accountOf } from "../../apps/server/src/headend/channels/mqtt/accounts.ts";
import { takeMqttMessage } from "../../apps/server/src/headend/uplinks/index.ts";
import { startCluster } from "../cluster.ts";
import { postmasterOf } from "../failures/killsServer.ts";
import { meterProcesses, type Use } from "../processUse.ts";
import { atLeast, reported, type Bench, type Figure } from "../report.ts";
import type { PublisherResult, PublisherTask } from "./uplinksPublisher.ts";

const devices = 10_000;
const connections = 40;
/** Maximum that the broker permits a client. */
const inFlight = 100;
const each = 2_500;
const wanted = 11_000;
const base = Date.UTC(2026, 4, 4) / 1000;

export const bench: Bench = {
  title:
    "uplinks a second through MQTT QoS 1, decode and store, each acknowledged after COMMIT; publisher on the same machine",
  async run() {
    const cluster = await startCluster();
    const { services } = cluster;
    const { database, clock, log } = services;
    const { companyId, devEuis } = await seed(database.pool);
    const { username, password, prefix } = await issueMqttCredentials(database, companyId);
    const broker = await startBroker({
      onRefused: () => undefined,
      host: "127.0.0.1",
      port: 0,
      clock,
      log,
      limiter: createConnectionLimiter(clock),
      authenticate: (name, secret) => accountOf(database, name, secret),
      onMessage: (message) => takeMqttMessage(services, message),
      pause: database.pause,
    });
    const publisher = fork(join(import.meta.dirname, "uplinksPublisher.ts"));
    try {
      const task = { port: broker.port, username, password, prefix, devEuis, connections, inFlight };
      await ask(publisher, { ...task, each: 250, base: base - 86_400 * 10 });
      const meters = {
        server: meterProcesses(() => process.pid),
        database: meterProcesses(() => postmasterOf(cluster)),
        publisher: meterProcesses(() => publisher.pid),
      };
      Object.values(meters).forEach((meter) => meter());
      const result = await ask(publisher, { ...task, each, base });
      const share = (use: Use): number => (use.cpuSec * 1000) / result.tookMs;
      const made = { database: share(meters.database()), publisher: share(meters.publisher()) };
      // Both are children of this process, which is the server.
      const server = share(meters.server()) - made.publisher - made.database;
      return await summed(database.pool, result, { server, ...made });
    } finally {
      publisher.kill();
      await broker.stop();
      await cluster.stop();
    }
  },
};

type Pool = Awaited<ReturnType<typeof startCluster>>["services"]["database"]["pool"];

/**
 * Processor usage of each process during the run: the machine is saturated when they add up to its
 * processors.
 */
interface Shares {
  readonly server: number;
  readonly database: number;
  readonly publisher: number;
}

async function summed(pool: Pool, result: PublisherResult, shares: Shares): Promise<Figure[]> {
  const { rows } = await pool.query<{ readings: number; logged: number }>(
    `select (select count(*)::int from message where ts >= $1) as readings,
      (select count(*)::int from poll_log where kind = 3) as logged`,
    [base],
  );
  const stored = rows[0] ?? { readings: 0, logged: 0 };
  return [
    atLeast("acknowledged a second", (result.acknowledged * 1000) / result.tookMs, "uplinks/s", wanted),
    reported("from sending to acknowledgement, p50", result.p50Ms, "ms"),
    reported("from sending to acknowledgement, p99", result.p99Ms, "ms"),
    ...(["server", "database", "publisher"] as const).flatMap((who) => [
      reported(`processors, ${who}`, shares[who], ""),
      reported(`a single uplink, ${who}`, (shares[who] * result.tookMs * 1000) / result.acknowledged, "µs"),
    ]),
    atLeast("readings in the store", stored.readings, "rows", result.acknowledged),
    atLeast("exchanges in the log", stored.logged, "rows", result.acknowledged),
  ];
}

async function seed(pool: Pool): Promise<{ companyId: number; devEuis: string[] }> {
  const { rows: companies } = await pool.query<{ id: number }>(
    `insert into company (path, name, timezone, active_modules)
      values ('b0'::ltree, 'Bench', 'Europe/Berlin', '[]') returning id`,
  );
  const companyId = companies[0]?.id ?? 0;
  const { rows } = await pool.query<{ deviceID: string }>(
    `insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, place, "deviceID")
      select $1, 301, 'SI-11 (water)', 1, 1, 1, 'Meter ' || n, 'House ' || n % 977, lpad(to_hex(n), 16, '0')
      from generate_series(1, $2::int) n returning "deviceID"`,
    [companyId, devices],
  );
  await pool.query("vacuum analyze");
  return { companyId, devEuis: rows.map((row) => row.deviceID) };
}

function ask(publisher: ReturnType<typeof fork>, task: PublisherTask): Promise<PublisherResult> {
  return new Promise((resolve, reject) => {
    publisher.once("message", (result) => resolve(result as PublisherResult));
    publisher.once("exit", () => reject(new Error("the publisher ended")));
    publisher.send(task);
  });
}
