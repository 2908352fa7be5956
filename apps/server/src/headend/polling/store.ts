import { problem } from "@metrum/contract/core";
import { pollResults, type DevicePolling } from "@metrum/contract/headend";
import { sql } from "kysely";
import type { DeviceId } from "@metrum/vocabulary";
import type { Ctx, Db } from "#core";
import { polledColumns, polledTables, type PolledDevice } from "#headend/exchanges";
import { neverPolled } from "#metering/device-state";
import type { SelectedData } from "@metrum/contract/headend";

const daySec = 86_400;

/** A device with the schedule of its group, if it has one. */
export interface DueDevice extends PolledDevice {
  readonly groupId: number | null;
  readonly isGroupOn: boolean;
  /** Polled once, not repeatedly. */
  readonly isOnce: boolean;
  /** By how many seconds its polls come after the full interval. */
  readonly shiftSec: number;
  /** Least seconds between polls behind its gateway; 0: none. */
  readonly pauseSec: number;
  /** The base station of its gateway, with the same for all gateways at it. */
  readonly stationId: number | null;
  readonly stationPauseSec: number;
}

/** The group of a device, whose interval takes precedence. Primary keys. */
export const withGroup = sql`
  left join poll_group_device m on m.device_id = s.device_id left join poll_group pg on pg.id = m.group_id`;
/** The base station of a gateway. Primary key. */
export const withStation = sql`left join base_station bs on bs.id = g.base_station_id and bs.deleted_at is null`;
export const pauseColumns = sql`
  coalesce(g.poll_pause, 0) as "pauseSec", bs.id as "stationId", coalesce(bs.poll_pause, 0) as "stationPauseSec"`;
export const groupColumns = sql`
  coalesce(pg.report_period_update, d.report_period_update) as "intervalSec", pg.id as "groupId",
  coalesce(pg.is_active, true) as "isGroupOn", coalesce(pg.poll_one, false) as "isOnce",
  coalesce((pg.poll_params ->> 'time_shift')::int, 0) * 60 as "shiftSec"`;

/**
 * Devices whose slot is due, oldest first, locked for this planner; others skip them. Index device_state_due.
 */
export async function dueDevices(db: Db, now: number, limit: number): Promise<DueDevice[]> {
  const { rows } = await sql<DueDevice>`
    select ${polledColumns}, ${groupColumns}, ${pauseColumns} from ${polledTables} ${withGroup} ${withStation}
    where s.next_poll_at <= ${now}
    order by s.next_poll_at limit ${limit} for update of s skip locked`.execute(db);
  return rows;
}

/** What the group of a device selects for reading; empty without a group. */
export interface GroupReading {
  readonly selected: SelectedData;
  /** Archives are filled this far back; undefined: only forward. */
  readonly autoloadSec: number | undefined;
}

/** Primary keys. */
export async function groupReading(db: Db, deviceId: DeviceId): Promise<GroupReading> {
  const { rows } = await sql<{ selected: SelectedData; isOn: boolean; days: number | null }>`
    select pg.selected_data as selected, coalesce((pg.autoload_params ->> 'is_active')::boolean, false) as "isOn",
      (pg.autoload_params ->> 'depth_days')::int as days
    from poll_group_device m join poll_group pg on pg.id = m.group_id where m.device_id = ${deviceId}`.execute(
    db,
  );
  const [found] = rows;
  return {
    selected: found?.selected ?? {},
    autoloadSec: found?.isOn ? (found.days === null ? Infinity : found.days * daySec) : undefined,
  };
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
    select d.id as device_id, m.group_id as poll_group_id, d.is_polled as is_active,
      coalesce(pg.report_period_update, d.report_period_update) as interval, s.last_poll_result as last_result_code,
      case when s.next_poll_at < ${neverPolled}::bigint then s.next_poll_at end as next_run_at,
      (select coalesce(last_ms, started_ms) / 1000 from poll_log where device_id = d.id order by started_ms desc limit 1) as last_run_at,
      (select started_ms / 1000 from poll_log where device_id = d.id and result = ${pollResults.ok.id} order by started_ms desc limit 1)
        as last_success_at
    from device d join device_state s on s.device_id = d.id ${withGroup}
    where d.id = ${deviceId} and d.company_id = ${scope.companyId}`.execute(db);
  const found = rows[0];
  if (!found) throw problem("not_found");
  return found;
}
