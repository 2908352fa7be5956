import { sql } from "kysely";
import type { Db } from "#core";
import { polledColumns, polledTables, type PolledDevice } from "#headend/exchanges";

/** Devices whose slot has come, oldest first, locked for this planner; another one takes the next. Index device_state_due. */
export async function dueDevices(db: Db, now: number, limit: number): Promise<PolledDevice[]> {
  const { rows } = await sql<PolledDevice>`
    select ${polledColumns} from ${polledTables} where s.next_poll_at <= ${now}
    order by s.next_poll_at limit ${limit} for update of s skip locked`.execute(db);
  return rows;
}

/** Devices that have no slot yet; index device_state_unplanned. */
export async function unplannedDevices(
  db: Db,
  limit: number,
): Promise<{ id: number; modelId: number; hasLine: boolean }[]> {
  const { rows } = await sql<{ id: number; modelId: number; hasLine: boolean }>`
    select d.id, d.model_id as "modelId", (d.gateway_id is not null or d.properties ?| array['host', 'serial']) as "hasLine"
    from device_state s join device d on d.id = s.device_id where s.next_poll_at is null
    limit ${limit} for update of s skip locked`.execute(db);
  return rows;
}
