import { join, resolve } from "node:path";
import { fingerprintOf, makeSecretsKey, secretsKeyFile } from "../secrets.ts";
import type { Db } from "./database.ts";
import { canRemember, holdsSealed, remember, remembered, rememberOnce } from "./installationStore.ts";

/** Key of `installation` under which the fingerprint of the key of the secrets is. */
const fingerprintKey = "secrets.fingerprint";

/**
 * Compares the key of the data directory with the one that the database was begun with. Nothing to compare before the
 * first start. Errors: Error with what to do.
 */
export async function requireSecretsKey(system: Db, dataDir: string): Promise<void> {
  if (!(await canRemember(system))) return;
  const stored = await remembered<string>(system, fingerprintKey);
  if (stored === undefined) return;
  const own = fingerprintOf(dataDir);
  if (stored === own) return;
  throw new Error(own === undefined ? missing(dataDir) : another(dataDir));
}

/**
 * The same at the start of a process: the first one makes the key and stores its fingerprint. Before anything uses
 * the key, so that no process seals with another one.
 */
export async function holdSecretsKey(system: Db, dataDir: string): Promise<void> {
  await requireSecretsKey(system, dataDir);
  if (fingerprintOf(dataDir) === undefined && (await holdsSealed(system))) throw new Error(missing(dataDir));
  makeSecretsKey(dataDir);
  await rememberOnce(system, fingerprintKey, fingerprintOf(dataDir));
  // Of two first starts with data directories of their own one was later.
  await requireSecretsKey(system, dataDir);
}

/** Accepts the key of the data directory in place of a lost one. What the lost one sealed stays unreadable. */
export async function acceptSecretsKey(system: Db, dataDir: string): Promise<void> {
  makeSecretsKey(dataDir);
  await remember(system, fingerprintKey, fingerprintOf(dataDir));
}

const remedy =
  "Copy the file from a machine that runs this installation, or from a backup; METRUM_DATA_DIR may name the wrong directory. If it is lost for good: npm run metrum -- accept-key";

const missing = (dataDir: string): string =>
  `${join(resolve(dataDir), secretsKeyFile)} is missing, but the database holds secrets that only this key opens. ${remedy}`;
const another = (dataDir: string): string =>
  `${join(resolve(dataDir), secretsKeyFile)} is not the key of this database, whose secrets it cannot open. ${remedy}`;
