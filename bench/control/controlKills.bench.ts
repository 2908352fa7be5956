import type { ChildProcess } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { noFaults } from "@metrum/simulator";
import { readConfig } from "../../apps/server/src/config.ts";
import { createBus, createLog, systemClock } from "../../apps/server/src/core/index.ts";
import { createServices } from "../../apps/server/src/services.ts";
import { ask, click, nthCommand } from "./controlKillsClicks.ts";
import { endedWithinSec, onDatabase, secondsUntilEnded, sentNow } from "./controlKillsDatabase.ts";
import { startControlled, type Controlled, type ControlPark } from "./controlKillsPark.ts";
import { commandsOf, leaps, leapSec, verdictOf } from "./controlKillsVerdict.ts";
import {
  buildProduct,
  endAll,
  freePort,
  killDatabase,
  killProcesses,
  postmasterOf,
  startServer,
  type Installation,
} from "../failures/killsServer.ts";
import { atMost, reported, type Bench, type Figure } from "../report.ts";

/** `npm run bench -- controlKills 60 2` sends 60 commands and kills twice. */
const commands = Number(process.argv[3] ?? 1000);
const kills = Number(process.argv[4] ?? 20);
const identical = 50;
/** A share of the commands expires early; the platform itself allows no shorter time than ten minutes. */
const hurried = { share: 0.1, leastSec: 2, mostSec: 20 } as const;
/** Commands of one kill are sent within this time, and the kill comes at any moment of it. */
const burstMs = 6_000;
const settleMs = 600_000;
/** A process that lives through a kill of the database ends its dialogues, which may take this long. */
const longestSec = 140;

/** other: the process with ports and lines, which stays dead until the other one has ended what it was sending. */
const killKinds = ["server", "worker", "other", "tree", "postmaster"] as const;
type KillKind = (typeof killKinds)[number];

interface Victims {
  readonly server?: boolean;
  readonly worker?: boolean;
  readonly database?: "postmaster" | "tree";
}

const victimsOf: Readonly<Record<KillKind, Victims>> = {
  server: { server: true },
  worker: { worker: true },
  other: { worker: true },
  tree: { server: true, worker: true, database: "tree" },
  postmaster: { database: "postmaster" },
};

/** One process with the API and the planner, and one with ports, lines and jobs. */
interface Held {
  server?: ChildProcess;
  worker?: ChildProcess;
}

interface Places {
  readonly server: Installation;
  readonly worker: Installation;
}

interface Run {
  readonly places: Places;
  readonly held: Held;
  readonly park: ControlPark;
  readonly clicks: Set<Promise<void>>;
  /** Commands requested of each device so far. */
  readonly counts: Map<Controlled, number>;
  readonly refusals: Map<string, number>;
}

export const bench: Bench = {
  title: `${String(commands)} commands over six protocols to devices that obey, refuse, lie, are late and sleep, with ${String(kills)} random kills`,
  async run() {
    await buildProduct();
    const dataDir = await mkdtemp(join(tmpdir(), "metrum-control-"));
    await chmod(dataDir, 0o711);
    const places = await placesIn(dataDir);
    const held: Held = {};
    let park: ControlPark | undefined;
    try {
      await startBoth(held, places);
      park = await begin(places);
      const run: Run = { places, held, park, clicks: new Set(), counts: new Map(), refusals: new Map() };
      await sleep(8_000);
      const same = await clickTogether(run);
      const waits = await killInTurn(run);
      await settled(run);
      const state = await onDatabase(places.server, commandsOf);
      return [
        ...figuresOf(waits),
        ...same,
        ...[...run.refusals].map(([code, count]) => reported(`refused at once: ${code}`, count, "clicks")),
        ...verdictOf(park.devices, state),
      ];
    } catch (error) {
      console.error(error);
      throw error;
    } finally {
      await park?.stop();
      await endAll(
        [held.worker, held.server].flatMap((each) => each ?? []),
        places.server,
      );
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    }
  },
};

async function placesIn(dataDir: string): Promise<Places> {
  const [httpPort = 0, ...ports] = await Promise.all(Array.from({ length: 5 }, freePort));
  const place = (at: number) => ({
    dataDir,
    isBuilt: true as const,
    httpPort,
    mqttPort: ports[at] ?? 0,
    modemPort: ports[at + 1] ?? 0,
  });
  return { server: place(0), worker: place(2) };
}

async function startBoth(
  held: Held,
  { server, worker }: Places,
  env: Record<string, string> = {},
): Promise<void> {
  held.server = await startServer({ ...server, env }, "api,worker");
  held.worker = await startServer({ ...worker, env }, "worker,broker");
}

/** Registers the park with the keys of the installation, and starts it. */
async function begin({ server, worker }: Places): Promise<ControlPark> {
  return onDatabase(server, (database) =>
    startControlled(
      createServices({
        config: readConfig({ METRUM_DATA_DIR: server.dataDir, METRUM_LOG_LEVEL: "error" }),
        database,
        bus: createBus(() => undefined),
        clock: systemClock,
        log: createLog("error"),
      }),
      worker,
    ),
  );
}

/** Fifty identical clicks at once, with one idempotency key and without any. */
async function clickTogether({ places, park }: Run): Promise<Figure[]> {
  const port = places.server.httpPort;
  const chosen = (["dlms", "mercury", "modbus"] as const).flatMap((protocol) =>
    park.devices.filter((each) => each.protocol === protocol && !each.isLate).slice(0, 2),
  );
  const accepted: number[] = [];
  for (const [at, device] of chosen.entries()) {
    const key = at % 2 === 0 ? crypto.randomUUID() : "";
    const answers = await Promise.all(
      Array.from({ length: identical }, () =>
        ask(port, {
          path: "device/control",
          token: device.token,
          ...(key === "" ? {} : { key }),
          body: { id: device.id, management: { power: 0 } },
        }),
      ),
    );
    accepted.push(new Set(answers.flatMap((each) => each?.data?.device_task?.id ?? [])).size);
  }
  await sleep(3_000);
  const executions = chosen.map(
    ({ meter }) => meter.orders.log.filter(({ order }) => order.kind === "power").length,
  );
  return [
    atMost(`${String(identical)} identical clicks: most tasks`, Math.max(...accepted), "", 1),
    atMost("  most executions", Math.max(...executions), "", 1),
    atMost("  devices without an execution", executions.filter((each) => each === 0).length, "", 0),
  ];
}

interface Wait {
  readonly kind: KillKind;
  readonly readySec: number;
  /** Commands that the killed process was sending, or any if it was the database, and the seconds until all ended. */
  readonly sending: number;
  readonly endedSec: number;
}

/** Sends the commands in bursts, each with a kill; a part of the time the installation is frozen. */
async function killInTurn(
  run: Run,
): Promise<{ readonly waits: readonly Wait[]; readonly frozen: readonly Figure[] }> {
  const { park } = run;
  Object.assign(park.faults, { loss: 0.03, refuse: 0.1, lie: 0.12, late: 0.03, asleep: 0.12 });
  const waits: Wait[] = [];
  const frozen: Figure[] = [];
  const order = sequence(kills);
  const half = Math.floor(order.length / 2);
  for (const [at, kind] of order.entries()) {
    if (at === half) await park.startLate();
    const share = Math.floor((commands * (at + 1)) / kills) - Math.floor((commands * at) / kills);
    const burst = sendBurst(run, share);
    await sleep(Math.random() * burstMs);
    waits.push(await strike(kind, run));
    await burst;
    if (at === half) frozen.push(...(await freezeAndKill(run)));
  }
  return { waits, frozen };
}

async function sendBurst(run: Run, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const click = clickNext(run).finally(() => run.clicks.delete(click));
    run.clicks.add(click);
    await sleep(burstMs / count);
  }
}

async function clickNext(run: Run): Promise<void> {
  const { park, places, counts, refusals } = run;
  const device = leastAsked(park.devices, counts);
  const n = counts.get(device) ?? 0;
  counts.set(device, n + 1);
  const { taskId, refused } = await click(places.server.httpPort, device, nthCommand(device.protocol, n));
  if (refused !== undefined) refusals.set(refused, (refusals.get(refused) ?? 0) + 1);
  const isByLine = device.protocol !== "vega" && device.protocol !== "milesight";
  if (taskId !== undefined && isByLine && Math.random() < hurried.share) await hurry(places, taskId);
}

function leastAsked(devices: readonly Controlled[], counts: ReadonlyMap<Controlled, number>): Controlled {
  const least = Math.min(...devices.map((each) => counts.get(each) ?? 0));
  const able = devices.filter((each) => (counts.get(each) ?? 0) === least);
  const chosen = able[Math.floor(Math.random() * able.length)];
  if (!chosen) throw new Error("there are no devices");
  return chosen;
}

/** The command expires soon, if it is still queued. A database that is away leaves it as it is. */
async function hurry({ server }: Places, taskId: number): Promise<void> {
  const sec = hurried.leastSec + Math.random() * (hurried.mostSec - hurried.leastSec);
  if (postmasterOf(server) === undefined) return;
  await onDatabase(server, ({ pool }) =>
    pool.query("update device_command set expires_at = $2 where task_id = $1 and state = 'queued'", [
      taskId,
      Math.floor(Date.now() / 1000 + sec),
    ]),
  ).catch(() => undefined);
}

/** Kills, starts again what was killed, and waits until what it was sending has an outcome. */
async function strike(kind: KillKind, { held, places }: Pick<Run, "held" | "places">): Promise<Wait> {
  const sinceMs = performance.now();
  const victims = victimsOf[kind];
  if (victims.database !== undefined) killDatabase(places.server, victims.database === "tree");
  if (victims.server) await killProcesses([held.server ?? []].flat());
  if (victims.worker) await killProcesses([held.worker ?? []].flat());
  const before = kind === "other" ? await sentNow(places.server, "dead") : undefined;
  const endedBefore = before && (await secondsUntilEnded(places.server, before));
  if (victims.server) held.server = await startServer(places.server, "api,worker");
  const after = before ?? (await sentNow(places.server, kind === "postmaster" ? "all" : "dead"));
  if (victims.worker) held.worker = await startServer(places.worker, "worker,broker");
  await untilReady(places.server.httpPort);
  const readySec = (performance.now() - sinceMs) / 1000;
  const endedSec = endedBefore ?? (await secondsUntilEnded(places.server, after));
  console.log(
    `  ${kind}: ready after ${readySec.toFixed(1)} s, ${String(after.length)} being sent ended after ${endedSec.toFixed(1)} s`,
  );
  return { kind, readySec, sending: after.length, endedSec };
}

async function untilReady(port: number): Promise<void> {
  for (;;) {
    const status = await fetch(`http://127.0.0.1:${String(port)}/readyz`).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return;
    await sleep(100);
  }
}

/** A frozen installation sends nothing, whatever is queued, refuses clicks, and stays frozen over a kill. */
async function freezeAndKill(run: Run): Promise<Figure[]> {
  const { places, park } = run;
  const freeze = async (is_frozen: boolean): Promise<void> => {
    const body = { is_frozen, reason: "bench" };
    while (!(await ask(places.server.httpPort, { path: "admin/control/freeze", token: park.staff, body })))
      await sleep(500);
  };
  await freeze(true);
  const startedMs = Date.now();
  const sending = (): Promise<number> => countOf(places, "state = 'sending' and order_id is null");
  while ((await sending()) > 0 && Date.now() - startedMs < 130_000) await sleep(500);
  const since = Math.floor(Date.now() / 1000) + 1;
  const device = park.devices.find(({ protocol }) => protocol === "mercury");
  const refused = device && (await click(places.server.httpPort, device, { power: 1 })).refused;
  await strike("tree", run);
  await sleep(10_000);
  const sent = await countOf(
    places,
    `sent_at > ${String(since)} and key in ('power', 'limit', 'time_correct', 'time_set', 'reset', 'report_period', 'vega_settings')`,
  );
  const taken = park.devices
    .filter(({ protocol }) => protocol !== "vega" && protocol !== "milesight")
    .flatMap(({ meter }) => meter.orders.log.filter(({ at }) => at > since)).length;
  await freeze(false);
  return [
    atMost("frozen: commands sent", sent, "", 0),
    atMost("frozen: orders that devices received", taken, "", 0),
    atMost("frozen: clicks accepted", refused === "control_frozen" ? 0 : 1, "", 0),
  ];
}

const countOf = (places: Places, condition: string): Promise<number> =>
  onDatabase(places.server, async ({ pool }) => {
    const { rows } = await pool.query<{ n: number }>(
      `select count(*)::int as n from device_command where ${condition}`,
    );
    return rows[0]?.n ?? 0;
  });

/** Waits until every command has ended; what radio devices do not prove ends when their time is over. */
async function settled(run: Run): Promise<void> {
  const { places, park, held, clicks } = run;
  while (clicks.size > 0) await Promise.race(clicks);
  Object.assign(park.faults, { ...noFaults, delayMs: [5, 40], lie: 0 });
  const open = (): Promise<number> =>
    countOf(places, "state in ('queued', 'sending') or follow_at is not null");
  const wait = async (mostMs: number): Promise<boolean> => {
    const sinceMs = Date.now();
    while (Date.now() - sinceMs < mostMs) {
      const byLine = await countOf(
        places,
        "state in ('queued', 'sending') and order_id is null or follow_at is not null",
      );
      const all = await open();
      if (all === 0) return true;
      if (byLine === 0 && Date.now() - sinceMs > 90_000) return false;
      await sleep(1000);
    }
    return false;
  };
  const aheadBy = (n: number) => ({
    NODE_OPTIONS: `--import=${join(import.meta.dirname, "../failures/clockAhead.mjs")}`,
    METRUM_BENCH_AHEAD_SEC: String(n * leapSec),
  });
  let isOver = await wait(settleMs);
  for (let n = 1; n <= leaps && !isOver; n++) {
    console.log(
      `  ${String(await open())} commands are open: the servers live ${String(n * leapSec)} s later`,
    );
    await killProcesses([held.server, held.worker].flatMap((each) => each ?? []));
    await startBoth(held, places, aheadBy(n));
    isOver = await wait(settleMs / 3);
  }
}

/** Every kind equally often, in random order. */
function sequence(count: number): KillKind[] {
  const kinds = Array.from({ length: count }, (_, n) => killKinds[n % killKinds.length] ?? "server");
  return kinds
    .map((kind) => ({ kind, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ kind }) => kind);
}

function figuresOf({ waits, frozen }: Awaited<ReturnType<typeof killInTurn>>): Figure[] {
  return [
    ...killKinds.flatMap((kind) => {
      const own = waits.filter((each) => each.kind === kind);
      if (own.length === 0) return [];
      return [
        reported(`kills of the ${kind}`, own.length, ""),
        reported("  slowest until ready", Math.max(...own.map(({ readySec }) => readySec)), "s"),
        reported(
          "  commands being sent then",
          own.reduce((sum, { sending }) => sum + sending, 0),
          "",
        ),
        atMost(
          "  slowest until all of them have an outcome",
          Math.max(...own.map(({ endedSec }) => endedSec)),
          "s",
          kind === "postmaster" ? longestSec : endedWithinSec,
        ),
      ];
    }),
    ...frozen,
  ];
}
