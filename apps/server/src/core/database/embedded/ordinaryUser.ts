import { lchown, lstat, mkdir, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { hasCode } from "../../errorCode.ts";
import { ordinaryAccount, type Account } from "./account.ts";
import { succeeds } from "./execute.ts";

type User = Extract<Account, { kind: "user" }>;

/** What a process needs once it is no longer root. */
export interface Needs {
  readonly dataDir: string;
  /** Files to be read: program, packages, certificates. */
  readonly read: readonly string[];
  /** Folders to be written, besides the data directory. */
  readonly written: readonly string[];
}

/**
 * The system user that can go on in place of root; its reason if there is none. It becomes the owner of the data
 * directory; files that others have put there stay theirs.
 */
export async function ordinaryUser(needs: Needs): Promise<User | string> {
  // Programs that try as that user start in the root directory.
  const dataDir = resolve(needs.dataDir);
  const [read, written] = [needs.read.map(absolute), needs.written.map(absolute)];
  await mkdir(dataDir, { recursive: true });
  const user = await ordinaryAccount(dataDir);
  if (user?.kind !== "user") return `no user but root can reach ${dataDir}`;
  for (const path of read)
    if (!(await succeeds(user, "/bin/sh", ["-c", 'test -r "$1"', "sh", path])))
      return `only root can read ${path}`;
  for (const path of written)
    if (!(await succeeds(user, "/bin/sh", ["-c", 'test -w "$1" && cd "$1"', "sh", path])))
      return `only root can write to ${path}`;
  await handOver(dataDir, user);
  return user;
}

const absolute = (path: string): string => resolve(path);

/**
 * Only what root owns under one name: a link that somebody has put there must not give away a file elsewhere. The
 * database is running: a file that it has removed meanwhile needs no owner.
 */
async function handOver(path: string, user: User): Promise<void> {
  try {
    await handOverPresent(path, user);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

async function handOverPresent(path: string, user: User): Promise<void> {
  const about = await lstat(path);
  const isOurs = about.isDirectory() || (about.isFile() && about.nlink === 1);
  if (!isOurs) return;
  if (about.uid === 0) await lchown(path, user.uid, user.gid);
  if (about.isDirectory()) for (const name of await readdir(path)) await handOver(join(path, name), user);
}
