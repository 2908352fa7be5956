import type { ChildProcess } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { modelById } from "@metrum/catalogue";
import { issueMqttCredentials, type MqttCredentials } from "../apps/server/src/channels/index.ts";
import { openDatabase, type Database } from "../apps/server/src/core/index.ts";
import { startEmbedded } from "../apps/server/src/core/database/embedded/index.ts";
import { guard, type Guarded } from "./killsGuarded.ts";
import { startPublisher, type Publisher } from "./killsPublisher.ts";
import {
  endAll,
  freePort,
  kill,
  killKinds,
  startServer,
  type Installation,
  type KillKind,
} from "./killsServer.ts";
import { atMost, reported, type Bench, type Figure } from "./report.ts";

/** `npm run bench -- kills 3` kills three times. */
const kills = Number(process.argv[3] ?? 20);
const connections = 4;
const devicesEach = 5;
const modelId = 301;
/** How long after the first acknowledgement the next kill comes: at random within this. */
const calmMs = { least: 500, most: 3_000 };
const readyMs = 90_000;

export const bench: Bench = {
  title: `${String(kills)} random kills during ingest of numbered readings over MQTT, acknowledged after commit`,
  async run() {
    const dataDir = await mkdtemp(join(tmpdir(), "metrum-kills-"));
    await chmod(dataDir, 0o711);
    const [httpPort, mqttPort, modemPort] = await Promise.all([freePort(), freePort(), freePort()]);
    const at: Installation = { dataDir, httpPort, mqttPort, modemPort };
    const held: { server?: ChildProcess; guarded?: Guarded; publishers: Publisher[] } = { publishers: [] };
    try {
      held.server = await startServer(at);
      const seeded = await onDatabase(at, seed);
      const guarded = await onDatabase(at, guard);
      held.guarded = guarded;
      await guarded.start(await connectionOf(at));
      const base = Math.floor(Date.now() / 1000) - 30 * 86_400;
      for (let n = 0; n < connections; n++)
        held.publishers.push(
          startPublisher({
            url: `mqtt://127.0.0.1:${String(mqttPort)}`,
            credentials: seeded.credentials,
            devEuis: seeded.devEuis.slice(n * devicesEach, (n + 1) * devicesEach),
            base,
          }),
        );
      const waits = new Map<KillKind, Wait[]>(killKinds.map((kind) => [kind, []]));
      await flowing(held.publishers, 0);
      for (const kind of sequence(kills)) {
        await sleep(calmMs.least + Math.random() * (calmMs.most - calmMs.least));
        const killedMs = performance.now();
        guarded.kill();
        await kill(kind, held.server, at);
        if (kind !== "postmaster") held.server = await startServer(at);
        const readySec = (performance.now() - killedMs) / 1000;
        // With the database away nothing is acknowledged, so what is sent from here on tells when it is back.
        await flowing(held.publishers, performance.now());
        const flowingSec = (performance.now() - killedMs) / 1000;
        await guarded.start(await connectionOf(at));
        waits.get(kind)?.push({ readySec, flowingSec });
        console.log(
          `  ${kind}: ready after ${readySec.toFixed(1)} s, readings after ${flowingSec.toFixed(1)} s`,
        );
      }
      await Promise.all(held.publishers.map((each) => each.stop()));
      const verdict = await onDatabase(at, (database) => verify(database, held.publishers, base));
      return [...figuresOf(held.publishers, waits, verdict), ...guarded.figures()];
    } finally {
      held.guarded?.close();
      await endAll(held.server, at);
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

/** Seconds from a kill until the server said that it is ready, and until every connection has readings acknowledged. */
interface Wait {
  readonly readySec: number;
  readonly flowingSec: number;
}

/** Every kind as often as the others, in random order. */
function sequence(count: number): KillKind[] {
  const kinds = Array.from({ length: count }, (_, n) => killKinds[n % killKinds.length] ?? "server");
  return kinds
    .map((kind) => ({ kind, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ kind }) => kind);
}

/** Waits until every connection has an acknowledgement of something that it sent after this moment. */
async function flowing(publishers: readonly Publisher[], sinceMs: number): Promise<void> {
  while (!publishers.every((each) => each.youngestMs() > sinceMs)) {
    if (performance.now() - sinceMs > readyMs)
      throw new Error(`nothing was acknowledged for ${String(readyMs / 1000)} s on some connection`);
    await sleep(10);
  }
}

/** How the database of the running server is reached; it stays the server's. */
async function connectionOf({ dataDir }: Installation) {
  const { connection, isOwner } = await startEmbedded({ dataDir, log: () => undefined });
  if (isOwner) throw new Error("the server had gone");
  return connection;
}

async function onDatabase<Result>(
  at: Installation,
  run: (database: Database) => Promise<Result>,
): Promise<Result> {
  const connection = await connectionOf(at);
  const database = openDatabase({ ...connection, max: 2 });
  try {
    return await run(database);
  } finally {
    await database.close();
  }
}

interface Seeded {
  readonly devEuis: readonly string[];
  readonly credentials: MqttCredentials;
}

async function seed(database: Database): Promise<Seeded> {
  const model = modelById(modelId);
  if (model?.kind !== "meter") throw new Error("the catalogue has no SI-11");
  const devEuis = Array.from({ length: connections * devicesEach }, (_, n) =>
    (0xa1b2_0000_0000n + BigInt(n)).toString(16).padStart(16, "0"),
  );
  const { rows } = await database.pool.query<{ id: number }>(
    "insert into company (path, name, timezone, active_modules) values ('kills', 'Kills', 'Europe/Berlin', '[]') returning id",
  );
  const companyId = rows[0]?.id ?? 0;
  await database.pool.query(
    `insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
      select $1, $2, $3, 1, $4, 7, eui, eui from unnest($5::text[]) eui`,
    [companyId, modelId, model.title, model.deviceTypeId, devEuis],
  );
  return { devEuis, credentials: await issueMqttCredentials(database, companyId) };
}

interface Verdict {
  readonly stored: number;
  readonly lost: number;
  readonly doubled: number;
  readonly altered: number;
  readonly aside: number;
  /** Devices whose read models (days, newest reading) do not say what the messages say. */
  readonly astray: number;
}

async function verify(database: Database, publishers: readonly Publisher[], base: number): Promise<Verdict> {
  const { rows: stored } = await database.pool.query<{ eui: string; n: number; value: number | null }>(
    `select d."deviceID" as eui, (m.ts - $1)::int as n, m.v[array_position(s.fields, 'in1')] as value
      from message m join device d on d.id = m.device_id join field_set s on s.id = m.field_set_id where m.msg_type = 1`,
    [base],
  );
  const times = new Map<string, number>();
  for (const { eui, n } of stored)
    times.set(`${eui} ${String(n)}`, (times.get(`${eui} ${String(n)}`) ?? 0) + 1);
  const acknowledged = publishers.flatMap((each) =>
    [...each.acknowledged].flatMap(([eui, numbers]) => [...numbers].map((n) => `${eui} ${String(n)}`)),
  );
  const count = async (text: string): Promise<number> =>
    (await database.pool.query<{ n: number }>(text)).rows[0]?.n ?? Number.NaN;
  return {
    stored: stored.length,
    lost: acknowledged.filter((each) => !times.has(each)).length,
    doubled: [...times.values()].filter((each) => each > 1).length,
    altered:
      stored.filter(({ n, value }) => value !== n).length +
      (await count("select count(*)::int as n from message_revision where msg_type = 1")),
    aside: await count(
      "select (select count(*) from message_aside)::int + (select count(*) from uplink_aside)::int as n",
    ),
    astray: await count(
      `select count(*)::int as n from (
          select device_id, count(*) as n, max(ts) as last from message where msg_type = 1 group by device_id
        ) m
        left join (select device_id, sum(n) as n from reading_day where msg_type = 1 group by device_id) d using (device_id)
        left join (select device_id, ts from device_latest where msg_type = 1) l using (device_id)
        where d.n is distinct from m.n or l.ts is distinct from m.last`,
    ),
  };
}

function figuresOf(
  publishers: readonly Publisher[],
  waits: ReadonlyMap<KillKind, readonly Wait[]>,
  verdict: Verdict,
): Figure[] {
  const sum = (of: (each: Publisher) => number) => publishers.reduce((total, each) => total + of(each), 0);
  const acknowledged = sum((each) =>
    [...each.acknowledged.values()].reduce((total, numbers) => total + numbers.size, 0),
  );
  return [
    ...[...waits].flatMap(([kind, each]) => [
      reported(`kills of the ${kind}`, each.length, ""),
      ...(kind === "postmaster"
        ? []
        : [reported("  slowest start", Math.max(0, ...each.map((wait) => wait.readySec)), "s")]),
      reported("  slowest until readings flow", Math.max(0, ...each.map((wait) => wait.flowingSec)), "s"),
    ]),
    reported(
      "sent",
      sum((each) => each.sent()),
      "readings",
    ),
    reported(
      "  sent again, as not acknowledged",
      sum((each) => each.repeated()),
      "readings",
    ),
    reported("acknowledged", acknowledged, "readings"),
    reported("stored", verdict.stored, "readings"),
    atMost("lost", verdict.lost, "readings", 0),
    atMost("doubled", verdict.doubled, "readings", 0),
    atMost("altered", verdict.altered, "readings", 0),
    atMost("put aside", verdict.aside, "readings", 0),
    atMost("devices whose days or newest reading differ", verdict.astray, "devices", 0),
  ];
}
