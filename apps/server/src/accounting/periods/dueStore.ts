import type { CompanyId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";

/** Devices that measured points of a company, with marks in a span. Rows: all marks that are due. */
export async function dueDevices(
  system: Db,
  companyId: CompanyId,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct m.device_id)::int as n
    from derive_due m join point_device t on t.device_id = m.device_id and t.company_id = ${companyId}::int
    where m.from_ts < ${to}::bigint and m.to_ts >= ${from}::bigint`.execute(system);
  return rows[0]?.n ?? 0;
}
