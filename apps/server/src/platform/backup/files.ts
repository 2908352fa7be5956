import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { hasCode } from "#core";

/** Files of the embedded PostgreSQL: its rows are exported, and its password belongs to one cluster. */
const ofTheEngine = /^(database|engine-|restore\.new)/;

/**
 * Files of the data directory included in a backup, relative to it and with slashes: secrets, licence,
 * designs, letters, uploads. Empty without a data directory.
 */
export async function filesOf(dataDir: string): Promise<string[]> {
  const top = await entriesOf(dataDir);
  const kept = top.filter(({ name }) => !ofTheEngine.test(name));
  const found = await Promise.all(kept.map((entry) => filesBelow(dataDir, entry)));
  return found
    .flat()
    .map((path) => relative(dataDir, path).split(sep).join("/"))
    .sort();
}

async function filesBelow(directory: string, entry: Dirent): Promise<string[]> {
  const path = join(directory, entry.name);
  if (entry.isFile()) return [path];
  // Links and sockets are skipped: they may point outside.
  if (!entry.isDirectory()) return [];
  const below = await entriesOf(path);
  return (await Promise.all(below.map((each) => filesBelow(path, each)))).flat();
}

async function entriesOf(directory: string): Promise<Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}
