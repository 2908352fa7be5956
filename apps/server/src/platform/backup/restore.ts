import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { migrate, migrateTo, requireRights, type Database } from "#core";
import { copyIn } from "./copy.ts";
import { filePart, manifestEntry, ownerOf, tablePart, type FileEntry, type Manifest } from "./manifest.ts";
import { readEntries, verify } from "./read.ts";
import {
  attachPartition,
  copyInText,
  dropEverything,
  endOpenAccess,
  layBare,
  makePartition,
  occupantsOf,
  readingSettings,
  setSequences,
  sumOf,
} from "./store.ts";
import type { TarEntry } from "./tar.ts";

export interface RestoreOptions {
  readonly database: Database;
  readonly dataDir: string;
  readonly file: string;
  readonly passphrase?: string | undefined;
  /** Permits replacing the present contents of database and data directory. */
  readonly replace: boolean;
}

export interface RestoreResult {
  readonly manifest: Manifest;
  /** Migrations newer than the backup, applied after it. */
  readonly migrated: readonly string[];
}

/**
 * Restores a backup into an installation that is empty or to be replaced, while nothing else uses its
 * database. The file is read and checked before anything changes; the database changes in one transaction,
 * which ends with verifying rows and checksum of every table; files are put into place after it. Nobody stays
 * signed in: what was signed out after the backup would be signed in again. Errors:
 * Error with the reason; then nothing changed.
 */
export async function restore(options: RestoreOptions): Promise<RestoreResult> {
  const { database, dataDir, replace } = options;
  const manifest = await verify(options);
  const client = database.client();
  client.on("error", () => undefined);
  await client.connect();
  const staging = join(dataDir, "restore.new");
  try {
    await requireRights(client);
    await refuseOccupied(client, replace);
    if (!replace) await refuseOtherFiles(dataDir, manifest.files);
    await rm(staging, { recursive: true, force: true });
    await client.query("begin");
    await client.query(readingSettings);
    await dropEverything(client);
    await migrateTo(client, manifest.migrations);
    const schema = await layBare(client);
    await readEntries(options, (entries) => fill({ client, manifest, staging }, entries));
    for (const table of manifest.tables) await attachPartition(client, table);
    await schema.putBack();
    await setSequences(client, manifest.sequences);
    await compare(client, manifest);
    await endOpenAccess(client);
    await client.query("commit");
    await place(staging, dataDir, manifest.files);
    return { manifest, migrated: await migrate(database.pool) };
  } finally {
    await rm(staging, { recursive: true, force: true });
    await client.end();
  }
}

async function refuseOccupied(client: pg.Client, replace: boolean): Promise<void> {
  const { foreignTables, companies, otherConnections } = await occupantsOf(client);
  if (foreignTables > 0)
    throw new Error(
      `The database holds ${String(foreignTables)} tables that are not of Metrum. Nothing was changed; give it a database of its own.`,
    );
  if (companies > 0 && !replace)
    throw new Error(
      `The database is not empty: it holds ${String(companies)} companies. Nothing was changed; with --replace they are lost.`,
    );
  if (otherConnections > 0)
    throw new Error(
      `The database is in use by ${String(otherConnections)} other connections. Nothing was changed; stop Metrum first.`,
    );
}

/** An existing file with other contents would be lost. */
async function refuseOtherFiles(dataDir: string, files: readonly FileEntry[]): Promise<void> {
  for (const { path, bytes, sha256 } of files) {
    const about = await stat(join(dataDir, path)).catch(() => undefined);
    if (!about || (about.size === bytes && (await hashOf(join(dataDir, path))) === sha256)) continue;
    throw new Error(
      `${dataDir} already holds another ${path}. Nothing was changed; with --replace it is lost.`,
    );
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

interface Filling {
  readonly client: pg.Client;
  readonly manifest: Manifest;
  readonly staging: string;
}

/** Processes the entries in order: each table and file is one run of parts. */
async function fill(
  { client, manifest, staging }: Filling,
  entries: AsyncGenerator<TarEntry>,
): Promise<void> {
  const runs = runsOf(entries);
  const tables = new Map(manifest.tables.map((table) => [ownerOf(tablePart(table.name, 0)), table]));
  const files = new Map(manifest.files.map((each, index) => [ownerOf(filePart(index, 0)), each]));
  for (const table of manifest.tables) await makePartition(client, table);
  // An empty file has no part.
  for (const each of manifest.files.filter(({ bytes }) => bytes === 0)) await stage(staging, each, none());
  for await (const { owner, parts } of runs) {
    const table = tables.get(owner);
    if (table) await copyIn(client, copyInText(table), parts);
    const file = files.get(owner);
    if (file) await stage(staging, file, parts);
  }
  while (!(await entries.next()).done);
}

async function* none(): AsyncGenerator<Buffer> {
  // Nothing.
}

/** Splits a stream of entries where the owner changes; each run must be read to its end before the next. */
async function* runsOf(
  entries: AsyncGenerator<TarEntry>,
): AsyncGenerator<{ owner: string; parts: AsyncGenerator<Buffer> }> {
  let next = await entries.next();
  while (!next.done && next.value.name !== manifestEntry) {
    const owner = ownerOf(next.value.name);
    yield { owner, parts: run(owner) };
  }

  async function* run(owner: string): AsyncGenerator<Buffer> {
    while (!next.done && ownerOf(next.value.name) === owner) {
      yield next.value.data;
      next = await entries.next();
    }
  }
}

async function stage(staging: string, file: FileEntry, parts: AsyncGenerator<Buffer>): Promise<void> {
  const path = join(staging, file.path);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await open(path, "wx", file.mode);
  try {
    for await (const part of parts) await handle.write(part);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function compare(client: pg.Client, { tables }: Manifest): Promise<void> {
  for (const table of tables) {
    const { rows, checksum } = await sumOf(client, table);
    if (rows === table.rows && checksum === table.checksum) continue;
    throw new Error(
      `${table.name} came out with ${String(rows)} rows and checksum ${checksum} instead of ${String(table.rows)} and ${table.checksum}. Nothing was changed.`,
    );
  }
}

async function place(staging: string, dataDir: string, files: readonly FileEntry[]): Promise<void> {
  for (const { path } of files) {
    await mkdir(dirname(join(dataDir, path)), { recursive: true, mode: 0o700 });
    await rename(join(staging, path), join(dataDir, path));
  }
}
