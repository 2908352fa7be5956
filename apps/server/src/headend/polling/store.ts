import { pollResults, problem, type DevicePolling } from "@metrum/contract";
import { sql } from "kysely";
import type { Ctx, Db } from "#core";
import { polledColumns, polledTables, type PolledDevice } from "#headend/exchanges";
import { neverPolled } from "./schedule.ts";

/**
 * Devices whose slot is due, oldest first, locked for this planner; others skip them. Index device_state_due.
 */
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

/**
 * Polling state of a device. Problem: not_found. Rows: one of `device`, the newest exchanges of the device by
 * primary key.
 */
export async function pollingOf({ db, scope }: Ctx, deviceId: number): Promise<DevicePolling> {
  const { rows } = await sql<DevicePolling>`
    select d.id as device_id, d.is_polled as is_active, d.report_period_update as interval, s.last_poll_result as last_result_code,
      case when s.next_poll_at < ${neverPolled}::bigint then s.next_poll_at end as next_run_at,
      (select coalesce(last_ms, started_ms) / 1000 from poll_log where device_id = d.id order by started_ms desc limit 1) as last_run_at,
      (select started_ms / 1000 from poll_log where device_id = d.id and result = ${pollResults.ok.id} order by started_ms desc limit 1)
        as last_success_at
    from device d join device_state s on s.device_id = d.id
    where d.id = ${deviceId} and d.company_id = ${scope.companyId}`.execute(db);
  const found = rows[0];
  if (!found) throw problem("not_found");
  return found;
}
