import type { CompanyId, DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";

/** The company with this id; undefined when there is none. */
export async function companyOf(system: Db, id: number): Promise<CompanyId | undefined> {
  const { rows } = await sql<{ id: CompanyId }>`select id from company where id = ${id}`.execute(system);
  return rows[0]?.id;
}

/** The devices of a company by their number. */
export async function devicesByNumber(system: Db, companyId: CompanyId): Promise<Map<string, DeviceId>> {
  const rows = await system
    .selectFrom("device")
    .select(["id", "deviceID"])
    .where("company_id", "=", companyId)
    .execute();
  return new Map(rows.map((row) => [row.deviceID, row.id]));
}
