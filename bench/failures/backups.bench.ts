import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { startEmbedded } from "../../apps/server/src/core/database/embedded/index.ts";
import { openDatabase } from "../../apps/server/src/core/index.ts";
import { backup, restore } from "../../apps/server/src/platform/backup/index.ts";
import { startCluster } from "../cluster.ts";
import { atMost, median, percentile, reported, type Bench, type Figure } from "../report.ts";

/** `npm run bench -- backups 50` makes so many. */
const backups = Number(process.argv[3] ?? 1_000);
/** Rows of a kilobyte in one table: from 1.00 to 1.10 MB, so that its end lies anywhere in a read. */
const rows = { least: 1_000, more: 100 } as const;
const table = "installation";
/** A backup of an empty installation takes less than a second, even on a loaded machine. */
const mostMs = 60_000;

export const bench: Bench = {
  title: `${String(backups)} whole backups with a table of 1.00 to 1.10 MB, and a restore of the last one`,
  async run() {
    const source = await startCluster();
    const directory = await mkdtemp(join(tmpdir(), "metrum-bench-"));
    await chmod(directory, 0o711);
    try {
      const { database } = source.services;
      const file = join(directory, "saved");
      const [times, wrong]: [number[], number[]] = [[], []];
      for (let n = 0; n < backups; n++) {
        await fillTo(database.pool, rows.least + Math.floor((n * rows.more) / backups));
        const expected = await countOf(database.pool);
        const { manifest, durationMs } = await backup({ database, dataDir: join(directory, "none"), file });
        const saved = manifest.tables.find(({ name }) => name === table)?.rows;
        if (saved !== expected) wrong.push(n);
        times.push(durationMs);
        if (n % 100 === 99)
          console.log(`  ${String(n + 1)} backups, the last one in ${String(durationMs)} ms`);
      }
      const before = await contentOf(database.pool);
      return figuresOf(times, { wrong, isSame: before === (await restored(directory, file)) });
    } finally {
      await source.stop();
      await rm(directory, { recursive: true, force: true });
    }
  },
};

async function fillTo(pool: pg.Pool, count: number): Promise<void> {
  await pool.query(
    `insert into installation (key, value)
      select 'bench:' || lpad(n::text, 8, '0'), to_jsonb(repeat(md5(n::text), 30)) from generate_series(1, $1::int) n
      on conflict (key) do nothing`,
    [count],
  );
}

const countOf = async (pool: pg.Pool): Promise<number> =>
  (await pool.query<{ n: number }>("select count(*)::int as n from installation")).rows[0]?.n ?? 0;

const contentOf = async (pool: pg.Pool): Promise<string> =>
  (
    await pool.query<{ sum: string }>(
      `select count(*) || ' ' || md5(string_agg(key || value::text, ',' order by key)) as sum
        from installation where key like 'bench:%'`,
    )
  ).rows[0]?.sum ?? "";

async function restored(directory: string, file: string): Promise<string> {
  const dataDir = join(directory, "target");
  const embedded = await startEmbedded({ dataDir, log: () => undefined });
  const database = openDatabase({ ...embedded.connection });
  try {
    await restore({ database, dataDir, file, replace: false });
    return await contentOf(database.pool);
  } finally {
    await database.close();
    await embedded.stop();
  }
}

function figuresOf(
  times: readonly number[],
  { wrong, isSame }: { readonly wrong: readonly number[]; readonly isSame: boolean },
): Figure[] {
  return [
    reported("backups", times.length, ""),
    atMost("  whose table has other rows than were there", wrong.length, "", 0),
    reported("  p50", median(times), "ms"),
    reported("  p99", percentile(times, 0.99), "ms"),
    atMost("  slowest", Math.max(...times), "ms", mostMs),
    atMost("restores of the last one that differ", isSame ? 0 : 1, "", 0),
  ];
}
