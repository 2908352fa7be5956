import type { UserId } from "@metrum/vocabulary";
import type { Db, PublicCtx, SecretBox } from "#core";
import { newRecoveryCodes, newSecret, plainRecovery, stepOf, uriOf } from "./codes.ts";
import * as store from "./store.ts";

type Given = Pick<PublicCtx, "secretBox" | "database" | "clock">;

/**
 * Accepts a one-time code or a recovery code, each once. A used code stays used even if the caller's
 * transaction is rolled back. The caller counts wrong ones.
 */
export async function spendCode(ctx: Given, userId: UserId, code: string): Promise<"ok" | "wrong"> {
  const { system } = ctx.database;
  const box = ctx.secretBox;
  const recovery = plainRecovery(code);
  if (recovery !== undefined)
    return (await store.spendRecovery(system, userId, hashOf(box, userId, recovery))) ? "ok" : "wrong";
  const row = await store.secrets(system, userId);
  if (!row?.secret) return "wrong";
  const step = stepOf(box.open(row.secret, purposeOf(userId)), code, ctx.clock.now());
  return step !== undefined && (await store.spendStep(system, userId, step)) ? "ok" : "wrong";
}

/** A new secret waiting for its first code; undefined if one is already active. */
export async function beginTwoFactor(
  ctx: Given,
  { id, email }: { readonly id: UserId; readonly email: string },
): Promise<{ readonly secret: string; readonly uri: string } | undefined> {
  const secret = newSecret();
  const sealed = ctx.secretBox.seal(secret, purposeOf(id));
  const isKept = await store.keepPending(ctx.database.system, id, sealed);
  return isKept ? { secret, uri: uriOf(secret, email) } : undefined;
}

/** A pending secret that matches this code. */
export interface Confirmed {
  readonly pending: Buffer;
  readonly step: number;
}

/** Whether the code matches the pending secret; changes nothing. */
export async function confirmPending(
  ctx: Given,
  userId: UserId,
  code: string,
): Promise<Confirmed | undefined> {
  const row = await store.secrets(ctx.database.system, userId);
  if (!row?.pending_secret) return undefined;
  const step = stepOf(ctx.secretBox.open(row.pending_secret, purposeOf(userId)), code, ctx.clock.now());
  return step === undefined ? undefined : { pending: row.pending_secret, step };
}

/**
 * Activates a confirmed secret in the caller's transaction. Returns the recovery codes; undefined when a
 * concurrent request was first.
 */
export async function enableTwoFactor(
  ctx: Given,
  db: Db,
  { userId, confirmed }: { readonly userId: UserId; readonly confirmed: Confirmed },
): Promise<string[] | undefined> {
  const at = new Date(ctx.clock.nowMs());
  if (!(await store.putInForce(db, userId, { ...confirmed, at }))) return undefined;
  return renewRecoveryCodes(ctx, db, userId);
}

/** New recovery codes replace all earlier ones; only their hashes are stored. */
export async function renewRecoveryCodes(
  { secretBox: box }: Pick<Given, "secretBox">,
  db: Db,
  userId: UserId,
): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => hashOf(box, userId, code.replace("-", "")));
  await store.replaceRecovery(db, userId, hashes);
  return codes;
}

function hashOf(box: SecretBox, userId: UserId, plain: string): Buffer {
  return box.mac(plain, `recovery:${String(userId)}`);
}

function purposeOf(userId: UserId): string {
  return `two_factor:${String(userId)}`;
}
