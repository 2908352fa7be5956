import { sql } from "kysely";
import type { Database } from "#core";

/** A gateway that may dial in, found by its identity. */
export interface KnownGateway {
  readonly id: number;
  readonly companyId: number;
}

/** The gateway with this IMEI; undefined when there is none, or when it is archived, or it or its company switched off. */
export async function gatewayByName(database: Database, name: string): Promise<KnownGateway | undefined> {
  const { rows } = await sql<KnownGateway>`
    select gateway.id, gateway.company_id as "companyId"
    from gateway join company on company.id = gateway.company_id
    where gateway.device_id = ${name} and gateway.deleted_at is null and gateway.is_active
      and not gateway.is_archived and company.is_active
    limit 1`.execute(database.system);
  return rows[0];
}
