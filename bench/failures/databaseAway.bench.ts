import type { ChildProcess } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { devices } from "@metrum/contract/metering";
import { openDatabase, type Database } from "../../apps/server/src/core/index.ts";
import { openTakenAway, type TakenAway, type Way } from "./databaseAwayWays.ts";
import { askRepeatedly, type Asking } from "./asking.ts";
import { startPolled, untilPolled, type Polled } from "./killsPolls.ts";
import { startPublisher, type Publisher } from "./killsPublisher.ts";
import { seedNumbered, type Numbered } from "./killsSeed.ts";
import { buildProduct, endAll, freePort, startServer, type Installation } from "./killsServer.ts";
import { signIn, startDatagrams, startPushes } from "./killsSockets.ts";
import { verify, type Verdict } from "./killsVerdict.ts";
import { atLeast, atMost, reported, type Bench, type Figure } from "../report.ts";

/**
 * `npm run bench -- databaseAway 10 black` makes the database unavailable for 10 s, in the ways with this
 * name prefix.
 */
const awaySec = Number(process.argv[3] ?? 60);
const wanted = process.argv[4] ?? "";
const connections = 2;
const devicesEach = 5;
const socketDevices = 3;
/** Everything must run before the database becomes unavailable. */
const readyMs = 60_000;
const calmMs = 5_000;
/** Limits of the rules. */
const refusedSec = 5;
const backSec = 2;
/**
 * One line that the database is unavailable, one with the reason, one that it is back, and one that the
 * process number was lost meanwhile.
 */
const linesAMinute = 4;

interface Running {
  /** Senders of readings, by transport. */
  readonly senders: ReadonlyMap<string, Publisher>;
  readonly asking: Asking;
  readonly polled: Polled;
  readonly database: Database;
  readonly lines: string[];
}

export const bench: Bench = {
  title: `the database away for ${String(awaySec)} s in each of four ways, during ingest over MQTT, UDP and HTTP, polls and calls`,
  async run() {
    await buildProduct();
    const dataDir = await mkdtemp(join(tmpdir(), "metrum-away-"));
    await chmod(dataDir, 0o711);
    const taken = await openTakenAway(join(dataDir, "d"));
    const held: { server?: ChildProcess; asking?: Asking; polled?: Polled } = {};
    const lines: string[] = [];
    const at = await placeOf(dataDir, taken, lines);
    const database = openDatabase({ ...taken.connection, max: 2 });
    try {
      held.server = await startServer(at);
      const base = Math.floor(Date.now() / 1000) - 30 * 86_400;
      const seeded = await seedNumbered(database, {
        byMqtt: connections * devicesEach,
        bySockets: socketDevices,
      });
      held.polled = await startPolled(database, { companyId: seeded.companyId, modemPort: at.modemPort });
      const senders = await startSenders(at, seeded, base);
      held.asking = askRepeatedly({
        port: at.httpPort,
        token: await signIn(`http://127.0.0.1:${String(at.httpPort)}/api`),
        path: `/api/${devices.list.path}`,
      });
      const running: Running = { senders, asking: held.asking, polled: held.polled, database, lines };
      const figures: Figure[] = [];
      for (const way of taken.ways.filter(({ name }) => name.startsWith(wanted)))
        figures.push(...(await takeAway(way, running)));
      const publishers = [...senders.values()];
      await Promise.all(publishers.map((each) => each.stop()));
      return [...figures, ...verdictOf(publishers, await verify(database, publishers, base))];
    } catch (error) {
      for (const line of lines.slice(-20)) console.log(`    ${line.slice(0, 300)}`);
      throw error;
    } finally {
      held.asking?.stop();
      await held.polled?.stop();
      await endAll(held.server, at);
      await database.close();
      await taken.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

async function placeOf(dataDir: string, taken: TakenAway, lines: string[]): Promise<Installation> {
  const [httpPort = 0, mqttPort = 0, modemPort = 0, udpPort = 0] = await Promise.all(
    Array.from({ length: 4 }, freePort),
  );
  return {
    dataDir: join(dataDir, "server"),
    isBuilt: true,
    ...{ httpPort, mqttPort, modemPort, udpPort },
    databaseUrl: taken.url,
    onLog: (line) => void lines.push(line),
  };
}

async function startSenders(
  { mqttPort, udpPort, httpPort }: Installation,
  { byMqtt, byUdp, byHttp, credentials }: Numbered,
  base: number,
): Promise<Map<string, Publisher>> {
  const url = `mqtt://127.0.0.1:${String(mqttPort)}`;
  const overMqtt = Array.from({ length: connections }, (_, n) => {
    const devEuis = byMqtt.slice(n * devicesEach, (n + 1) * devicesEach);
    return [`MQTT ${String(n + 1)}`, startPublisher({ url, credentials, devEuis, base })] as const;
  });
  return new Map([
    ...overMqtt,
    ["HTTP", await startPushes(httpPort, { devices: byHttp, base })],
    ["UDP", startDatagrams(udpPort ?? 0, { devices: byUdp, base })],
  ]);
}

const acknowledgedBy = ({ acknowledged }: Publisher): number =>
  [...acknowledged.values()].reduce((total, numbers) => total + numbers.size, 0);

/** Milliseconds from now until each sender has another reading acknowledged. */
async function untilEachFlows(
  senders: ReadonlyMap<string, Publisher>,
  sinceMs: number,
): Promise<ReadonlyMap<string, number>> {
  const before = new Map([...senders].map(([name, each]) => [name, acknowledgedBy(each)]));
  const after = new Map<string, number>();
  while (after.size < senders.size) {
    const nowMs = performance.now();
    if (nowMs - sinceMs > readyMs) throw new Error(`only ${[...after.keys()].join()} go on`);
    for (const [name, each] of senders)
      if (!after.has(name) && acknowledgedBy(each) > (before.get(name) ?? 0))
        after.set(name, nowMs - sinceMs);
    await sleep(5);
  }
  return after;
}

async function allPolled({ polled, database }: Running): Promise<number> {
  const [began, beganMs] = [Date.now(), performance.now()];
  await untilPolled(database, [...polled.behindConverters, ...polled.behindModems], began);
  return performance.now() - beganMs;
}

async function takeAway(way: Way, running: Running): Promise<Figure[]> {
  const { senders, asking, lines } = running;
  await Promise.all([untilEachFlows(senders, performance.now()), allPolled(running)]);
  await sleep(calmMs);
  console.log(`  ${way.name}: taken away`);
  const linesBefore = lines.length;
  const takenMs = performance.now();
  await way.take();
  await sleep(awaySec * 1000 - (performance.now() - takenMs));
  await way.giveBack();
  const backMs = performance.now();
  const [flows, polledMs] = await Promise.all([untilEachFlows(senders, backMs), allPolled(running)]);
  await sleep(calmMs);
  const logged = lines.slice(linesBefore);
  for (const line of logged) console.log(`    ${line.slice(0, 200)}`);
  const during = asking.since(takenMs - 1_000).filter(({ sentMs }) => sentMs < backMs);
  const refused = during.filter(({ status }) => status === 503);
  const answered = asking.since(backMs).find(({ status }) => status === 200);
  const first = refused[0];
  const hangsMs = Math.max(asking.hangsMs(), ...during.map(({ sentMs, endedMs }) => endedMs - sentMs));
  const away = during.filter(({ sentMs }) => sentMs >= takenMs + refusedSec * 1000);
  const shareOf = (status: number) =>
    away.filter((each) => each.status === status).length / Math.max(1, away.length);
  const sec = (ms: number): number => ms / 1000;
  return [
    reported(`${way.name}: calls in that time`, during.length, ""),
    way.isReadable
      ? atLeast("  reads that were answered", shareOf(200), "x", 1)
      : atMost("  first 503 after", first ? sec(first.endedMs - takenMs) : Number.NaN, "s", refusedSec),
    ...(way.isReadable ? [] : [atLeast("  answers that are 503 from then on", shareOf(503), "x", 1)]),
    atMost("  longest call", sec(hangsMs), "s", refusedSec),
    atMost(
      "  first read after the return",
      answered ? sec(answered.endedMs - backMs) : Number.NaN,
      "s",
      backSec,
    ),
    atMost("  first acknowledgement after the return", sec(Math.min(...flows.values())), "s", backSec),
    ...[...flows].map(([name, ms]) => reported(`  ${name} acknowledged after`, sec(ms), "s")),
    reported("  all meters read after", sec(polledMs), "s"),
    atMost("  lines in the log", (logged.length / (awaySec + sec(calmMs))) * 60, "a minute", linesAMinute),
  ];
}

function verdictOf(publishers: readonly Publisher[], verdict: Verdict): Figure[] {
  return [
    reported(
      "sent",
      publishers.reduce((total, each) => total + each.sent(), 0),
      "readings",
    ),
    reported(
      "acknowledged",
      publishers.reduce((total, each) => total + acknowledgedBy(each), 0),
      "readings",
    ),
    atMost("lost", verdict.lost, "readings", 0),
    atMost("doubled", verdict.doubled, "readings", 0),
    atMost("altered", verdict.altered, "readings", 0),
    atMost("put aside", verdict.aside, "readings", 0),
    atMost("devices whose days or newest reading differ", verdict.astray, "devices", 0),
  ];
}
