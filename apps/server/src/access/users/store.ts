import type { CompanyId, UserId } from "@metrum/vocabulary";
import { sql, type Insertable, type Selectable, type Updateable } from "kysely";
import { isUniqueViolation, storableJson, type Db, type Scope } from "#core";
import type { UserTable } from "./tables.ts";

export type UserRow = Selectable<UserTable>;

/**
 * Whether an account was refused because its address is in use: by another one of the company, or, once its mailbox is
 * proved, by an account of any company.
 */
export const isAddressTaken = (error: unknown): boolean =>
  isUniqueViolation(error, "users_email_key") || isUniqueViolation(error, "users_email_of_company");

/**
 * The account of the session. It lives in the home company, which a session inside another company does not
 * see.
 */
export async function ownAccount(system: Db, scope: Pick<Scope, "userId">): Promise<UserRow | undefined> {
  return system.selectFrom("users").selectAll().where("id", "=", scope.userId).executeTakeFirst();
}

/** Reads the settings of the account for a change: locked until the transaction ends. */
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

/** An account by its id, for use before a session exists. */
export async function accountById(system: Db, id: UserId): Promise<UserRow | undefined> {
  return system.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Any account, for work whose duration must not disclose that the requested address is unknown. */
export async function anyAccount(system: Db): Promise<UserRow> {
  return system.selectFrom("users").selectAll().orderBy("id").limit(1).executeTakeFirstOrThrow();
}

/** Whether a company has an administrator; unscoped. */
export async function hasAdmin(system: Db, companyId: CompanyId): Promise<boolean> {
  const found = await system
    .selectFrom("users")
    .select("id")
    .where("company_id", "=", companyId)
    .where("is_admin", "=", true)
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * The account of an address in any company, for use before a session exists; of several invitations that nobody has
 * accepted the newest. Index: users_email.
 */
export async function accountOf(system: Db, email: string): Promise<UserRow | undefined> {
  return system
    .selectFrom("users")
    .selectAll()
    .where("email", "=", email)
    .orderBy(sql`invited_at is null`, "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Records a sign-in: only the first one is `first_login`. */
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
      invited_at: null,
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

/** Fields of an account that can change after its creation; settings are merged separately. */
export type UserChange = Omit<Updateable<UserTable>, "id" | "company_id" | "version" | "settings">;

/** Changes a user of the company; undefined fields stay unchanged. */
export async function changeMember(db: Db, scope: Scope, id: UserId, change: UserChange): Promise<void> {
  await db
    .updateTable("users")
    .set((row) => ({ ...change, version: row("version", "+", 1) }))
    .where("id", "=", id)
    .where("company_id", "=", scope.companyId)
    .execute();
}

/** Changes an account in any company; undefined fields stay unchanged. */
export async function changeAnywhere(system: Db, id: UserId, change: UserChange): Promise<void> {
  await system
    .updateTable("users")
    .set((row) => ({ ...change, version: row("version", "+", 1) }))
    .where("id", "=", id)
    .execute();
}

/** Releases the address of an unconfirmed account for a new registration. */
export async function releaseAddress(system: Db, id: UserId): Promise<void> {
  await system
    .updateTable("users")
    .set({ email: `${String(id)}.${crypto.randomUUID()}@invalid` })
    .where("id", "=", id)
    .where("is_active", "=", false)
    .execute();
}

/** Enables an account whose registration is confirmed. */
export async function openAccount(system: Db, id: UserId): Promise<void> {
  await system.updateTable("users").set({ is_active: true }).where("id", "=", id).execute();
}

/** Deletes an account and keeps its name for the log. */
export async function removeMember(db: Db, scope: Scope, row: UserRow): Promise<void> {
  await db
    .insertInto("departed_user")
    .values({ id: row.id, company_id: scope.companyId, name: row.name, email: row.email })
    .execute();
  await db.deleteFrom("users").where("id", "=", row.id).where("company_id", "=", scope.companyId).execute();
}
