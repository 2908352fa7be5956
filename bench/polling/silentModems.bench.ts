import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createSessions } from "../../apps/server/src/access/auth/index.ts";
import { buildApp } from "../../apps/server/src/app.ts";
import { openDialogue } from "../../apps/server/src/testing/dialogue.ts";
import { startCluster } from "../cluster.ts";
import { atLeast, atMost, percentile, reported, type Bench, type Figure } from "../report.ts";
import type { DiallerState, DiallerTask } from "./silentModemsDialler.ts";

/**
 * `npm run bench -- silentModems 300 5` is a short form; the figures of security rule 4 are those of the
 * defaults.
 */
const count = Number(process.argv[3] ?? 10_000);
const silentSec = Number(process.argv[4] ?? 600);
/** Below the 500 new connections a second that the server takes. */
const perSec = 300;
const firstImei = 350_000_000_000_000;
const honestImei = firstImei + 1_000_000;
/** Longer than the silence, as required. */
const keepAliveSec = 2 * silentSec + 300;
const identitySec = 30;

export const bench: Bench = {
  title: `${String(count)} modems that named themselves and stay silent for ${String(silentSec)} s, and as many that never do`,
  async run() {
    const cluster = await startCluster();
    const services = {
      ...cluster.services,
      config: {
        ...cluster.services.config,
        deviceHost: "127.0.0.1",
        mqttPort: 0,
        modemPorts: [{ port: 0, profile: "imei", options: { keepalive: String(keepAliveSec) } }],
      },
    };
    await seed(services);
    const dialogue = await openDialogue(services);
    const { fastify } = await buildApp(services, { resolveSession: createSessions(services), domains: [] });
    await fastify.listen({ host: "127.0.0.1", port: 0 });
    const address = fastify.server.address();
    const health = `http://127.0.0.1:${String(typeof address === "object" ? address?.port : 0)}/healthz`;
    const port = dialogue.ports.modemPorts[0] ?? 0;
    try {
      return [...(await namedAndSilent(port, health)), ...(await nameless(port, health))];
    } finally {
      await fastify.close();
      await dialogue.stop();
      await cluster.stop();
    }
  },
};

type Services = Awaited<ReturnType<typeof startCluster>>["services"];

async function seed({ database }: Services): Promise<void> {
  await database.pool.query(
    `with made as (insert into company (path, name, timezone, active_modules)
        values ('b0'::ltree, 'Bench', 'Europe/Berlin', '[]') returning id)
      insert into gateway (company_id, model_id, interface_id, name, device_id)
      select made.id, 601, 1, 'Modem ' || n, ($1::bigint + n)::text from made,
        (select generate_series(0, $2::int - 1) as n union all select $3::bigint - $1::bigint) as each`,
    [firstImei, count, honestImei],
  );
}

async function namedAndSilent(port: number, health: string): Promise<Figure[]> {
  await healthMs(health, 2);
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const child = await dialler({ port, count, perSec, first: firstImei });
  await untilState(child, ({ opened, failed }) => opened + failed >= count);
  await sleep(3000);
  const samples = await healthMs(health, silentSec);
  globalThis.gc?.();
  const perModem = (process.memoryUsage().rss - before) / count;
  const { opened, closed } = await stateOf(child);
  const isServed = await honestIsServed(port);
  child.send("end");
  await sleep(3000);
  return [
    atLeast("modems connected after the silence", opened - closed, "", count),
    atMost("memory of one", perModem / 1024, "KiB", 32),
    atMost("health beside them, p99", percentile(samples, 0.99), "ms", 250),
    atLeast("honest modem let in", isServed ? 1 : 0, "", 1),
  ];
}

async function nameless(port: number, health: string): Promise<Figure[]> {
  const child = await dialler({ port, count, perSec, first: null });
  const samples = await healthMs(health, count / perSec + identitySec);
  await untilState(child, ({ closed, failed }) => closed + failed >= count);
  const state = await stateOf(child);
  child.send("end");
  return [
    atLeast("modems without a name closed", state.closed, "", count),
    atLeast("shortest life of one", state.shortestMs / 1000, "s", identitySec - 1),
    atMost("longest life of one", state.longestMs / 1000, "s", identitySec + 3),
    atMost("health beside them, p99", percentile(samples, 0.99), "ms", 250),
    reported("refused at the door", state.failed, ""),
  ];
}

/** A modem that connects late is admitted: the server keeps the connection after its identification. */
async function honestIsServed(port: number): Promise<boolean> {
  const socket = connect({ host: "127.0.0.1", port, localAddress: "127.0.0.4" });
  await once(socket, "connect");
  socket.write(String(honestImei));
  let isClosed = false;
  socket.on("close", () => (isClosed = true));
  await sleep(2000);
  socket.destroy();
  return !isClosed;
}

async function healthMs(health: string, seconds: number): Promise<number[]> {
  const samples: number[] = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
    const start = performance.now();
    const { status } = await fetch(health);
    if (status !== 200) throw new Error(`health answers ${String(status)}`);
    samples.push(performance.now() - start);
    await sleep(50);
  }
  return samples;
}

async function dialler(task: DiallerTask): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, "silentModemsDialler.ts"));
  await once(child, "message");
  child.send(task);
  return child;
}

/** Waits for a condition, with a minute of reserve. */
async function untilState(child: ChildProcess, isReached: (state: DiallerState) => boolean): Promise<void> {
  const end = performance.now() + (count / perSec) * 1000 + 60_000;
  while (performance.now() < end && !isReached(await stateOf(child))) await sleep(500);
}

async function stateOf(child: ChildProcess): Promise<DiallerState> {
  child.send("state");
  const [state] = (await once(child, "message")) as [DiallerState];
  return state;
}
