import type { GatewayId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";

/** What a gateway is, and the first device behind it. */
export interface BehindGateway {
  readonly gatewayModelId: number;
  /** Null while nothing hangs on it. */
  readonly deviceTitle: string | null;
}

/** By gateway. Rows: one a gateway, by primary key and device_by_gateway. */
export async function behindGateways(
  system: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, BehindGateway>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<BehindGateway & { id: GatewayId }>`
    select g.id, g.model_id as "gatewayModelId", first.model_title as "deviceTitle"
    from gateway g left join lateral (
      select model_title from device where gateway_id = g.id and deleted_at is null and not is_archived
      order by is_active desc, id limit 1
    ) first on true
    where g.id = any(${[...ids]}::int[])`.execute(system);
  return new Map(rows.map((row) => [row.id, row]));
}
