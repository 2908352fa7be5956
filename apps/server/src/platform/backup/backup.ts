import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open, readdir, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import { isAlive, requireSecretsKey, type Database } from "#core";
import { copyOut } from "./copy.ts";
import { filesOf } from "./files.ts";
import { noteBackup } from "./lastBackup.ts";
import {
  filePart,
  formatVersion,
  headEntry,
  manifestEntry,
  tablePart,
  type FileEntry,
  type Manifest,
  type TableEntry,
} from "./manifest.ts";
import { isBackup } from "./read.ts";
import { sealPieces } from "./sealed.ts";
import {
  beginReading,
  copyOutText,
  migrationsOf,
  sequencesOf,
  sumOf,
  tablesOf,
  type TableShape,
} from "./store.ts";
import { tarEnd, tarEntry } from "./tar.ts";

export interface BackupOptions {
  readonly database: Database;
  readonly dataDir: string;
  readonly file: string;
  /** Encrypts the file; without it whoever reads the file reads everything. */
  readonly passphrase?: string | undefined;
  /**
   * Called with the name of the exported snapshot during the backup, so that others can read the same state.
   */
  readonly onSnapshot?: (snapshot: string) => Promise<void>;
}

export interface BackupResult {
  readonly manifest: Manifest;
  readonly bytes: number;
  readonly durationMs: number;
}

/** Speed over size: level 6 takes three times as long and saves a tenth. */
const level = 2;
const partBytes = 1024 * 1024;

/**
 * Writes all data of an installation into one file, from one snapshot, without disturbing the server. The
 * file has mode 0600, because it contains the key of the secrets. It gets its name when it is complete.
 * Errors: Error with the reason; then there is no file.
 */
export async function backup(options: BackupOptions): Promise<BackupResult> {
  const { database, dataDir, file, passphrase, onSnapshot } = options;
  const began = performance.now();
  const target = await targetOf(file, dataDir);
  await requireSecretsKey(database.system, dataDir);
  await removeUnfinished(dirname(target));
  const unfinished = `${target}.${String(process.pid)}.part`;
  const client = database.client();
  client.on("error", () => undefined);
  await client.connect();
  try {
    const writing = { client, dataDir, onSnapshot };
    const box: { manifest?: Manifest } = {};
    await pipeline(
      Readable.from(archive(writing, box), { objectMode: false }),
      createGzip({ level }),
      (packed: AsyncIterable<Buffer>) => (passphrase === undefined ? packed : sealPieces(packed, passphrase)),
      createWriteStream(unfinished, { mode: 0o600, flags: "wx", flush: true }),
    );
    if (!box.manifest) throw new Error("the backup was not finished");
    await rename(unfinished, target);
    const { size: bytes } = await stat(target);
    const durationMs = Math.round(performance.now() - began);
    await noteBackup(database.system, { at: Math.floor(Date.now() / 1000), file: target, bytes, durationMs });
    return { manifest: box.manifest, bytes, durationMs };
  } finally {
    await rm(unfinished, { force: true });
    await client.end();
  }
}

/** Removes what backups that were killed have left in this folder: it may hold everything, unencrypted. */
async function removeUnfinished(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const pid = Number(/\.(\d+)\.part$/.exec(name)?.[1]);
    if (!Number.isInteger(pid) || (pid !== process.pid && isAlive(pid))) continue;
    const path = join(directory, name);
    if (await isBackup(path)) await rm(path, { force: true });
  }
}

/** Target of the file, which must be outside the saved directory. Only an older backup may be overwritten. */
async function targetOf(file: string, dataDir: string): Promise<string> {
  const directory = await realpath(dirname(resolve(file))).catch(() => {
    throw new Error(`There is no directory ${dirname(resolve(file))}.`);
  });
  const target = join(directory, basename(file));
  const data = await realpath(dataDir).catch(() => resolve(dataDir));
  if (!relative(data, target).startsWith(".."))
    throw new Error(
      `${target} is inside of the data directory, of which it is to be a copy: name a file elsewhere.`,
    );
  const there = await stat(target).catch(() => undefined);
  if (there && !(there.isFile() && (await isBackup(target))))
    throw new Error(`${target} exists and is no backup of Metrum: name another file.`);
  return target;
}

interface Writing {
  readonly client: pg.Client;
  readonly dataDir: string;
  readonly onSnapshot: BackupOptions["onSnapshot"];
}

async function* archive(writing: Writing, box: { manifest?: Manifest }): AsyncGenerator<Buffer> {
  const { client, dataDir, onSnapshot } = writing;
  const { snapshot, at, postgres } = await beginReading(client);
  const migrations = await migrationsOf(client);
  if (migrations.length === 0)
    throw new Error("There is nothing to save: the database has no tables of Metrum.");
  await onSnapshot?.(snapshot);
  yield tarEntry({ name: headEntry, data: Buffer.from(JSON.stringify({ format: formatVersion })) });
  const tables: TableEntry[] = [];
  for (const table of await tablesOf(client)) tables.push(yield* writeTable(client, table));
  const sequences = await sequencesOf(client);
  // After the rows, so that everything they refer to exists.
  const files: FileEntry[] = [];
  for (const path of await filesOf(dataDir)) files.push(yield* writeFile(dataDir, path, files.length));
  const manifest = { format: formatVersion, at, postgres, migrations, tables, sequences, files } as const;
  yield tarEntry({ name: manifestEntry, data: Buffer.from(JSON.stringify(manifest)) });
  yield tarEnd;
  await client.query("commit");
  box.manifest = manifest;
}

async function* writeTable(client: pg.Client, table: TableShape): AsyncGenerator<Buffer, TableEntry> {
  const sums = await sumOf(client, table);
  const written = yield* writeParts(copyOut(client, copyOutText(table)), (part) =>
    tablePart(table.name, part),
  );
  return { ...table, ...sums, ...written };
}

async function* writeFile(dataDir: string, path: string, index: number): AsyncGenerator<Buffer, FileEntry> {
  const handle = await open(join(dataDir, path));
  try {
    const { mode } = await handle.stat();
    const content = handle.createReadStream({ highWaterMark: partBytes, autoClose: false });
    const written = yield* writeParts(content as AsyncIterable<Buffer>, (part) => filePart(index, part));
    return { path, mode: mode & 0o777, ...written };
  } finally {
    await handle.close();
  }
}

async function* writeParts(
  pieces: AsyncIterable<Buffer>,
  nameOf: (part: number) => string,
): AsyncGenerator<Buffer, { bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let [bytes, part] = [0, 0];
  for await (const data of pieces) {
    hash.update(data);
    bytes += data.length;
    yield tarEntry({ name: nameOf(part++), data });
  }
  return { bytes, sha256: hash.digest("hex") };
}
