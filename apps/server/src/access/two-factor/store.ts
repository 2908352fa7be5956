import type { UserId } from "@metrum/vocabulary";
import type { Db } from "#core";
import type {} from "./tables.ts";

/** Whether this user must give a one-time code. */
export async function hasTwoFactor(system: Db, userId: UserId): Promise<boolean> {
  return (await withTwoFactor(system, [userId])).has(userId);
}

/** Those of the users who must give a one-time code. */
export async function withTwoFactor(system: Db, userIds: readonly UserId[]): Promise<ReadonlySet<UserId>> {
  if (userIds.length === 0) return new Set();
  const rows = await system
    .selectFrom("two_factor")
    .select("user_id")
    .where("user_id", "in", userIds)
    .where("enabled_at", "is not", null)
    .execute();
  return new Set(rows.map(({ user_id }) => user_id));
}

export async function secrets(
  system: Db,
  userId: UserId,
): Promise<{ readonly secret: Buffer | null; readonly pending_secret: Buffer | null } | undefined> {
  return system
    .selectFrom("two_factor")
    .select(["secret", "pending_secret"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

/** Stores a pending secret. False if one is already active. */
export async function keepPending(system: Db, userId: UserId, pending_secret: Buffer): Promise<boolean> {
  const row = await system
    .insertInto("two_factor")
    .values({ user_id: userId, secret: null, pending_secret, enabled_at: null })
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet({ pending_secret }).where("two_factor.enabled_at", "is", null),
    )
    .returning("user_id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Activates the pending secret; its first code is thereby used up. */
export async function putInForce(
  system: Db,
  userId: UserId,
  given: { readonly pending: Buffer; readonly step: number; readonly at: Date },
): Promise<boolean> {
  const row = await system
    .updateTable("two_factor")
    .set({ secret: given.pending, pending_secret: null, last_step: given.step, enabled_at: given.at })
    .where("user_id", "=", userId)
    .where("pending_secret", "=", given.pending)
    .where("enabled_at", "is", null)
    .returning("user_id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses up a time step. One statement, so that only one of several concurrent attempts succeeds. */
export async function spendStep(system: Db, userId: UserId, step: number): Promise<boolean> {
  const row = await system
    .updateTable("two_factor")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    .where("enabled_at", "is not", null)
    .where("last_step", "<", step)
    .returning("user_id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses up a recovery code, atomically too. */
export async function spendRecovery(system: Db, userId: UserId, code_hash: Buffer): Promise<boolean> {
  const row = await system
    .deleteFrom("two_factor_recovery")
    .where("user_id", "=", userId)
    .where("code_hash", "=", code_hash)
    .returning("user_id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function replaceRecovery(system: Db, userId: UserId, hashes: readonly Buffer[]): Promise<void> {
  await system.deleteFrom("two_factor_recovery").where("user_id", "=", userId).execute();
  await system
    .insertInto("two_factor_recovery")
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute();
}

export async function recoveryLeft(system: Db, userId: UserId): Promise<number> {
  const { n } = await system
    .selectFrom("two_factor_recovery")
    .select((select) => select.fn.countAll<number>().as("n"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return n;
}

export async function remove(system: Db, userId: UserId): Promise<void> {
  await system.deleteFrom("two_factor").where("user_id", "=", userId).execute();
}
