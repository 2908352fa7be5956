import type { CompanyId, DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";

/** Whether a part of the making of this installation is done. */
export async function isDone(system: Db, key: string): Promise<boolean> {
  const { rows } = await sql`select 1 from installation where key = ${key}`.execute(system);
  return rows.length > 0;
}

export async function noteDone(system: Db, key: string): Promise<void> {
  await sql`insert into installation (key, value) values (${key}, 'true') on conflict (key) do nothing`.execute(
    system,
  );
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
