import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { output, succeeds } from "./execute.ts";

/** Account that runs PostgreSQL. PostgreSQL refuses to run as root, so root needs a substitute. */
export type Account =
  | { readonly kind: "self" }
  | { readonly kind: "user"; readonly uid: number; readonly gid: number }
  /** Root outside, user 65534 inside a user namespace: can access root's files, even below a closed home. */
  | { readonly kind: "namespace" };

/**
 * Location of the cluster and the account that runs it. `notice` is printed in the start line when the
 * location is not the data directory.
 */
export interface Place {
  readonly directory: string;
  readonly account: Account;
  readonly notice: string | null;
}

const systemUser = "metrum";
const fallbackRoot = "/var/lib/metrum";

/** `dataDir` exists and is absolute. Never moves a cluster: an existing one determines the location. */
export async function choosePlace(dataDir: string): Promise<Place> {
  const elsewhere = join(fallbackRoot, createHash("sha256").update(dataDir).digest("hex").slice(0, 12));
  if (process.getuid?.() !== 0) return { directory: dataDir, account: { kind: "self" }, notice: null };
  if (!existsSync(join(elsewhere, "database"))) {
    const account = await accountFor(dataDir);
    if (account) return { directory: dataDir, account, notice: null };
  }
  if (existsSync(join(dataDir, "database")))
    throw new Error(
      `No user but root can reach ${dataDir} here any longer, and PostgreSQL does not run as root: open its parents for passing through, or move it`,
    );
  await mkdir(elsewhere, { recursive: true });
  await chmod(fallbackRoot, 0o755);
  const account = (await accountFor(elsewhere)) ?? (await standIn("nobody"));
  if (!account)
    throw new Error(
      "PostgreSQL does not run as root and no other user can be had here: start Metrum as an ordinary user, or set METRUM_DATABASE_URL",
    );
  return { directory: elsewhere, account, notice: `the database is in ${elsewhere}` };
}

/**
 * The account that can use `directory`, or undefined. The owner of an existing cluster is tried first, to
 * avoid a needless chown.
 */
async function accountFor(directory: string): Promise<Account | undefined> {
  const owner = await stat(join(directory, "database")).catch(() => undefined);
  const namespace: Account = { kind: "namespace" };
  if (owner?.uid === 0 && (await reaches(namespace, directory))) return namespace;
  await chmod(directory, (await stat(directory)).mode | 0o011);
  if (owner && owner.uid !== 0) {
    const user: Account = { kind: "user", uid: owner.uid, gid: owner.gid };
    if (await reaches(user, directory)) return user;
  }
  const user =
    (await standIn(systemUser)) ?? ((await addSystemUser()) ? await standIn(systemUser) : undefined);
  if (user && (await reaches(user, directory))) return user;
  return (await reaches(namespace, directory)) ? namespace : undefined;
}

/** The system user of the platform, or the owner of the database, if it can use the directory of root. */
export async function ordinaryAccount(directory: string): Promise<Account | undefined> {
  const account = await accountFor(directory);
  return account?.kind === "user" ? account : undefined;
}

async function standIn(name: string): Promise<Account | undefined> {
  const [uid, gid] = await Promise.all([output("id", ["-u", name]), output("id", ["-g", name])]);
  return uid === undefined || gid === undefined
    ? undefined
    : { kind: "user", uid: Number(uid), gid: Number(gid) };
}

function addSystemUser(): Promise<boolean> {
  const home = ["--no-create-home", "--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin"];
  return succeeds({ kind: "self" }, "useradd", ["--system", "--user-group", ...home, systemUser]);
}

function reaches(account: Account, directory: string): Promise<boolean> {
  return succeeds(account, "/bin/sh", ["-c", 'cd "$1"', "sh", directory]);
}
