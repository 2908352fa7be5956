import { problem } from "@metrum/contract/core";
import type { GatewayId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { visibleCarriers, type Db, type Scope } from "#core";
import type { PlannedDevice } from "./planStore.ts";

/** A gateway that gets a command, as devices are. */
type Target = Pick<PlannedDevice, "id" | "modelId" | "isPutAway">;

/** Gateways of a request that came through `resolve`, locked in the order of their ids. Problem: not_found. */
export async function lockedGateways(db: Db, scope: Scope, ids: readonly GatewayId[]): Promise<Target[]> {
  const { rows } = await sql<Target>`
    select id, model_id as "modelId", (is_archived or deleted_at is not null) as "isPutAway"
    from gateway where company_id = ${scope.companyId} and id = any(${[...ids]}::int[])
    order by id for no key update`.execute(db);
  if (rows.length < new Set(ids).size) throw problem("not_found");
  return rows;
}

/** Those of these gateways that the session sees, by primary key. */
export async function plannedGateways(
  db: Db,
  scope: Scope,
  ids: readonly GatewayId[],
): Promise<PlannedDevice[]> {
  const { rows } = await sql<PlannedDevice>`
    select id, name, model_id as "modelId", (is_archived or deleted_at is not null) as "isPutAway"
    from gateway where id = any(${[...ids]}::int[]) and ${visibleCarriers(scope, "gateway")} order by name, id`.execute(
    db,
  );
  return rows;
}
