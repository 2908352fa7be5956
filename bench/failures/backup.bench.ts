import { chmod, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { meterModels } from "@metrum/catalogue";
import type { DeviceId } from "@metrum/vocabulary";
import { backup, restore } from "../../apps/server/src/platform/backup/index.ts";
import { startEmbedded } from "../../apps/server/src/core/database/embedded/index.ts";
import { openDatabase } from "../../apps/server/src/core/index.ts";
import { ingest, type Incoming } from "../../apps/server/src/metering/messages/index.ts";
import { addDevices, startCluster, type BenchCluster } from "../cluster.ts";
import { atLeast, reported, type Bench, type Figure } from "../report.ts";

const devices = 500;
/** Half-hours of some 90 days of each device: 2.2 million rows. */
const rounds = 90;
const perRound = 48;
const start = Date.UTC(2026, 5, 1) / 1000;
const mebibyte = 1024 * 1024;
const gigabyte = 1e9;
/** 10 GB in less than 10 minutes. */
const leastGbPerMin = 1;

/** Rows and checksum by table. */
type Sums = ReadonlyMap<string, string>;

export const bench: Bench = {
  title: "backup while readings come in, restored on another cluster, counts and checksums compared",
  async run() {
    const source = await startCluster();
    const directory = await mkdtemp(join(tmpdir(), "metrum-bench-"));
    await chmod(directory, 0o711);
    try {
      return await measure(source, directory);
    } finally {
      await source.services.parts.readingStore.settle();
      await source.stop();
      await rm(directory, { recursive: true, force: true });
    }
  },
};

async function measure(source: BenchCluster, directory: string): Promise<Figure[]> {
  const { database } = source.services;
  const file = join(directory, "saved");
  const ids = await fill(source);
  const bytes = await sizeOf(database.pool);
  const load = startLoad(source, ids);
  let seen: Sums = new Map();
  let lookMs = 0;
  const look = async (snapshot: string): Promise<void> => {
    const began = performance.now();
    seen = await sumsIn(database.client(), snapshot);
    lookMs = performance.now() - began;
  };
  const saved = await backup({ database, dataDir: join(directory, "none"), file, onSnapshot: look });
  const meanwhile = await load.stop();
  const back = await restoreOn(join(directory, "target"), file);
  const wrong = [...seen].filter(([table, sum]) => back.sums.get(table) !== sum);
  if (seen.size === 0 || wrong.length > 0 || seen.size !== back.sums.size)
    throw new Error(`not as in the snapshot: ${wrong.map(([table]) => table).join(", ")}`);
  const rate = (ms: number): number => bytes / gigabyte / (ms / 60_000);
  return [
    reported("database with its indexes", bytes / mebibyte, "MiB"),
    reported("file", (await stat(file)).size / mebibyte, "MiB"),
    reported("readings stored meanwhile", meanwhile, "rows"),
    reported("tables with equal count and checksum", seen.size, "tables"),
    atLeast("backup under load", rate(saved.durationMs - lookMs), "GB/min", leastGbPerMin),
    atLeast("restore", rate(back.durationMs), "GB/min", leastGbPerMin),
  ];
}

async function fill(source: BenchCluster): Promise<number[]> {
  const modelId = meterModels.find(({ resource }) => resource === "electricity")?.id ?? 0;
  const ids = await addDevices(source.services, { count: devices, modelId });
  for (let round = 0; round < rounds; round++)
    for (let at = 0; at < ids.length; at += 100)
      await ingest(source.services, batchOf(ids.slice(at, at + 100), round));
  await source.services.parts.readingStore.settle();
  return ids;
}

function batchOf(ids: readonly number[], round: number): Incoming[] {
  return ids.flatMap((id, k) =>
    Array.from({ length: perRound }, (_, n) => {
      const ts = start + (round * perRound + n) * 1800;
      const base = (round * perRound + n) * (1 + (k % 7)) * 0.25;
      const values = {
        power_a_plus: base,
        power_a_minus: 0,
        power_r_plus: base / 3,
        power_r_minus: 0.001 * n,
      };
      return {
        deviceId: id as DeviceId,
        msgType: 5,
        ts,
        meterAt: ts,
        receivedAt: ts + 7,
        source: "polled",
        values,
      };
    }),
  );
}

/** Writes readings without a pause, until stopped; returns how many were stored. */
function startLoad(source: BenchCluster, ids: readonly number[]): { stop: () => Promise<number> } {
  const state = { isOver: false };
  const run = async (): Promise<number> => {
    let stored = 0;
    for (let round = rounds; !state.isOver; round++) {
      const batch = batchOf(ids.slice(0, 50), round);
      await ingest(source.services, batch);
      stored += batch.length;
    }
    return stored;
  };
  const running = run();
  return {
    stop() {
      state.isOver = true;
      return running;
    },
  };
}

async function sizeOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    "select pg_database_size(current_database()) as bytes",
  );
  return rows[0]?.bytes ?? 0;
}

async function restoreOn(dataDir: string, file: string): Promise<{ durationMs: number; sums: Sums }> {
  const embedded = await startEmbedded({ dataDir, log: () => undefined });
  const database = openDatabase({ ...embedded.connection });
  try {
    const began = performance.now();
    await restore({ database, dataDir, file, replace: false });
    const durationMs = performance.now() - began;
    return { durationMs, sums: await sumsIn(database.client()) };
  } finally {
    await database.close();
    await embedded.stop();
  }
}

/** An independent check of every table, within the snapshot of the backup if one is given. */
async function sumsIn(client: pg.Client, snapshot?: string): Promise<Sums> {
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read read only; set local timezone = 'UTC'");
    if (snapshot !== undefined) await client.query(`set transaction snapshot '${snapshot}'`);
    const { rows: tables } = await client.query<{ name: string }>(`
      select oid::regclass::text as name from pg_class where relkind in ('r', 'p') and relpersistence = 'p'
        and relnamespace = 'public'::regnamespace`);
    const sums = new Map<string, string>();
    for (const { name } of tables) {
      const { rows } = await client.query<{ sum: string }>(
        `select concat(count(*), ' ', sum(hashtextextended(t::text, 7)::numeric)) as sum from ${name} t`,
      );
      sums.set(name, rows[0]?.sum ?? "");
    }
    return sums;
  } finally {
    await client.end();
  }
}
