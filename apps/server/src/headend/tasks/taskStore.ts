import { pollResults, taskStates, type PollResult } from "@metrum/contract/headend";
import type { DeviceChange, DeviceChangeFault, HolePeriod } from "@metrum/contract/metering";
import type { CompanyId, DeviceId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import { storableJson, tiedDevices, type Db, type Events, type Scope } from "#core";

/** A user waits for a device: wakes the planner. */
export const wantedChannel = "poll_wanted";
/** Devices are to be changed: wakes the workers. */
export const changeChannel = "device_change_wanted";
/** A task has ended. */
export const endedChannel = "device_task_ended";

const { queued, running, done, failed, cancelled, partly_done, expired, unknown } = taskStates;
/** Condition of the indexes of open items, which are used only if it is repeated literally. */
export const isOpen = sql`status_id in (${sql.lit(queued.id)}, ${sql.lit(running.id)})`;
/** A queued item whose job seems lost is planned again after this time. */
const lostSec = 60;
/** Items that one statement expires. */
const expiredAtOnce = 1_000;

/** A task or one of its devices has another state. */
export type TaskChange = Events["tasksChanged"][number];

/** Origin of a task in addition to its user, for the audit log. */
export interface TaskActor {
  readonly address: string;
  readonly impersonatorId?: number | undefined;
  readonly via?: string | undefined;
}

export interface NewTask {
  readonly title: string;
  readonly titleEn: string;
  readonly commandType: "control" | "poll" | "holes" | "change";
  readonly deviceIds: readonly number[];
  /** How the devices are changed, and who requested it. */
  readonly change?: { readonly to: DeviceChange; readonly actor: TaskActor } | undefined;
  /** Its devices get commands, which are sent, expire and end by themselves. */
  readonly isCommand?: boolean | undefined;
  /** The group whose devices are polled. */
  readonly pollGroupId?: number | undefined;
  readonly management?: Readonly<Record<string, unknown>> | undefined;
  /** Missing rows to request, and their number for each device, in the order of the ids. */
  readonly holes?: { readonly period: HolePeriod; readonly asked: readonly number[] } | undefined;
  /** Requests an archive or a journal: rows are counted. */
  readonly isStored?: boolean | undefined;
  readonly now: number;
  readonly expiresAt: number;
}

export const json = (value: object | undefined) =>
  sql`${value === undefined ? null : storableJson(value)}::jsonb`;

/** Stores a task with its devices and wakes on commit who works on it. Returns its id. */
export async function addTask(
  db: Db,
  scope: Pick<Scope, "companyId" | "userId">,
  task: NewTask,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into device_task (company_id, user_id, title, title_en, command_type, management, holes, created_at, expires_at,
      device_count, poll_group_id, change, actor)
    values (${scope.companyId}, ${scope.userId}, ${task.title}, ${task.titleEn}, ${task.commandType},
      ${json(task.management)}, ${json(task.holes?.period)}, ${task.now}, ${task.expiresAt}, ${task.deviceIds.length},
      ${task.pollGroupId ?? null}, ${json(task.change?.to)}, ${json(task.change?.actor)})
    returning id`.execute(db);
  const id = rows[0]?.id ?? 0;
  await sql`insert into device_task_item (task_id, device_id, company_id, created_at, is_change, is_command, holes_asked,
      holes_filled, rows_received)
    select ${id}, device_id, ${scope.companyId}, ${task.now}::bigint, ${task.change !== undefined},
      ${task.isCommand === true}, asked, case when asked is not null then 0 end, ${task.isStored === true ? 0 : null}::int
    from unnest(${[...task.deviceIds]}::int[], ${[...(task.holes?.asked ?? [])]}::int[]) as item (device_id, asked)`.execute(
    db,
  );
  if (!task.isCommand)
    await sql`select pg_notify(${task.change ? changeChannel : wantedChannel}, '')`.execute(db);
  return id;
}

/** Rows of a device are no longer missing, and its archive has been requested this far. */
export async function noteHoles(
  db: Db,
  { taskId, deviceId }: OpenItem,
  { msgType, to, filled }: { readonly msgType: number; readonly to: number; readonly filled: number },
): Promise<void> {
  await sql`update device_task_item set holes_filled = least(holes_asked, holes_filled + ${filled}),
      holes_to = coalesce(holes_to, '{}') || jsonb_build_object(${String(msgType)}::text, ${to}::bigint)
    where task_id = ${taskId} and device_id = ${deviceId} and ${isOpen}`.execute(db);
}

/**
 * Rows of an archive or journal have arrived, which was requested this far. False: the request has ended, or was
 * cancelled.
 */
export async function noteStored(
  db: Db,
  { taskId, deviceId }: OpenItem,
  { msgType, to, rows: received }: { readonly msgType: number; readonly to: number; readonly rows: number },
): Promise<boolean> {
  const { rows } = await sql`update device_task_item set rows_received = rows_received + ${received},
      holes_to = jsonb_build_object(${String(msgType)}::text, ${to}::bigint)
    where task_id = ${taskId} and device_id = ${deviceId} and ${isOpen} returning task_id`.execute(db);
  return rows.length > 0;
}

export interface OpenItem {
  readonly taskId: number;
  readonly deviceId: number;
  /** Requests missing rows, or the rest of a long period: takes long, and gives way to scheduled polls. */
  readonly asksHoles?: boolean | undefined;
}

/** Items waiting for a job, locked for this planner. */
export async function queuedItems(db: Db, now: number, limit: number): Promise<OpenItem[]> {
  const { rows } = await sql<OpenItem>`
    update device_task_item item set planned_at = ${now}
    from (
      select task_id, device_id from device_task_item
      where ${isOpen} and not is_change and not is_command and (planned_at is null or planned_at < ${now - lostSec})
      order by task_id limit ${limit} for update skip locked
    ) waiting
    where item.task_id = waiting.task_id and item.device_id = waiting.device_id
    returning item.task_id as "taskId", item.device_id as "deviceId", (item.holes_asked is not null or item.holes_to is not null) as "asksHoles"`.execute(
    db,
  );
  return rows.map(({ asksHoles, ...item }) => (asksHoles ? { ...item, asksHoles } : item));
}

/** An item that cannot be carried out yet is planned again after this time. */
const postponedSec = 5;

/** Keeps an item that has just been planned waiting for a while. Primary key. */
export async function postponeItem(db: Db, { taskId, deviceId }: OpenItem, now: number): Promise<void> {
  await sql`update device_task_item set planned_at = ${now - lostSec + postponedSec}
    where task_id = ${taskId} and device_id = ${deviceId} and ${isOpen}`.execute(db);
}

/**
 * After the clock was set back: items planned in a time that is still to come are planned again. Rows: those open, by
 * device_task_item_open.
 */
export async function pullItemsNear(db: Db, now: number): Promise<void> {
  await sql`
    update device_task_item set planned_at = null
    where (task_id, device_id) in (
      select task_id, device_id from device_task_item where status_id in (1, 2) and planned_at > ${now}::bigint
      order by task_id, device_id for update)`.execute(db);
}

/** Locks items in the order of their keys, in which every transaction locks several: two cannot block each other. */
async function lockItems(
  db: Db,
  items: readonly { readonly taskId: number; readonly deviceId: number }[],
): Promise<void> {
  if (items.length < 2) return;
  await sql`
    select from device_task_item where (task_id, device_id) in (
      select * from unnest(${items.map(({ taskId }) => taskId)}::int[], ${items.map(({ deviceId }) => deviceId)}::int[]))
    order by task_id, device_id for update`.execute(db);
}

/** The line of these devices is free, or there is more to read: their open items are planned at once. */
export async function repeatItems(db: Db, deviceIds: readonly number[]): Promise<void> {
  await sql`
    update device_task_item set planned_at = null where (task_id, device_id) in (
      select task_id, device_id from device_task_item
      where device_id = any(${[...deviceIds]}::int[]) and ${isOpen} and not is_change and not is_command
      order by task_id, device_id for update)`.execute(db);
  await sql`select pg_notify(${wantedChannel}, '')`.execute(db);
}

/** A task of a user at work with one device. */
export interface RunningTask {
  /** Its commands with their arguments; null for a poll. */
  readonly management: Readonly<Record<string, unknown>> | null;
  /** Missing rows that it requests; null for other tasks. */
  readonly holes: HolePeriod | null;
  /** How far each archive of the device has been requested, by message type; null: not begun. */
  readonly holesTo: Readonly<Record<string, number>> | null;
  /** Whether this is the first of its devices. */
  readonly isFirst: boolean;
}

/**
 * Marks the item as running; undefined when it is no longer open (cancelled, expired, done by a duplicate).
 */
export async function beginItem(db: Db, taskId: number, deviceId: number): Promise<RunningTask | undefined> {
  const { rows } = await sql<RunningTask>`
    with begun as (
      update device_task_item set status_id = ${running.id}
      where task_id = ${taskId} and device_id = ${deviceId} and ${isOpen}
      returning task_id, holes_to
    ), task as (
      update device_task set status_id = ${running.id}
      where id in (select task_id from begun) and status_id = ${queued.id} returning id
    )
    select management, holes, holes_to as "holesTo", exists (select from task) as "isFirst"
    from begun join device_task on id = task_id`.execute(db);
  return rows[0];
}

/** Items by task. */
export type ItemsOfTasks = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * Marks items as running: which of them were still open, and the tasks of which they are the first ones. Rows: one an
 * item, by primary key.
 */
export async function beginItems(
  db: Db,
  items: readonly OpenItem[],
): Promise<{ readonly begun: ItemsOfTasks; readonly tasks: Set<number> }> {
  const begun = new Map<number, Set<number>>();
  const tasks = new Set<number>();
  if (items.length === 0) return { begun, tasks };
  await lockItems(db, items);
  const { rows } = await sql<{ taskId: number; deviceId: number; isFirst: boolean }>`
    with begun as (
      update device_task_item item set status_id = ${running.id}
      from unnest(${items.map(({ taskId }) => taskId)}::int[], ${items.map(({ deviceId }) => deviceId)}::int[])
        as wanted (task_id, device_id)
      where item.task_id = wanted.task_id and item.device_id = wanted.device_id and item.${isOpen}
      returning item.task_id, item.device_id
    ), first as (
      select id from device_task where id in (select task_id from begun) and status_id = ${queued.id}
      order by id for update
    ), task as (
      update device_task set status_id = ${running.id} where id in (select id from first) returning id
    )
    select task_id as "taskId", device_id as "deviceId", task_id in (select id from task) as "isFirst"
    from begun`.execute(db);
  for (const { taskId, deviceId, isFirst } of rows) {
    begun.set(taskId, (begun.get(taskId) ?? new Set()).add(deviceId));
    if (isFirst) tasks.add(taskId);
  }
  return { begun, tasks };
}

/** The attempt was in vain: the item waits for the next one. */
export async function putBackItem(db: Db, { taskId, deviceId }: OpenItem): Promise<void> {
  await sql`update device_task_item set status_id = ${queued.id}
    where task_id = ${taskId} and device_id = ${deviceId} and ${isOpen}`.execute(db);
}

export interface ItemEnd {
  readonly taskId: number;
  readonly deviceId: number;
  readonly startedMs: number | null;
  readonly result: PollResult;
  readonly message: string;
  /** How it has ended, if the result does not tell. */
  readonly as?: "cancelled" | "expired" | "unknown" | undefined;
}

interface EndedItem {
  readonly companyId: CompanyId;
  readonly taskId: number;
  readonly deviceId: DeviceId;
  readonly statusId: number;
}

const endedItem = sql`
  item.company_id as "companyId", item.task_id as "taskId", item.device_id as "deviceId", item.status_id as "statusId"`;

/** Ends open items, and their tasks with the last of them. */
export async function endItems(db: Db, ends: readonly ItemEnd[], now: number): Promise<TaskChange[]> {
  if (ends.length === 0) return [];
  await lockItems(db, ends);
  const { rows } = await sql<EndedItem>`
    update device_task_item item set status_id = ended.status_id, result = ended.result, message = ended.message,
      started_ms = ended.started_ms, ended_at = ${now}
    from unnest(${ends.map(({ taskId }) => taskId)}::int[], ${ends.map(({ deviceId }) => deviceId)}::int[],
      ${ends.map((end) => taskStates[end.as ?? (end.result === "ok" ? "done" : "failed")].id)}::int[],
      ${ends.map(({ result }) => pollResults[result].id)}::smallint[], ${ends.map(({ message }) => message)}::text[],
      ${ends.map(({ startedMs }) => startedMs)}::bigint[])
      as ended (task_id, device_id, status_id, result, message, started_ms)
    where item.task_id = ended.task_id and item.device_id = ended.device_id and item.${isOpen}
    returning ${endedItem}`.execute(db);
  return closeTasks(db, rows, now);
}

/** Ends an open item, and its task with the last of them. */
export const endItem = (db: Db, { now, ...end }: ItemEnd & { readonly now: number }): Promise<TaskChange[]> =>
  endItems(db, [end], now);

/** Ends items of a task that changes devices, those with a fault as failed, and the task with the last of them. */
export async function endChanges(
  db: Db,
  { taskId, deviceIds }: { readonly taskId: number; readonly deviceIds: readonly DeviceId[] },
  faults: ReadonlyMap<DeviceId, DeviceChangeFault>,
  now: number,
): Promise<TaskChange[]> {
  await lockItems(
    db,
    deviceIds.map((deviceId) => ({ taskId, deviceId })),
  );
  const { rows } = await sql<EndedItem>`
    update device_task_item item set message = ended.fault, ended_at = ${now},
      status_id = case when ended.fault = '' then ${done.id}::int else ${failed.id}::int end
    from unnest(${[...deviceIds]}::int[], ${deviceIds.map((id) => faults.get(id) ?? "")}::text[]) as ended (id, fault)
    where task_id = ${taskId} and device_id = ended.id and ${isOpen}
    returning ${endedItem}`.execute(db);
  await sql`update device_task set status_id = ${running.id} where id = ${taskId} and status_id = ${queued.id}`.execute(
    db,
  );
  return closeTasks(db, rows, now);
}

/**
 * Of items that have just ended, ends the tasks without an open one: as most of their devices ended, with the
 * number of each outcome. Returns the changes of both. Index device_task_item_waiting.
 */
async function closeTasks(db: Db, items: readonly EndedItem[], now: number): Promise<TaskChange[]> {
  if (items.length === 0) return [];
  const ids = [...new Set(items.map(({ taskId }) => taskId))];
  // The lock makes two items that end at once see each other.
  await sql`select from device_task where id = any(${ids}::int[]) order by id for update`.execute(db);
  const { rows } = await sql<Omit<TaskChange, "userId"> & { readonly userId: number | null }>`
    update device_task task set ended_at = ${now}, status_id = counted.status_id,
      done_count = counted.done, failed_count = counted.failed
    from (
      select task_id, count(*) filter (where status_id = ${done.id})::int as done,
        count(*) filter (where status_id in (${failed.id}, ${expired.id}, ${unknown.id}))::int as failed,
        case when bool_and(status_id = ${done.id}) then ${done.id}::int
          when bool_or(status_id = ${done.id}) then ${partly_done.id}::int
          when bool_or(status_id = ${cancelled.id}) then ${cancelled.id}::int
          when bool_and(status_id = ${expired.id}) then ${expired.id}::int
          when bool_and(status_id = ${unknown.id}) then ${unknown.id}::int
          else ${failed.id}::int end as status_id
      from device_task_item
      where task_id in (
        select id from unnest(${ids}::int[]) as id
        where not exists (select from device_task_item item where item.task_id = id and item.${isOpen}))
      group by task_id
    ) counted
    where task.id = counted.task_id and task.ended_at is null
    returning task.company_id as "companyId", task.id as "taskId", task.status_id as "statusId", task.user_id as "userId"`.execute(
    db,
  );
  for (const { taskId } of rows) await sql`select pg_notify(${endedChannel}, ${String(taskId)})`.execute(db);
  return [...items, ...rows.map(({ userId, ...ended }) => (userId === null ? ended : { ...ended, userId }))];
}

/** Expires items that were not carried out in time. */
export async function expireItems(db: Db, now: number): Promise<TaskChange[]> {
  const { rows } = await sql<EndedItem>`
    update device_task_item item set status_id = ${expired.id}, result = ${pollResults.expired.id}, ended_at = ${now}
    from (
      select task_id, device_id from device_task_item
      where ${isOpen} and not is_command and task_id in (select id from device_task where expires_at <= ${now} and ended_at is null)
      order by task_id, device_id limit ${expiredAtOnce} for update skip locked
    ) late
    where item.task_id = late.task_id and item.device_id = late.device_id
    returning ${endedItem}`.execute(db);
  return closeTasks(db, rows, now);
}

/** Tasks to cancel; with several conditions only what meets all of them. */
export interface Cancelled {
  readonly taskIds?: readonly number[] | undefined;
  readonly deviceId?: number | undefined;
  readonly pollGroupId?: number | undefined;
}

/**
 * Cancels the items that have not begun, and those that read more than one page; a device that is being polled
 * still answers. Returns all changes of state.
 * Rows: the open items of the company, by device_task_item_waiting or device_task_item_open.
 */
export async function cancelItems(
  db: Db,
  scope: Scope,
  { taskIds, deviceId, pollGroupId }: Cancelled,
  now: number,
): Promise<TaskChange[]> {
  const conditions: RawBuilder<unknown>[] = [
    sql`company_id = ${scope.companyId}`,
    sql`${isOpen} and (status_id = ${queued.id} or holes_to is not null)`,
    tiedDevices(scope, sql`device_id`),
    ...(taskIds ? [sql`task_id = any(${[...taskIds]}::int[])`] : []),
    ...(deviceId === undefined ? [] : [sql`device_id = ${deviceId}`]),
    ...(pollGroupId === undefined
      ? []
      : [
          sql`task_id in (select id from device_task where poll_group_id = ${pollGroupId} and ended_at is null)`,
        ]),
  ];
  const { rows } = await sql<EndedItem>`
    update device_task_item item set status_id = ${cancelled.id}, ended_at = ${now}
    from (
      select task_id, device_id from device_task_item where ${sql.join(conditions, sql` and `)}
      order by task_id, device_id for update
    ) waiting
    where item.task_id = waiting.task_id and item.device_id = waiting.device_id
    returning ${endedItem}`.execute(db);
  return closeTasks(db, rows, now);
}
