import type { ChildProcess } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase, type Database } from "../../apps/server/src/core/index.ts";
import { startEmbedded } from "../../apps/server/src/core/database/embedded/index.ts";
import { guard, type Guarded } from "./killsGuarded.ts";
import { startPolled, untilPolled, type Polled } from "./killsPolls.ts";
import { startPublisher, type Publisher } from "./killsPublisher.ts";
import { seedNumbered, type Numbered } from "./killsSeed.ts";
import {
  buildProduct,
  endAll,
  freePort,
  killDatabase,
  killProcesses,
  startServer,
  type Installation,
} from "./killsServer.ts";
import { startDatagrams, startPushes } from "./killsSockets.ts";
import { verify, type Verdict } from "./killsVerdict.ts";
import { atMost, reported, type Bench, type Figure } from "../report.ts";

/** `npm run bench -- kills 4` kills four times. */
const kills = Number(process.argv[3] ?? 20);
const connections = 4;
const devicesEach = 5;
const socketDevices = 3;
/** Random delay of the next kill after everything works again, up to this. */
const calmMs = { least: 500, most: 3_000 };
const readyMs = 180_000;
/** Work of a killed process must continue within this time. */
const goesOnSec = 60;

/**
 * Victims. server: the process with the API and the planner, which runs the database. broker: one of the two
 * processes that hold ports and lines; it stays dead until the other one has taken over its work. tree:
 * everything at once, as in a power failure. postmaster: the main process of the database. The embedded
 * broker is in the processes with the role broker.
 */
const killKinds = ["server", "broker", "tree", "postmaster"] as const;
type KillKind = (typeof killKinds)[number];

/**
 * The processes of the installation: one with API and planner, two with ports and lines; the publishers
 * connect to the first of these.
 */
interface Held {
  server: ChildProcess | undefined;
  readonly brokers: (ChildProcess | undefined)[];
  readonly publishers: Publisher[];
  guarded?: Guarded;
  polled?: Polled;
}

export const bench: Bench = {
  title: `${String(kills)} random kills during ingest of numbered readings over MQTT, UDP and HTTP, polls, and a meter with counters`,
  async run() {
    await buildProduct();
    const dataDir = await mkdtemp(join(tmpdir(), "metrum-kills-"));
    await chmod(dataDir, 0o711);
    const places = await placesIn(dataDir);
    const held: Held = { server: undefined, brokers: [], publishers: [] };
    try {
      held.server = await startServer(places.server, "api,worker");
      const seeded = await onDatabase(places.server, (database) =>
        seedNumbered(database, { byMqtt: connections * devicesEach, bySockets: socketDevices }),
      );
      for (const [at, place] of places.brokers.entries())
        held.brokers[at] = await startServer(place, "worker,broker");
      const base = Math.floor(Date.now() / 1000) - 30 * 86_400;
      await startWork(held, { places, seeded, base });
      const waits = new Map<KillKind, Wait[]>(killKinds.map((kind) => [kind, []]));
      for (const kind of sequence(kills)) waits.get(kind)?.push(await strike(kind, held, places));
      await Promise.all(held.publishers.map((each) => each.stop()));
      const verdict = await onDatabase(places.server, (database) => verify(database, held.publishers, base));
      return [...figuresOf(held.publishers, waits, verdict), ...(held.guarded?.figures() ?? [])];
    } finally {
      held.guarded?.close();
      await held.polled?.stop();
      await endAll(processesOf(held), places.server);
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

interface Places {
  readonly server: Installation;
  readonly brokers: readonly Installation[];
}

async function placesIn(dataDir: string): Promise<Places> {
  const [httpPort = 0, udpPort = 0, ...ports] = await Promise.all(Array.from({ length: 8 }, freePort));
  const place = (at: number) => ({
    dataDir,
    isBuilt: true as const,
    httpPort,
    mqttPort: ports[at] ?? 0,
    modemPort: ports[at + 1] ?? 0,
  });
  return { server: place(0), brokers: [{ ...place(2), udpPort }, place(4)] };
}

const processesOf = ({ server, brokers }: Held): ChildProcess[] =>
  [...brokers, server].flatMap((each) => each ?? []);

async function startWork(
  held: Held,
  { places, seeded, base }: { readonly places: Places; readonly seeded: Numbered; readonly base: number },
): Promise<void> {
  const [first] = places.brokers;
  if (!first) throw new Error("there is no process with ports");
  held.guarded = await onDatabase(places.server, guard);
  await held.guarded.start(await connectionOf(places.server));
  held.polled = await onDatabase(places.server, (database) =>
    startPolled(database, { companyId: seeded.companyId, modemPort: first.modemPort }),
  );
  const url = `mqtt://127.0.0.1:${String(first.mqttPort)}`;
  for (let n = 0; n < connections; n++)
    held.publishers.push(
      startPublisher({
        url,
        credentials: seeded.credentials,
        devEuis: seeded.byMqtt.slice(n * devicesEach, (n + 1) * devicesEach),
        base,
      }),
    );
  held.publishers.push(startDatagrams(first.udpPort ?? 0, { devices: seeded.byUdp, base }));
  held.publishers.push(await startPushes(places.server.httpPort, { devices: seeded.byHttp, base }));
  await allWorks(held, places, { atMs: performance.now(), at: Date.now() });
}

/** The time of a kill, by both clocks. */
interface Moment {
  readonly atMs: number;
  readonly at: number;
}

const secondsSince = ({ atMs }: Moment): number => (performance.now() - atMs) / 1000;

/**
 * Seconds from a kill until the restarted process was ready, until every publisher has readings acknowledged,
 * and until every meter was read.
 */
interface Wait {
  readonly readySec: number;
  readonly flowingSec: number;
  readonly polledSec: number;
}

async function strike(kind: KillKind, held: Held, places: Places): Promise<Wait> {
  await sleep(calmMs.least + Math.random() * (calmMs.most - calmMs.least));
  const moment = { atMs: performance.now(), at: Date.now() };
  held.guarded?.kill();
  const { readySec, takenSec } = await killAndStart(kind, held, places, moment);
  const connection = await connectionOf(places.server);
  const [{ flowingSec, polledSec }] = await Promise.all([
    allWorks(held, places, moment),
    held.guarded?.start(connection),
  ]);
  const wait = { readySec, flowingSec, polledSec: takenSec ?? polledSec };
  console.log(
    `  ${kind}: ready after ${wait.readySec.toFixed(1)} s, readings after ${wait.flowingSec.toFixed(1)} s, meters read after ${wait.polledSec.toFixed(1)} s`,
  );
  return wait;
}

/** `takenSec`: when the other process had read the meters of a killed one, which stays dead until then. */
async function killAndStart(
  kind: KillKind,
  held: Held,
  places: Places,
  moment: Moment,
): Promise<{ readySec: number; takenSec?: number }> {
  if (kind === "postmaster") {
    killDatabase(places.server, false);
    return { readySec: 0 };
  }
  if (kind === "broker") {
    const which = Math.floor(Math.random() * held.brokers.length);
    await killProcesses([held.brokers[which] ?? []].flat());
    const meters = held.polled?.behindConverters ?? [];
    await onDatabase(places.server, (database) => untilPolled(database, meters, moment.at));
    const takenSec = secondsSince(moment);
    const againMs = performance.now();
    held.brokers[which] = await startServer(placeOf(places, which), "worker,broker");
    return { readySec: (performance.now() - againMs) / 1000, takenSec };
  }
  if (kind === "tree") killDatabase(places.server, true);
  await killProcesses(kind === "tree" ? processesOf(held) : [held.server ?? []].flat());
  held.server = await startServer(places.server, "api,worker");
  const readySec = secondsSince(moment);
  if (kind === "tree")
    await Promise.all(
      places.brokers.map(async (place, which) => {
        held.brokers[which] = await startServer(place, "worker,broker");
      }),
    );
  return { readySec };
}

function placeOf({ brokers }: Places, which: number): Installation {
  const place = brokers[which];
  if (!place) throw new Error("there is no such process");
  return place;
}

/**
 * Waits until every publisher has an acknowledgement of a message sent after this time, and every meter was
 * read after it.
 */
async function allWorks(
  { publishers, polled }: Held,
  places: Places,
  moment: Moment,
): Promise<{ flowingSec: number; polledSec: number }> {
  const flowing = async (): Promise<number> => {
    // While the database is unavailable nothing is acknowledged, so messages sent from here on show when it
    // is back.
    const sinceMs = performance.now();
    while (!publishers.every((each) => each.youngestMs() > sinceMs)) {
      if (performance.now() - sinceMs > readyMs)
        throw new Error(`nothing was acknowledged for ${String(readyMs / 1000)} s on some connection`);
      await sleep(10);
    }
    return secondsSince(moment);
  };
  const meters = [...(polled?.behindConverters ?? []), ...(polled?.behindModems ?? [])];
  const polls = onDatabase(places.server, (database) => untilPolled(database, meters, moment.at));
  const [flowingSec, polledSec] = await Promise.all([flowing(), polls.then(() => secondsSince(moment))]);
  return { flowingSec, polledSec };
}

/** Every kind equally often, in random order. */
function sequence(count: number): KillKind[] {
  const kinds = Array.from({ length: count }, (_, n) => killKinds[n % killKinds.length] ?? "server");
  return kinds
    .map((kind) => ({ kind, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ kind }) => kind);
}

/** Connection of the running server's database, which stays owned by the server. */
async function connectionOf({ dataDir }: Installation) {
  const { connection, isOwner, stop } = await startEmbedded({ dataDir, log: () => undefined });
  if (isOwner) throw new Error("the server had gone");
  // Only the killed product brings it back, this process does not inherit it.
  await stop();
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
      atMost(
        kind === "broker"
          ? "  slowest until the other process reads its meters"
          : "  slowest until meters are read",
        Math.max(0, ...each.map((wait) => wait.polledSec)),
        "s",
        goesOnSec,
      ),
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
