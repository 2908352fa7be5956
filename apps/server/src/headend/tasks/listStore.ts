import { problem } from "@metrum/contract/core";
import {
  namedTaskDevices,
  taskStates,
  type DeviceTask,
  type taskOutcomes,
  type TaskResult,
  type taskSortFields,
  type TaskStatistics,
} from "@metrum/contract/headend";
import type { DeviceId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import { containing, tiedDevices, visibleDevices, type Db, type Scope } from "#core";

const { queued, running, done, failed, cancelled, expired, unknown } = taskStates;

/** Page of a list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** Number of rows with a status. */
export interface StatusCount {
  readonly status_id: number;
  readonly count: number;
}

export interface TaskFilter {
  readonly ids?: readonly number[] | undefined;
  readonly status_id?: number | undefined;
  readonly is_open?: boolean | undefined;
  readonly device_id?: number | undefined;
  readonly poll_group_id?: number | undefined;
  readonly start_date?: number | undefined;
  readonly stop_date?: number | undefined;
  readonly search_string?: string | undefined;
}

export interface TaskOrder {
  readonly sort_field: (typeof taskSortFields)[number];
  readonly sort: "asc" | "desc";
}

/** A user restricted to some devices sees the tasks that poll one of them. */
const visibleTasks = (scope: Scope): RawBuilder<unknown> =>
  scope.onlyTiedDevices
    ? sql`task.company_id = ${scope.companyId} and task.id in (
        select task_id from device_task_item where ${tiedDevices(scope, sql`device_id`)})`
    : sql`task.company_id = ${scope.companyId}`;

/** Items of the task in the row; the time of creation chooses the partition. */
const itemsOfTask = (scope: Scope): RawBuilder<unknown> =>
  sql`device_task_item where task_id = task.id and created_at = task.created_at and ${tiedDevices(scope, sql`device_id`)}`;

function conditionsOf(scope: Scope, filter: TaskFilter): RawBuilder<unknown> {
  const text = filter.search_string ?? "";
  return sql.join(
    [
      visibleTasks(scope),
      ...(filter.ids ? [sql`task.id = any(${[...filter.ids]}::int[])`] : []),
      ...(filter.is_open === undefined ? [] : [sql`(task.ended_at is null) = ${filter.is_open}`]),
      ...(filter.device_id === undefined
        ? []
        : [sql`task.id in (select task_id from device_task_item where device_id = ${filter.device_id})`]),
      ...(filter.poll_group_id === undefined ? [] : [sql`task.poll_group_id = ${filter.poll_group_id}`]),
      ...(filter.start_date === undefined ? [] : [sql`task.created_at >= ${filter.start_date}`]),
      ...(filter.stop_date === undefined ? [] : [sql`task.created_at <= ${filter.stop_date}`]),
      ...(text === "" ? [] : [sql`(task.title || ' ' || task.title_en) ilike ${containing(text)}`]),
    ],
    sql` and `,
  );
}

/** Number of tasks by status. Rows: the tasks of the company, by device_task_by_status. */
export async function countTasks(db: Db, scope: Scope, filter: TaskFilter): Promise<StatusCount[]> {
  const { rows } = await sql<StatusCount>`
    select task.status_id, count(*)::int as count from device_task task
    where ${conditionsOf(scope, filter)} group by 1 order by 1`.execute(db);
  return rows;
}

/** Ids are in the order of creation, so that the index of each order also breaks its ties. */
const orders = {
  created_at: { asc: sql`task.id asc`, desc: sql`task.id desc` },
  status_id: { asc: sql`task.status_id asc, task.id desc`, desc: sql`task.status_id desc, task.id asc` },
} as const;

type TaskRow = Omit<DeviceTask, "management" | "holes" | "change" | "poll_group_id"> & {
  readonly management: Record<string, unknown> | null;
  readonly change: DeviceTask["change"] | null;
  readonly holes: DeviceTask["holes"] | null;
  readonly poll_group_id: number | null;
};

/**
 * One page of tasks. Rows: the page, in the order of device_task_of_company or device_task_by_status; the
 * devices of open tasks are counted by primary key, those of ended ones are stored. Missing rows are always counted:
 * 1,000 devices a task at most.
 */
export async function taskPage(
  db: Db,
  scope: Scope,
  { filter, order, limit, offset }: { filter: TaskFilter; order: TaskOrder } & Page,
): Promise<DeviceTask[]> {
  const ofStatus =
    filter.status_id === undefined ? sql`true` : sql`task.status_id = ${filter.status_id}::smallint`;
  const isCounted = scope.onlyTiedDevices ? sql`true` : sql`task.done_count is null`;
  const { rows } = await sql<TaskRow>`
    select task.id, task.title, task.title_en, task.command_type, task.status_id, task.management, task.change,
      (select task.holes || jsonb_build_object('asked', coalesce(sum(holes_asked), 0), 'filled', coalesce(sum(holes_filled), 0))
        from ${itemsOfTask(scope)} having task.holes is not null) as holes, task.poll_group_id, task.created_at, task.expires_at, task.ended_at, task.user_id, users.name as user_name,
      array(select device_id from ${itemsOfTask(scope)} order by device_id limit ${namedTaskDevices}) as device_ids,
      coalesce(counted.total, task.device_count) as device_count,
      coalesce(counted.done, task.done_count) as done_count,
      coalesce(counted.failed, task.failed_count) as failed_count
    from (
      select * from device_task task where ${conditionsOf(scope, filter)} and ${ofStatus}
      order by ${orders[order.sort_field][order.sort]} limit ${limit} offset ${offset}
    ) task
    left join users on users.id = task.user_id
    left join lateral (
      select count(*)::int as total, count(*) filter (where status_id = ${done.id})::int as done,
        count(*) filter (where status_id in (${failed.id}, ${expired.id}, ${unknown.id}))::int as failed
      from ${itemsOfTask(scope)} having ${isCounted}
    ) counted on true
    order by ${orders[order.sort_field][order.sort]}`.execute(db);
  return rows.map(({ management, change, holes, poll_group_id, ...row }) => ({
    ...row,
    ...(management ? { management } : {}),
    ...(change ? { change } : {}),
    ...(holes ? { holes } : {}),
    ...(poll_group_id === null ? {} : { poll_group_id }),
  }));
}

/** One task that this session sees. Problem: not_found. Rows: one, by primary key. */
export async function taskOf(db: Db, scope: Scope, id: number): Promise<DeviceTask> {
  const order = { sort_field: "created_at", sort: "desc" } as const;
  const [found] = await taskPage(db, scope, { filter: { ids: [id] }, order, limit: 1, offset: 0 });
  if (!found) throw problem("not_found");
  return found;
}

const inOutcome: Readonly<Record<(typeof taskOutcomes)[number], RawBuilder<boolean>>> = {
  failed: sql`i.status_id in (${failed.id}, ${expired.id}, ${unknown.id})`,
  done: sql`i.status_id = ${done.id}`,
  waiting: sql`i.status_id in (${queued.id}, ${running.id})`,
  cancelled: sql`i.status_id = ${cancelled.id}`,
};

const itemsOf = (scope: Scope, taskId: number): RawBuilder<unknown> =>
  sql`i.company_id = ${scope.companyId} and i.task_id = ${taskId} and ${tiedDevices(scope, sql`i.device_id`)}`;

/**
 * Outcome of a task by device, the first to end first. Rows: the devices of the task, by primary key; `device`
 * and its model for the page only.
 */
export async function resultPage(
  db: Db,
  scope: Scope,
  { taskId, outcome, limit, offset }: { taskId: number; outcome?: keyof typeof inOutcome | undefined } & Page,
): Promise<TaskResult[]> {
  const { rows } = await sql<TaskResult>`
    select i.device_id, coalesce(device.name, gateway.name, '') as device_name, coalesce(device.model_title, '') as model,
      coalesce(device.place, '') as place, i.status_id, i.result as result_code, i.message,
      i.started_ms / 1000 as started_at, i.ended_at, i.holes_asked, i.holes_filled, i.rows_received
    from (
      select * from device_task_item i
      where ${itemsOf(scope, taskId)} and ${outcome ? inOutcome[outcome] : sql`true`}
      order by ended_at nulls last, device_id limit ${limit} offset ${offset}
    ) i left join device on device.id = i.device_id left join gateway on gateway.id = i.device_id order by i.ended_at nulls last, i.device_id`.execute(
    db,
  );
  return rows;
}

/** Number of devices of a task by outcome. Rows: its devices, by primary key. */
export async function countResults(
  db: Db,
  scope: Scope,
  taskId: number,
): Promise<Record<keyof typeof inOutcome, number>> {
  const { rows } = await sql<Record<keyof typeof inOutcome, number>>`
    select count(*) filter (where ${inOutcome.failed})::int as failed, count(*) filter (where ${inOutcome.done})::int as done,
      count(*) filter (where ${inOutcome.waiting})::int as waiting,
      count(*) filter (where ${inOutcome.cancelled})::int as cancelled
    from device_task_item i where ${itemsOf(scope, taskId)}`.execute(db);
  return rows[0] ?? { failed: 0, done: 0, waiting: 0, cancelled: 0 };
}

/** Devices of a task that failed and can still be polled or changed. Rows: its devices, by primary key. */
export async function failedDevices(
  db: Db,
  scope: Scope,
  taskId: number,
  to: "ask" | "change",
): Promise<DeviceId[]> {
  const filter = to === "ask" ? { archive: "excluded" as const } : { trash: "included" as const };
  const { rows } = await sql<{ id: DeviceId }>`
    select d.id from device_task_item i join device d on d.id = i.device_id
    where ${itemsOf(scope, taskId)} and ${inOutcome.failed}
      and ${visibleDevices(scope, { as: "d", ...filter })} order by d.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Devices of a task that this session sees, and the start of the task. */
export async function devicesOfTask(
  db: Db,
  scope: Scope,
  taskId: number,
): Promise<{ readonly ids: DeviceId[]; readonly createdAt: number }> {
  const { rows } = await sql<{ ids: DeviceId[]; createdAt: number }>`
    select array_agg(i.device_id) as ids, min(i.created_at) as "createdAt" from device_task_item i
    join device d on d.id = i.device_id
    where ${itemsOf(scope, taskId)} and ${visibleDevices(scope, { as: "d", trash: "included" })}
    having count(*) > 0`.execute(db);
  return rows[0] ?? { ids: [], createdAt: 0 };
}

/** Devices of a group that can be polled. Index poll_group_device_of. */
export async function devicesOfGroup(db: Db, scope: Scope, groupId: number): Promise<DeviceId[]> {
  const { rows } = await sql<{ id: DeviceId }>`
    select d.id from poll_group_device m join device d on d.id = m.device_id
    where m.group_id = ${groupId} and ${visibleDevices(scope, { as: "d", archive: "excluded" })} order by d.id`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

export interface StatisticsFilter {
  readonly device_id?: number | undefined;
  readonly poll_group_id?: number | undefined;
  readonly start_date: number;
  readonly stop_date: number;
}

/**
 * Polling tasks created in a period, by status, and their devices by status and by result. Rows: the tasks of
 * the company in the period by device_task_created, their devices by primary key.
 */
export async function statisticsOf(
  db: Db,
  scope: Scope,
  { device_id, poll_group_id, start_date, stop_date }: StatisticsFilter,
): Promise<TaskStatistics> {
  const ofDevice = device_id === undefined ? sql`true` : sql`i.device_id = ${device_id}`;
  const ofGroup = poll_group_id === undefined ? sql`true` : sql`task.poll_group_id = ${poll_group_id}`;
  const { rows } = await sql<Omit<TaskStatistics, "start_date" | "stop_date">>`
    with item as (
      select i.task_id, i.status_id, i.result, i.ended_at - i.created_at as sec, task.status_id as task_status
      from device_task task join device_task_item i on i.task_id = task.id and i.created_at = task.created_at
      where task.company_id = ${scope.companyId} and task.change is null and task.created_at between ${start_date} and ${stop_date}
        and ${ofDevice} and ${ofGroup} and ${tiedDevices(scope, sql`i.device_id`)}
    )
    select
      (select coalesce(json_agg(each), '[]') from (select task_status as status_id, count(distinct task_id)::int as count
        from item group by 1 order by 1) each) as tasks,
      (select coalesce(json_agg(each), '[]') from (select status_id, count(*)::int as count
        from item group by 1 order by 1) each) as devices,
      (select coalesce(json_agg(each), '[]') from (select result as result_code, count(*)::int as count
        from item where result is not null group by 1 order by 2 desc, 1) each) as results,
      (select percentile_cont(0.5) within group (order by sec)::float8
        from item where status_id = ${done.id}) as median_sec`.execute(db);
  const { tasks = [], devices = [], results = [], median_sec = null } = rows[0] ?? {};
  return { start_date, stop_date, tasks, devices, results, median_sec };
}
