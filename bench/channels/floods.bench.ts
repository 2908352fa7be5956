import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createBus,
  createLog,
  openDatabase,
  systemClock,
  type Database,
} from "../../apps/server/src/core/index.ts";
import { startEmbedded } from "../../apps/server/src/core/database/embedded/index.ts";
import { openReadingStore } from "../../apps/server/src/metering/messages/index.ts";
import { watchDisk } from "./disk.ts";
import type { FloodsResult, FloodsTask } from "./floodsWorker.ts";
import { seedNumbered } from "../failures/killsSeed.ts";
import {
  buildProduct,
  endAll,
  freePort,
  owner,
  startServer,
  type Installation,
} from "../failures/killsServer.ts";
import { signIn } from "../failures/killsSockets.ts";
import { atLeast, atMost, median, percentile, reported, type Bench, type Figure } from "../report.ts";

/** `npm run bench -- floods 60` takes a minute of each phase, in turns. */
const seconds = Number(process.argv[3] ?? 60);
/** Short turns: a slow disk or another load of the machine meets every phase alike. */
const turnSec = Math.min(20, seconds);
const people = 50;
const devices = 100;
const readingsEach = 48;

/**
 * "elsewhere": the same bodies go to another program of this machine, which refuses them unread. The
 * attackers' own work, which is done on machines of their own, then slows the people of both phases alike.
 */
const phases = ["quiet", "bodies", "elsewhere", "registrations"] as const;
type Phase = (typeof phases)[number];

/** Results of the turns of one phase: of the people, and of the attackers beside them. */
interface Measured {
  readonly people: FloodsResult[];
  readonly attackers: FloodsResult[];
  /** Milliseconds of synchronous writes; a sign-in has several. */
  readonly diskMs: number[];
}

export const bench: Bench = {
  title: `${String(people)} people who work, for ${String(seconds)} s each alone, beside large bodies, beside 60 registrations a second`,
  async run() {
    await buildProduct();
    const dataDir = await mkdtemp(join(tmpdir(), "metrum-floods-"));
    await chmod(dataDir, 0o711);
    const at = await placeIn(dataDir);
    const elsewhere = await startElsewhere();
    let server: ChildProcess | undefined;
    try {
      server = await startServer(at);
      const deviceIds = await seed(dataDir);
      const token = await signIn(`http://127.0.0.1:${String(at.httpPort)}/api`);
      const working = {
        kind: "people",
        port: at.httpPort,
        emails: Array.from({ length: people }, (_, n) => emailOf(n)),
        password: owner.password,
        deviceIds,
        seconds: turnSec,
      } as const;
      const attacking = { port: at.httpPort, token, seconds: turnSec };
      const attackers: Record<Phase, FloodsTask | undefined> = {
        quiet: undefined,
        bodies: { ...attacking, kind: "bodies" },
        elsewhere: { ...attacking, kind: "bodies", port: elsewhere.port },
        registrations: { ...attacking, kind: "registrations" },
      };
      // Once without counting: caches fill, code is compiled.
      await inProcess(working);
      return figuresOf(await inTurns(dataDir, working, attackers));
    } finally {
      elsewhere.child.kill();
      await endAll(server, at);
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

const emailOf = (n: number): string => `person${String(n)}@metrum.example`;

async function placeIn(dataDir: string): Promise<Installation> {
  const [httpPort = 0, mqttPort = 0, modemPort = 0] = await Promise.all(Array.from({ length: 3 }, freePort));
  return {
    dataDir,
    isBuilt: true,
    httpPort,
    mqttPort,
    modemPort,
    // The client address is in X-Forwarded-For, as behind a proxy.
    env: { METRUM_TRUSTED_PROXIES: "loopback", METRUM_SELF_REGISTRATION: "true" },
  };
}

/** Users with the password of the first account, and devices of its company with readings of two days. */
async function seed(dataDir: string): Promise<number[]> {
  const { connection, isOwner } = await startEmbedded({ dataDir, log: () => undefined });
  if (isOwner) throw new Error("the server had gone");
  const database = openDatabase({ ...connection, max: 4 });
  try {
    const { companyId } = await seedNumbered(database, { byMqtt: devices, bySockets: 0 });
    await database.pool.query(
      `insert into users (company_id, email, name, phone_number, password_hash, password_change_needed, is_admin, is_active, language)
        select company_id, 'person' || n || '@metrum.example', 'Person ' || n, phone_number, password_hash, false, is_admin, true, language
        from users, generate_series(0, $2::int - 1) n where email = $1`,
      [owner.email, people],
    );
    const { rows } = await database.pool.query<{ id: number }>(
      "select id from device where company_id = $1",
      [companyId],
    );
    const ids = rows.map(({ id }) => id);
    await store(database, ids);
    return ids;
  } finally {
    await database.close();
  }
}

async function store(database: Database, ids: readonly number[]): Promise<void> {
  const bus = createBus((error) => {
    throw error;
  });
  const store = openReadingStore({ database, bus, clock: systemClock, log: createLog("silent") });
  const now = systemClock.now();
  const readings = ids.flatMap((deviceId) =>
    Array.from({ length: readingsEach }, (_, n) => ({
      deviceId: deviceId as never,
      msgType: 1,
      ts: now - (readingsEach - n) * 3600,
      receivedAt: now,
      source: "pushed" as const,
      values: { in1: n, in2: n, in3: n, in4: n, battery: 90, temperature: 20 },
    })),
  );
  await store.ingest(readings);
}

async function startElsewhere(): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(join(import.meta.dirname, "floodsElsewhere.ts"));
  const [port] = (await once(child, "message")) as [number];
  return { child, port };
}

async function inTurns(
  dataDir: string,
  working: FloodsTask,
  attackers: Readonly<Record<Phase, FloodsTask | undefined>>,
): Promise<Record<Phase, Measured>> {
  const measured = Object.fromEntries(
    phases.map((phase) => [phase, { people: [], attackers: [], diskMs: [] }]),
  ) as unknown as Record<Phase, Measured>;
  const disk = await watchDisk(dataDir);
  for (let turn = 0; turn < Math.ceil(seconds / turnSec); turn++) {
    for (const phase of phases) {
      const attacker = attackers[phase];
      const [people, attacked] = await Promise.all([
        inProcess(working),
        attacker === undefined ? undefined : inProcess(attacker),
      ]);
      measured[phase].people.push(people);
      if (attacked) measured[phase].attackers.push(attacked);
      measured[phase].diskMs.push(...disk.take());
      console.log(`  ${phase} done: ${JSON.stringify(people.statuses)}`);
    }
  }
  await disk.stop();
  return measured;
}

/** Runs the worker as a child process. */
function inProcess(task: FloodsTask): Promise<FloodsResult> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, "floodsWorker.ts"));
    child.once("message", (result: FloodsResult) => resolve(result));
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? undefined : reject(new Error("a worker ended"))));
    child.send(task);
  });
}

/** The p99 of a turn, in the middle of all turns: a machine that stands still for a moment spoils one of them. */
function p99(results: readonly FloodsResult[], of: "signInMs" | "callMs"): number {
  return median(results.map((each) => percentile(each[of], 0.99)));
}

function figuresOf(measured: Readonly<Record<Phase, Measured>>): Figure[] {
  const slowest = (phase: Phase): Figure[] => [
    reported(
      "  slowest sign-in",
      Math.max(...measured[phase].people.flatMap(({ signInMs }) => signInMs)),
      "ms",
    ),
    reported("  slowest write of the disk", Math.max(...measured[phase].diskMs), "ms"),
  ];
  const alone = (phase: "quiet" | "elsewhere", name: string): Figure[] => [
    reported(`${name}: sign-ins, p99`, p99(measured[phase].people, "signInMs"), "ms"),
    reported("  calls, p99", p99(measured[phase].people, "callMs"), "ms"),
    ...slowest(phase),
  ];
  const flooded = (phase: Phase, against: "quiet" | "elsewhere"): Figure[] => {
    const atMostTwice = (of: "signInMs" | "callMs", what: string): Figure =>
      atMost(what, p99(measured[phase].people, of), "ms", 2 * p99(measured[against].people, of));
    return [
      ...statusesOf(measured[phase].attackers).map(([status, times]) =>
        reported(`${phase}: ${status}`, times, ""),
      ),
      atMostTwice("signInMs", "  sign-ins of people, p99"),
      atMostTwice("callMs", "  calls of people, p99"),
      atLeast("  sign-ins that were let in", shareOk(measured[phase].people, "sign-in"), "x", 1),
      atLeast("  calls that were answered", shareOk(measured[phase].people, "call"), "x", 1),
      ...slowest(phase),
    ];
  };
  return [
    ...alone("quiet", "alone"),
    ...alone("elsewhere", "alone, large bodies go to another program"),
    ...flooded("bodies", "elsewhere"),
    ...flooded("registrations", "quiet"),
  ];
}

function statusesOf(results: readonly FloodsResult[]): [string, number][] {
  const sums = new Map<string, number>();
  for (const [status, times] of results.flatMap(({ statuses }) => Object.entries(statuses)))
    sums.set(status, (sums.get(status) ?? 0) + times);
  return [...sums];
}

function shareOk(results: readonly FloodsResult[], name: string): number {
  const all = statusesOf(results).filter(([status]) => status.startsWith(`${name} `));
  const ok = all.find(([status]) => status === `${name} 200`)?.[1] ?? 0;
  return ok / all.reduce((sum, [, times]) => sum + times, 0);
}
