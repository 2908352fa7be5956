import { fork, type ChildProcess } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createBus,
  createLog,
  openDatabase,
  systemClock,
  type Database,
} from "../apps/server/src/core/index.ts";
import { startEmbedded } from "../apps/server/src/core/database/embedded/index.ts";
import { openReadingStore } from "../apps/server/src/metering/messages/index.ts";
import type { FloodsResult, FloodsTask } from "./floodsWorker.ts";
import { seedNumbered } from "./killsSeed.ts";
import { buildProduct, endAll, freePort, owner, startServer, type Installation } from "./killsServer.ts";
import { signIn } from "./killsSockets.ts";
import { atLeast, atMost, percentile, reported, type Bench, type Figure } from "./report.ts";

/** `npm run bench -- floods 20` takes 20 s per phase. */
const seconds = Number(process.argv[3] ?? 60);
const people = 50;
const devices = 100;
const readingsEach = 48;

/** Quiet phases before and after the floods: other load of the machine affects both. */
const phases = ["quiet", "bodies", "quiet", "registrations", "quiet"] as const;

export const bench: Bench = {
  title: `${String(people)} people who work, for ${String(seconds)} s each alone, beside large bodies, beside 60 registrations a second`,
  async run() {
    await buildProduct();
    const dataDir = await mkdtemp(join(tmpdir(), "metrum-floods-"));
    await chmod(dataDir, 0o711);
    const at = await placeIn(dataDir);
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
      } as const;
      // Once without counting: caches fill, code is compiled.
      await inProcess({ ...working, seconds: Math.min(20, seconds) });
      const quiet: FloodsResult[] = [];
      const flooded = new Map<string, readonly [FloodsResult, FloodsResult]>();
      for (const phase of phases) {
        const honest = inProcess({ ...working, seconds });
        if (phase === "quiet") quiet.push(await honest);
        else
          flooded.set(
            phase,
            await Promise.all([honest, inProcess({ kind: phase, port: at.httpPort, token, seconds })]),
          );
        const last = quiet.at(-1);
        console.log(`  ${phase} done${last ? `: ${JSON.stringify(last.statuses)}` : ""}`);
      }
      return figuresOf(quiet, flooded);
    } finally {
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

function figuresOf(
  quiet: readonly FloodsResult[],
  flooded: ReadonlyMap<string, readonly [FloodsResult, FloodsResult]>,
): Figure[] {
  const p99 = (results: readonly FloodsResult[], of: "signInMs" | "callMs"): number =>
    percentile(
      results.flatMap((each) => each[of]),
      0.99,
    );
  const [signIns, calls] = [p99(quiet, "signInMs"), p99(quiet, "callMs")];
  return [
    reported("alone: sign-ins", quiet.flatMap(({ signInMs }) => signInMs).length, ""),
    reported("  p99", signIns, "ms"),
    reported("alone: calls", quiet.flatMap(({ callMs }) => callMs).length, ""),
    reported("  p99", calls, "ms"),
    ...[...flooded].flatMap(([name, [honest, flood]]) => [
      ...Object.entries(flood.statuses).map(([status, times]) => reported(`${name}: ${status}`, times, "")),
      atMost("  sign-ins of people, p99", p99([honest], "signInMs"), "ms", 2 * signIns),
      atMost("  calls of people, p99", p99([honest], "callMs"), "ms", 2 * calls),
      atLeast("  sign-ins that were let in", shareOk(honest, "sign-in"), "x", 1),
      atLeast("  calls that were answered", shareOk(honest, "call"), "x", 1),
    ]),
  ];
}

function shareOk({ statuses }: FloodsResult, name: string): number {
  const all = Object.entries(statuses).filter(([key]) => key.startsWith(`${name} `));
  const total = all.reduce((sum, [, times]) => sum + times, 0);
  return (statuses[`${name} 200`] ?? 0) / total;
}
