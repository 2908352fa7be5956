import { pollResults, problem, taskStatuses, type DeviceTask, type PollResult } from "@metrum/contract";
import { sql } from "kysely";
import { resolve, storableJson, type Db, type Scope } from "#core";

/** A user waits for a device: wakes the planner. */
export const wantedChannel = "poll_wanted";
/** A task has ended. */
export const endedChannel = "device_task_ended";

const open = [taskStatuses.queued, taskStatuses.running];
/** Condition of the index device_task_item_open, which is used only if it is repeated literally. */
const isOpen = sql`status_id in (${sql.join(open.map((status) => sql.lit(status)))})`;
/** A queued item whose job seems lost is planned again after this time. */
const lostSec = 60;
/** Items that one statement expires. */
const expiredAtOnce = 1_000;

export interface NewTask {
  readonly title: string;
  readonly titleEn: string;
  readonly commandType: "control" | "poll";
  readonly deviceIds: readonly number[];
  readonly management: Readonly<Record<string, unknown>> | undefined;
  readonly now: number;
  readonly expiresAt: number;
}

/** Stores a task with its devices and wakes the planner on commit. */
export async function addTask(db: Db, scope: Scope, task: NewTask): Promise<DeviceTask> {
  const { rows } = await sql<{ id: number }>`
    insert into device_task (company_id, user_id, title, title_en, command_type, management, created_at, expires_at)
    values (${scope.companyId}, ${scope.userId}, ${task.title}, ${task.titleEn}, ${task.commandType},
      ${task.management === undefined ? null : storableJson(task.management)}::jsonb, ${task.now}, ${task.expiresAt})
    returning id`.execute(db);
  const id = rows[0]?.id ?? 0;
  await sql`insert into device_task_item (task_id, device_id, company_id, created_at)
    select ${id}, device_id, ${scope.companyId}, ${task.now}::bigint from unnest(${[...task.deviceIds]}::int[]) as device_id`.execute(
    db,
  );
  await sql`select pg_notify(${wantedChannel}, '')`.execute(db);
  return {
    id,
    title: task.title,
    title_en: task.titleEn,
    command_type: task.commandType,
    status_id: taskStatuses.queued,
    device_ids: [...task.deviceIds],
    ...(task.management === undefined ? {} : { management: { ...task.management } }),
    created_at: task.now,
  };
}

/** The same request for the same devices, made a moment ago: a double click. */
export async function sameTask(
  db: Db,
  scope: Scope,
  task: NewTask,
  withinSec: number,
): Promise<DeviceTask | undefined> {
  const { rows } = await sql<DeviceTask>`
    select id, title, title_en, command_type, status_id, created_at,
      (select array_agg(device_id order by device_id) from device_task_item where task_id = device_task.id) as device_ids
    from device_task
    where company_id = ${scope.companyId} and user_id = ${scope.userId} and command_type = ${task.commandType}
      and created_at > ${task.now - withinSec}
      and management is not distinct from ${task.management === undefined ? null : storableJson(task.management)}::jsonb
      and (select array_agg(device_id order by device_id) from device_task_item where task_id = device_task.id)
        = ${[...task.deviceIds].sort((a, b) => a - b)}::int[]
    order by id desc limit 1`.execute(db);
  const found = rows[0];
  return found && task.management ? { ...found, management: { ...task.management } } : found;
}

/**
 * The devices of a list that this session may poll; locked, so that double clicks are serialised. Problem:
 * not_found.
 */
export async function askableDevices(
  db: Db,
  scope: Scope,
  ids: readonly number[],
): Promise<{ id: number; modelId: number; isPutAway: boolean }[]> {
  const own = await resolve({ db, scope }, "device", ids);
  const { rows } = await sql<{ id: number; modelId: number; isPutAway: boolean }>`
    select id, model_id as "modelId", (is_archived or deleted_at is not null) as "isPutAway" from device
    where company_id = ${scope.companyId} and id = any(${own}::int[]) order by id for no key update`.execute(
    db,
  );
  // Items of a task refer to devices of any company, so only ids visible here may be inserted.
  if (rows.length < ids.length) throw problem("not_found");
  return rows;
}

export interface OpenItem {
  readonly taskId: number;
  readonly deviceId: number;
}

/** Items waiting for a job, locked for this planner. */
export async function queuedItems(db: Db, now: number, limit: number): Promise<OpenItem[]> {
  const { rows } = await sql<OpenItem>`
    update device_task_item item set planned_at = ${now}
    from (
      select task_id, device_id from device_task_item
      where ${isOpen} and (planned_at is null or planned_at < ${now - lostSec})
      order by task_id limit ${limit} for update skip locked
    ) waiting
    where item.task_id = waiting.task_id and item.device_id = waiting.device_id
    returning item.task_id as "taskId", item.device_id as "deviceId"`.execute(db);
  return rows;
}

/** The line of these devices was busy and is free: their open items are planned at once. */
export async function repeatItems(db: Db, deviceIds: readonly number[]): Promise<void> {
  await sql`update device_task_item set planned_at = null
    where device_id = any(${[...deviceIds]}::int[]) and ${isOpen}`.execute(db);
  await sql`select pg_notify(${wantedChannel}, '')`.execute(db);
}

/** A task of a user at work with one device. */
export interface RunningTask {
  /** Its commands with their arguments; null for a poll. */
  readonly management: Readonly<Record<string, unknown>> | null;
}

/**
 * Marks the item as running; undefined when it is no longer open (cancelled, expired, done by a duplicate).
 */
export async function beginItem(db: Db, taskId: number, deviceId: number): Promise<RunningTask | undefined> {
  const { rows } = await sql<RunningTask>`
    with begun as (
      update device_task_item set status_id = ${taskStatuses.running}
      where task_id = ${taskId} and device_id = ${deviceId} and status_id = any(${open}::smallint[])
      returning task_id
    ), task as (
      update device_task set status_id = ${taskStatuses.running}
      where id in (select task_id from begun) and status_id = ${taskStatuses.queued}
    )
    select management from device_task where id in (select task_id from begun)`.execute(db);
  return rows[0];
}

export interface ItemEnd {
  readonly taskId: number;
  readonly deviceId: number;
  readonly startedMs: number | null;
  readonly now: number;
  readonly result: PollResult;
  readonly message: string;
}

/** Ends an item, and its task with the last of them. */
export async function endItem(db: Db, end: ItemEnd): Promise<void> {
  const status = end.result === "ok" ? taskStatuses.done : taskStatuses.failed;
  await sql`
    update device_task_item set status_id = ${status}, result = ${pollResults[end.result].id},
      message = ${end.message}, started_ms = ${end.startedMs}, ended_at = ${end.now}
    where task_id = ${end.taskId} and device_id = ${end.deviceId}`.execute(db);
  await closeTask(db, end.taskId, end.now);
}

async function closeTask(db: Db, taskId: number, now: number): Promise<void> {
  // The lock makes two items that end at once see each other.
  await sql`select from device_task where id = ${taskId} for update`.execute(db);
  const { rows } = await sql`
    update device_task set ended_at = ${now}, status_id = counted.status_id
    from (
      select case when bool_and(status_id = ${taskStatuses.done}) then ${taskStatuses.done}::int
          when bool_or(status_id = ${taskStatuses.done}) then ${taskStatuses.partly_done}::int
          else ${taskStatuses.failed}::int end as status_id
      from device_task_item where task_id = ${taskId} having not bool_or(${isOpen})
    ) counted
    where id = ${taskId} returning id`.execute(db);
  if (rows.length > 0) await sql`select pg_notify(${endedChannel}, ${String(taskId)})`.execute(db);
}

/** Expires items that were not carried out in time. */
export async function expireItems(db: Db, now: number): Promise<void> {
  const { rows } = await sql<OpenItem>`
    select task_id as "taskId", device_id as "deviceId" from device_task_item
    where ${isOpen} and task_id in (select id from device_task where expires_at <= ${now} and ended_at is null)
    limit ${expiredAtOnce} for update skip locked`.execute(db);
  for (const item of rows)
    await endItem(db, { ...item, startedMs: null, now, result: "expired", message: "" });
}

/** Progress of a task of one device. */
export interface Progress {
  readonly statusId: number;
  readonly isEnded: boolean;
  readonly result: number | null;
}

/** Current progress of a task of one device. Problem: not_found. One row, by primary key. */
export async function progressOf(db: Db, scope: Scope, taskId: number): Promise<Progress> {
  const { rows } = await sql<Progress>`
    select task.status_id as "statusId", task.ended_at is not null as "isEnded", item.result
    from device_task task join device_task_item item on item.task_id = task.id
    where task.id = ${taskId} and task.company_id = ${scope.companyId}
    limit 1`.execute(db);
  const found = rows[0];
  if (!found) throw problem("not_found");
  return found;
}
