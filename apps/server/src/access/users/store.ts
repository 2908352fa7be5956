import type { UserId } from "@metrum/vocabulary";
import { sql, type Insertable, type Selectable } from "kysely";
import { storableJson, type Db, type Scope } from "#core";
import type { UserTable } from "./tables.ts";

export type UserRow = Selectable<UserTable>;

/** The account of the session. It lives in the home company, which a session inside another company does not see. */
export async function ownAccount(system: Db, scope: Pick<Scope, "userId">): Promise<UserRow | undefined> {
  return system.selectFrom("users").selectAll().where("id", "=", scope.userId).executeTakeFirst();
}

/** Reads the settings of the account to change them: locked until the transaction ends. */
export async function lockSettings(
  system: Db,
  scope: Pick<Scope, "userId">,
): Promise<Record<string, unknown> | undefined> {
  const row = await system
    .selectFrom("users")
    .select("settings")
    .where("id", "=", scope.userId)
    .forUpdate()
    .executeTakeFirst();
  return row?.settings;
}

export async function saveSettings(
  system: Db,
  scope: Pick<Scope, "userId">,
  settings: Record<string, unknown>,
): Promise<void> {
  await system
    .updateTable("users")
    .set({ settings: storableJson(settings) })
    .where("id", "=", scope.userId)
    .execute();
}

/** The account of an address in any company, for what happens before a session exists. */
export async function accountOf(system: Db, email: string): Promise<UserRow | undefined> {
  return system.selectFrom("users").selectAll().where("email", "=", email).executeTakeFirst();
}

/** Notes a sign-in: only the first one is `first_login`. */
export async function noteSignIn(
  system: Db,
  id: UserId,
  { at, consents }: { readonly at: Date; readonly consents: boolean },
): Promise<void> {
  await system
    .updateTable("users")
    .set({
      first_login: sql<boolean>`last_sign_in_at is null`,
      last_sign_in_at: at,
      ...(consents ? { personal_data_access_at: at } : {}),
    })
    .where("id", "=", id)
    .execute();
}

export async function createUser(
  system: Db,
  given: Omit<Insertable<UserTable>, "settings">,
): Promise<UserId> {
  const { id } = await system.insertInto("users").values(given).returning("id").executeTakeFirstOrThrow();
  return id;
}
