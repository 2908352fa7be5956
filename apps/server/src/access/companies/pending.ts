import type { CompanyId } from "@metrum/vocabulary";
import type { Db } from "#core";
import type { CompanyRow } from "./store.ts";

/** A company by its id, for what happens before a session exists. */
export async function companyById(system: Db, id: CompanyId): Promise<CompanyRow | undefined> {
  return system.selectFrom("company").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Switches a company on that has registered itself and confirmed it. */
export async function openCompany(system: Db, id: CompanyId): Promise<void> {
  await system.updateTable("company").set({ is_active: true }).where("id", "=", id).execute();
}

/** Takes away a company that has registered itself and never confirmed it: nobody has ever worked in it. */
export async function removePending(system: Db, id: CompanyId): Promise<void> {
  await system.deleteFrom("company").where("id", "=", id).where("is_active", "=", false).execute();
}
