import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { constants, createGunzip, gunzipSync } from "node:zlib";
import {
  filePart,
  formatVersion,
  Head,
  headEntry,
  Manifest,
  manifestEntry,
  ownerOf,
  tablePart,
} from "./manifest.ts";
import { isSealed, openPieces, SealedFault } from "./sealed.ts";
import { readTar, type TarEntry } from "./tar.ts";

/** The file is not a valid backup: not a backup, of another format, truncated or altered. */
export class DamagedBackup extends Error {
  override readonly name = "DamagedBackup";
}

/** A backup, and the passphrase with which it was encrypted, if it was. */
export interface BackupFile {
  readonly file: string;
  readonly passphrase?: string | undefined;
}

/**
 * Iterates the entries of a backup, once. Errors: DamagedBackup; Error of the file system; errors of `use`.
 */
export async function readEntries<Result>(
  { file, passphrase }: BackupFile,
  use: (entries: AsyncGenerator<TarEntry>) => Promise<Result>,
): Promise<Result> {
  const box: { result?: { value: Result } } = {};
  const unsealed = await unsealing(file, passphrase);
  const stored = createReadStream(file, { highWaterMark: 256 * 1024 });
  try {
    await pipeline(stored, unsealed, createGunzip({ chunkSize: 256 * 1024 }), async (source) => {
      box.result = { value: await use(meaningOf(file, readTar(source as AsyncIterable<Buffer>))) };
    });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (error instanceof SealedFault)
      throw new DamagedBackup(`${file} cannot be opened: ${error.message}.`, { cause: error });
    throw code.startsWith("Z_") ? damaged(file, error) : error;
  }
  if (!box.result) throw new Error("nothing was read");
  return box.result.value;
}

/** Decrypts a file that is encrypted; another one passes unchanged. Errors: DamagedBackup without a passphrase. */
async function unsealing(
  file: string,
  passphrase: string | undefined,
): Promise<(source: AsyncIterable<Buffer>) => AsyncIterable<Buffer>> {
  if (!isSealed(await startOf(file))) return (source) => source;
  if (passphrase === undefined)
    throw new DamagedBackup(
      `${file} is encrypted: set METRUM_BACKUP_PASSPHRASE, or name the file with its passphrase by --passphrase-file.`,
    );
  return (source) => openPieces(source, passphrase);
}

async function startOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1024), 0, 1024, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function damaged(file: string, cause: unknown): DamagedBackup {
  return new DamagedBackup(`${file} is no backup of Metrum, or it is cut off or damaged.`, { cause });
}

/** Describes the fault of a file for its owner. */
async function* meaningOf(file: string, entries: AsyncGenerator<TarEntry>): AsyncGenerator<TarEntry> {
  try {
    const head = await entries.next();
    const isOurs = !head.done && head.value.name === headEntry;
    if (!isOurs) throw new DamagedBackup(`${file} is no backup of Metrum.`);
    const { format } = Head.parse(JSON.parse(head.value.data.toString()));
    if (format !== formatVersion)
      throw new DamagedBackup(
        `${file} has format ${String(format)}; this version reads ${String(formatVersion)}.`,
      );
    yield* entries;
  } catch (cause) {
    throw cause instanceof DamagedBackup ? cause : damaged(file, cause);
  }
}

/** Whether a file starts like a backup. */
export async function isBackup(file: string): Promise<boolean> {
  try {
    const start = await startOf(file);
    if (isSealed(start)) return true;
    const head = gunzipSync(start, { finishFlush: constants.Z_SYNC_FLUSH });
    return head.toString("latin1", 0, headEntry.length) === headEntry;
  } catch {
    return false;
  }
}

/**
 * Reads the whole file without storing it, and returns its contents. Errors: DamagedBackup if a byte was
 * altered.
 */
export async function verify(from: BackupFile): Promise<Manifest> {
  const { file } = from;
  const sums = new Map<string, { hash: ReturnType<typeof createHash>; bytes: number }>();
  const manifest = await readEntries(from, async (entries) => {
    let last: TarEntry | undefined;
    for await (const entry of entries) {
      last = entry;
      if (entry.name === manifestEntry) continue;
      const owner = ownerOf(entry.name);
      const sum = sums.get(owner) ?? { hash: createHash("sha256"), bytes: 0 };
      sum.hash.update(entry.data);
      sums.set(owner, { ...sum, bytes: sum.bytes + entry.data.length });
    }
    if (last?.name !== manifestEntry) throw new DamagedBackup(`${file} is cut off.`);
    return parseManifest(file, last.data);
  });
  const differing = [...partsOf(manifest)].filter(([owner, { bytes, sha256 }]) => {
    const sum = sums.get(owner);
    sums.delete(owner);
    return sum ? sum.bytes !== bytes || sum.hash.digest("hex") !== sha256 : bytes !== 0;
  });
  const strange = [...differing.map(([owner]) => owner), ...sums.keys()];
  if (strange.length > 0)
    throw new DamagedBackup(`${file} is damaged or was altered: ${strange.join(", ")}.`);
  return manifest;
}

function parseManifest(file: string, data: Buffer): Manifest {
  try {
    return Manifest.parse(JSON.parse(data.toString()));
  } catch (cause) {
    throw new DamagedBackup(`${file} is damaged or was altered: ${manifestEntry}.`, { cause });
  }
}

/** Manifest data of every table and file, by the name prefix of its entries. */
function partsOf({ tables, files }: Manifest): Map<string, { bytes: number; sha256: string }> {
  const parts = new Map<string, { bytes: number; sha256: string }>();
  for (const table of tables) parts.set(ownerOf(tablePart(table.name, 0)), table);
  for (const [index, each] of files.entries()) parts.set(ownerOf(filePart(index, 0)), each);
  return parts;
}
