import type { CompanyId, UserId } from "@metrum/vocabulary";
import { sql, type Insertable } from "kysely";
import type { Db } from "#core";
import type { RegistrationTable } from "./tables.ts";

export async function add(system: Db, row: Insertable<RegistrationTable>): Promise<void> {
  await system.insertInto("registration").values(row).execute();
}

/** The company of a user whose registration is not confirmed yet. */
export async function pendingOf(system: Db, userId: UserId): Promise<CompanyId | undefined> {
  const row = await system
    .selectFrom("registration")
    .select("company_id")
    .where("user_id", "=", userId)
    .where("activated_at", "is", null)
    .executeTakeFirst();
  return row?.company_id;
}

export async function noteActivation(system: Db, companyId: CompanyId, at: Date): Promise<void> {
  await system
    .updateTable("registration")
    .set({ activated_at: at })
    .where("company_id", "=", companyId)
    .execute();
}

/** Registrations deleted per run. */
const forgottenAtOnce = 1_000;

/** Companies whose letters expired unopened. */
export async function forgotten(system: Db, now: Date): Promise<CompanyId[]> {
  const rows = await system
    .selectFrom("registration")
    .select("company_id")
    .where("activated_at", "is", null)
    .where("expires_at", "<", now)
    .limit(forgottenAtOnce)
    .execute();
  return rows.map((row) => row.company_id);
}

/**
 * Executes work that is kept only if `isMeant`, else rolled back: the same statements run either way, so that
 * the response time does not disclose which it was. `db` is a transaction.
 */
export async function keptIf(db: Db, isMeant: boolean, work: () => Promise<void>): Promise<void> {
  await sql`savepoint pretended`.execute(db);
  await work();
  await (isMeant ? sql`release savepoint pretended` : sql`rollback to savepoint pretended`).execute(db);
}
