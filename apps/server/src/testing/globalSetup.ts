import { access, chmod, constants, mkdtemp, readFile, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { startEmbedded, type Connection } from "../core/database/embedded/index.ts";
import { superuserPasswordFile } from "../core/database/embedded/cluster.ts";
import { migrate } from "../core/database/migrate.ts";

/**
 * One disposable cluster per run, with every migration applied once; each test file clones it
 * (`openTestDatabase`).
 */
export const templateDatabase = "template_metrum";

declare module "vitest" {
  interface ProvidedContext {
    /** Superuser of the cluster of this run. */
    testCluster: Connection;
  }
}

/** Settings that a disposable cluster can do without, and no more. */
const careless = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  shared_buffers: "128MB",
  autovacuum: "off",
  max_wal_size: "128MB",
};

/** The file system in memory of Linux. */
const inMemory = "/dev/shm";
/** A cluster needs a tenth of it; in containers there are often only 64 MiB. */
const enoughBytes = 2 ** 31;

/** Each copy creates and deletes a thousand files, which takes a disk a fifth of the time of all tests. */
async function folderOfClusters(): Promise<string> {
  try {
    await access(inMemory, constants.W_OK);
    const { bavail, bsize } = await statfs(inMemory);
    return bavail * bsize >= enoughBytes ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(await folderOfClusters(), "metrum-test-"));
  await chmod(dataDir, 0o711);
  const embedded = await startEmbedded({ dataDir, log: () => undefined, settings: careless });
  const superuser = { ...embedded.connection, user: "postgres", database: "postgres" };
  try {
    await shareThePassword(dataDir, superuser);
    await makeTemplate(superuser);
  } catch (error) {
    await embedded.stop();
    throw error;
  }
  project.provide("testCluster", superuser);
  return async () => {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** Tests connect as superuser and as the server's role with one connection. */
async function shareThePassword(dataDir: string, superuser: Connection): Promise<void> {
  const own = (await readFile(join(dataDir, superuserPasswordFile), "utf8")).trim();
  const client = new pg.Client({ ...superuser, password: own });
  await client.connect();
  await client.query(`alter role postgres password ${pg.escapeLiteral(superuser.password)}`);
  await client.end();
}

async function makeTemplate(superuser: Connection): Promise<void> {
  const client = new pg.Client({ ...superuser });
  await client.connect();
  await client.query(`create database ${templateDatabase} owner metrum`);
  await client.end();
  const pool = new pg.Pool({ ...superuser, user: "metrum", database: templateDatabase, max: 2 });
  try {
    await migrate(pool);
  } finally {
    await pool.end();
  }
}
