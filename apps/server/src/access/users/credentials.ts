import type { UserId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";
import type { UserRow } from "./store.ts";

/** An account by its id, for what happens before a session exists. */
export async function accountById(system: Db, id: UserId): Promise<UserRow | undefined> {
  return system.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Some account, for work whose time must not tell that there is none of the address that was asked for. */
export async function anyAccount(system: Db): Promise<UserRow> {
  return system.selectFrom("users").selectAll().orderBy("id").limit(1).executeTakeFirstOrThrow();
}

/** Sets what an account signs in with. `password_change_needed`: the owner has to choose another one first. */
export async function setPassword(
  system: Db,
  id: UserId,
  given: { readonly password_hash: string; readonly password_change_needed: boolean },
): Promise<void> {
  await system
    .updateTable("users")
    .set({ ...given, version: sql<number>`version + 1` })
    .where("id", "=", id)
    .execute();
}

/** Lets go of the address of an account that was never confirmed, for whoever registers it again. */
export async function releaseAddress(system: Db, id: UserId): Promise<void> {
  await system
    .updateTable("users")
    .set({ email: `${String(id)}.${crypto.randomUUID()}@invalid` })
    .where("id", "=", id)
    .where("is_active", "=", false)
    .execute();
}

/** Lets an account sign in that has confirmed its registration. */
export async function openAccount(system: Db, id: UserId): Promise<void> {
  await system.updateTable("users").set({ is_active: true }).where("id", "=", id).execute();
}
