import type { ChildProcess } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Plan, PlannedDevice } from "@metrum/simulator";
import type { CompanyId, DeviceId } from "@metrum/vocabulary";
import { startSession } from "../../apps/server/src/access/auth/index.ts";
import { accountOf } from "../../apps/server/src/access/users/index.ts";
import { openDatabase, type Database } from "../../apps/server/src/core/index.ts";
import { startEmbedded } from "../../apps/server/src/core/database/embedded/index.ts";
import { seedCatalogue } from "../../apps/server/src/platform/demo/catalogue.ts";
import { ask } from "./controlKillsClicks.ts";
import { startLines, timeAlone, type Lines } from "./controlLines.ts";
import {
  buildProduct,
  endAll,
  freePort,
  owner,
  startServer,
  type Installation,
} from "../failures/killsServer.ts";
import { atLeast, atMost, percentile, reported, type Bench, type Figure } from "../report.ts";

/** `npm run bench -- control latency 100`, `npm run bench -- control drain 500 20`; default: both. */
const part = process.argv[3] ?? "both";
const clicks = part === "latency" ? Number(process.argv[4] ?? 200) : 200;
const lineCount = part === "drain" ? Number(process.argv[4] ?? 500) : 500;
const metersEach = part === "drain" ? Number(process.argv[5] ?? 20) : 20;
/** Latency of a line over GPRS. */
const networkMs = part === "drain" ? Number(process.argv[6] ?? 800) : 800;
const warmUps = 20;
const mostMs = 150;
const leastUsed = 0.95;
const drainMs = 1_200_000;
/** Devices that a call may name. */
const taskDevices = 1_000;

export const bench: Bench = {
  title: "from a click to the first byte on an idle line; queued commands at the speed of their lines",
  async run() {
    await buildProduct();
    return [
      ...(part === "drain" ? [] : await onInstallation(latency)),
      ...(part === "latency" ? [] : await onInstallation(drain)),
    ];
  },
};

interface Running {
  readonly at: Installation;
  readonly worker: () => Promise<void>;
}

async function onInstallation(run: (running: Running) => Promise<Figure[]>): Promise<Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "metrum-control-"));
  await chmod(dataDir, 0o711);
  const httpPort = await freePort();
  // Asked for when it starts: the lines of the bench take hundreds of ports before the second process does.
  const place = async (): Promise<Installation> => ({
    dataDir,
    isBuilt: true,
    httpPort,
    mqttPort: await freePort(),
    modemPort: await freePort(),
    env: { METRUM_DEVICE_HOST: "127.0.0.1" },
  });
  const at = await place();
  const children: ChildProcess[] = [];
  try {
    children.push(await startServer(at, "api,worker"));
    return await run({
      at,
      worker: async () => void children.push(await startServer(await place(), "worker,broker")),
    });
  } finally {
    await endAll(children.toReversed(), at);
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

const meterModel = 120;
const converterModel = 603;

const meter = (number: number, line: number, at: number): PlannedDevice => ({
  modelId: meterModel,
  gateway: `g${String(line)}`,
  insideAddr: String(at + 1),
  deviceID: String(90_000_000 + number),
  name: `C ${String(number)}`,
  place: "",
  intervalSec: 86_400,
  seed: number + 1,
  load: "home",
  meanPerHour: 1,
  start: 1000,
  impulseWeight: 1,
  startingValue: 0,
  hasLeaks: false,
  clockDriftPerDay: 0,
});

interface Seeded {
  readonly token: string;
  readonly ids: readonly DeviceId[];
  readonly lines: Lines;
}

/** Lines with meters, registered with the owner's company. */
async function seed(
  at: Installation,
  count: { lines: number; each: number; networkMs: number },
): Promise<Seeded> {
  const devices = Array.from({ length: count.lines }, (_, line) =>
    Array.from({ length: count.each }, (_each, n) => meter(line * count.each + n, line, n)),
  );
  const lines = await startLines(devices, count.networkMs);
  const plan: Plan = {
    baseStations: [],
    gateways: lines.ports.map((port, line) => ({
      key: `g${String(line)}`,
      modelId: converterModel,
      name: `G ${String(line)}`,
      place: "",
      deviceID: `L${String(line)}`,
      port,
    })),
    devices: devices.flat(),
  };
  return onDatabase(at, async (database) => {
    const account = await accountOf(database.system, owner.email);
    if (!account) throw new Error("there is no first account");
    const companyId: CompanyId = account.company_id;
    const seeded = await database.system
      .transaction()
      .execute((db) => seedCatalogue(db, companyId, plan, "127.0.0.1"));
    // Only commands use the lines.
    await database.pool.query("update device set is_active = false");
    const token = await startSession(database.system, {
      userId: account.id,
      companyId,
      at: new Date(),
      address: "127.0.0.1",
      agent: "bench",
    });
    return { token, ids: seeded.map(({ id }) => id), lines };
  });
}

/** One click after another, each on an open line that is idle. */
async function latency({ at, worker }: Running): Promise<Figure[]> {
  const { token, ids, lines } = await seed(at, { lines: 10, each: 1, networkMs: 30 });
  await worker();
  const took: number[] = [];
  try {
    for (let n = 0; n < warmUps + clicks; n++) {
      const line = n % ids.length;
      lines.forget();
      const sentMs = performance.now();
      await ask(at.httpPort, {
        path: "device/control",
        token,
        key: crypto.randomUUID(),
        body: { id: ids[line], management: { relay_state: 1 } },
      });
      const firstMs = lines.firstMs(line);
      if (n >= warmUps) took.push(firstMs === undefined ? Infinity : firstMs - sentMs);
      await sleep(100 + Math.random() * 100);
    }
  } finally {
    await lines.stop();
  }
  return [
    reported("clicks on idle open lines", took.length, ""),
    reported("  click to first byte, median", percentile(took, 0.5), "ms"),
    atMost("  click to first byte, p95", percentile(took, 0.95), "ms", mostMs),
    reported("  slowest", Math.max(...took), "ms"),
  ];
}

/** Queues commands while no process has lines, and measures how fast they then drain. */
async function drain({ at, worker }: Running): Promise<Figure[]> {
  const total = lineCount * metersEach;
  const { token, ids, lines } = await seed(at, { lines: lineCount, each: metersEach, networkMs });
  try {
    const queuedMs = performance.now();
    for (let first = 0; first < ids.length; first += taskDevices) {
      const device_ids = ids.slice(first, first + taskDevices);
      const answer = await ask(at.httpPort, {
        path: "task/device/create",
        token,
        key: crypto.randomUUID(),
        body: { command_type: "control", title: "Bench", device_ids, management: { relay_state: 1 } },
      });
      if (answer?.data?.device_task === undefined) throw new Error(`not queued: ${JSON.stringify(answer)}`);
    }
    const acceptedMs = performance.now() - queuedMs;
    const cpuBefore = process.cpuUsage();
    await worker();
    const state = await onDatabase(at, (database) => drained(database, total));
    const firstMs = Math.min(...lines.ports.map((_, line) => lines.firstMs(line) ?? Infinity));
    const tookMs = lines.lastMs() - firstMs;
    const { user, system } = process.cpuUsage(cpuBefore);
    const own = (user + system) / 1000 / tookMs;
    const requests = lines.ports.map((_, line) => [...lines.heard(line)]);
    const aloneMs = await timeAlone(lines.ports, requests);
    return [
      reported("commands queued at once", total, ""),
      reported("  over lines", lineCount, ""),
      reported("  accepted after", acceptedMs / 1000, "s"),
      atMost("  not done", total - state.done, "commands", 0),
      reported(
        "  exchanges",
        requests.reduce((sum, each) => sum + each.length, 0),
        "",
      ),
      reported("  from the first byte to the last answer", tookMs / 1000, "s"),
      reported("  commands per second", total / (tookMs / 1000), ""),
      reported("  the same exchanges on the lines alone", aloneMs / 1000, "s"),
      reported("  processor time of the simulated lines", own * 100, "%"),
      atLeast("  line time used", aloneMs / tookMs, "", leastUsed),
    ];
  } finally {
    await lines.stop();
  }
}

async function drained({ pool }: Database, total: number): Promise<{ done: number }> {
  const sinceMs = Date.now();
  for (;;) {
    const { rows } = await pool.query<{ done: number; open: number }>(
      `select (count(*) filter (where state = 'done'))::int as done,
        (count(*) filter (where state in ('queued', 'sending')))::int as open from device_command`,
    );
    const [{ done, open } = { done: 0, open: total }] = rows;
    if (open === 0 || Date.now() - sinceMs > drainMs) return { done };
    await sleep(1000);
  }
}

async function onDatabase<Result>(
  at: Installation,
  run: (database: Database) => Promise<Result>,
): Promise<Result> {
  const { connection, isOwner } = await startEmbedded({ dataDir: at.dataDir, log: () => undefined });
  if (isOwner) throw new Error("the server had gone");
  const database = openDatabase({ ...connection, max: 2 });
  try {
    return await run(database);
  } finally {
    await database.close();
  }
}
