import { problem } from "@metrum/contract/core";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { resolve, visibleDevices, type Db, type Scope } from "#core";
import { isOn, polledTables } from "#headend/exchanges";
import type { HoleDevice, OpenHoles } from "./holes.ts";
import { isOpen, json, type NewTask, type OpenItem } from "./taskStore.ts";

/** The same request of the user for the same devices, made a moment ago: a double click. */
export async function sameTask(
  db: Db,
  scope: Scope,
  task: NewTask,
  withinSec: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from device_task
    where company_id = ${scope.companyId} and user_id = ${scope.userId} and command_type = ${task.commandType}
      and created_at between ${task.now - withinSec + 1} and ${task.now + withinSec} and management is not distinct from ${json(task.management)}
      and (select array_agg(device_id order by device_id) from device_task_item where task_id = device_task.id)
        = ${[...task.deviceIds].sort((a, b) => a - b)}::int[]
    order by id desc limit 1`.execute(db);
  return rows[0]?.id;
}

/** Tasks of a company within a time, and their devices. Index device_task_created. */
export async function askedWithin(
  db: Db,
  scope: Scope,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<{ readonly tasks: number; readonly devices: number }> {
  const { rows } = await sql<{ tasks: number; devices: number }>`
    select count(*)::int as tasks, coalesce(sum(device_count), 0)::int as devices from device_task
    where company_id = ${scope.companyId} and created_at > ${from} and created_at <= ${to}`.execute(db);
  return rows[0] ?? { tasks: 0, devices: 0 };
}

/** A device of a request. */
export interface AskableDevice {
  readonly id: DeviceId;
  readonly modelId: number;
  readonly isPutAway: boolean;
  /** IANA zone of its location. */
  readonly zone: string;
}

/**
 * The devices of a list that this session may poll; locked, so that double clicks are serialised. Problem:
 * not_found.
 */
export async function askableDevices(db: Db, scope: Scope, ids: readonly number[]): Promise<AskableDevice[]> {
  const own = await resolve({ db, scope }, "device", ids);
  const { rows } = await sql<AskableDevice>`
    select d.id, d.model_id as "modelId", (d.is_archived or d.deleted_at is not null) as "isPutAway",
      coalesce(d.timezone, c.timezone) as zone
    from device d join company c on c.id = d.company_id
    where d.company_id = ${scope.companyId} and d.id = any(${own}::int[]) order by d.id for no key update of d`.execute(
    db,
  );
  // Items of a task refer to devices of any company, so only ids visible here may be inserted.
  if (rows.length < ids.length) throw problem("not_found");
  return rows;
}

/**
 * Those of these devices that the session sees, with what decides about their missing rows; locked on request, so
 * that double clicks are serialised. Rows: by primary key.
 */
export async function holeDevices(
  db: Db,
  scope: Scope,
  ids: readonly DeviceId[],
  isLocked: boolean,
): Promise<HoleDevice[]> {
  const { rows } = await sql<HoleDevice>`
    select d.id, d.model_id, d.report_period_update, coalesce(d.timezone, c.timezone) as zone, ${isOn} as "isOn"
    from ${polledTables}
    where d.id = any(${[...ids]}::int[]) and ${visibleDevices(scope, { as: "d", archive: "excluded" })}
    order by d.name, d.id ${isLocked ? sql`for no key update of d` : sql``}`.execute(db);
  return rows;
}

/** Open requests for missing rows of these devices, newest first. Index device_task_item_open. */
export async function openHoles(db: Db, scope: Scope, ids: readonly number[]): Promise<OpenHoles[]> {
  const { rows } = await sql<OpenHoles>`
    select item.task_id as "taskId", item.device_id as "deviceId", task.holes as period
    from device_task_item item join device_task task on task.id = item.task_id and task.created_at = item.created_at
    where item.company_id = ${scope.companyId} and item.device_id = any(${[...ids]}::int[]) and item.${isOpen}
      and task.holes is not null
    order by item.task_id desc`.execute(db);
  return rows;
}

/** Open requests of archives and journals of a device, newest first. Index device_task_item_open. */
export async function openStoredRequests(
  db: Db,
  scope: Scope,
  deviceId: number,
): Promise<{ readonly taskId: number; readonly management: Readonly<Record<string, unknown>> }[]> {
  const { rows } = await sql<{ taskId: number; management: Record<string, unknown> }>`
    select item.task_id as "taskId", task.management
    from device_task_item item join device_task task on task.id = item.task_id and task.created_at = item.created_at
    where item.company_id = ${scope.companyId} and item.device_id = ${deviceId} and item.${isOpen}
      and item.rows_received is not null
    order by item.task_id desc`.execute(db);
  return rows;
}

/** Those of these devices with a request that has not ended. Index device_task_item_open. */
export async function requestedAmong(db: Db, scope: Scope, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select distinct device_id as id from device_task_item
    where device_id = any(${[...ids]}::int[]) and ${isOpen} and not is_change
      and company_id = ${scope.companyId}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Progress of a task for one of its devices. */
export interface Progress {
  readonly statusId: number;
  readonly isEnded: boolean;
  readonly result: number | null;
  /** Rows of an archive or journal; null for other requests. */
  readonly rows: number | null;
}

/** Current progress of a task for one of its devices. Problem: not_found. One row, by primary key. */
export async function progressOf(
  db: Db,
  scope: Scope,
  { taskId, deviceId }: Pick<OpenItem, "taskId" | "deviceId">,
): Promise<Progress> {
  const { rows } = await sql<Progress>`
    select item.status_id as "statusId", item.ended_at is not null as "isEnded", item.result,
      item.rows_received as rows
    from device_task_item item
    where item.task_id = ${taskId} and item.device_id = ${deviceId} and item.company_id = ${scope.companyId}`.execute(
    db,
  );
  const found = rows[0];
  if (!found) throw problem("not_found");
  return found;
}
