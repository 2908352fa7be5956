import { pollResults, type PollGroup } from "@metrum/contract/headend";
import type { DeviceId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import { containing, storableJson, tiedDevices, type Db, type Scope } from "#core";

/** Devices that a list names; one group is read with all of them. */
const namedDevices = 1000;

/** A group as it is stored. */
export interface GroupRow extends Pick<
  PollGroup,
  | "name"
  | "model_id"
  | "connection_type"
  | "device_interface_id"
  | "poll_params"
  | "autoload_params"
  | "selected_data"
  | "is_active"
  | "poll_one"
  | "report_period_update"
  | "warning_report_period"
> {
  readonly created_at: number;
}

/** A user tied to devices sees the groups that have no other device. */
const visibleGroups = (scope: Scope): RawBuilder<unknown> =>
  scope.onlyTiedDevices
    ? sql`g.company_id = ${scope.companyId} and not exists (select from poll_group_device other
        where other.group_id = g.id and not (${tiedDevices(scope, sql`other.device_id`)}))`
    : sql`g.company_id = ${scope.companyId}`;

export interface GroupFilter {
  readonly text: string;
  readonly isActive: boolean | undefined;
  readonly modelIds: readonly number[] | undefined;
}

function wanted(scope: Scope, { text, isActive, modelIds }: GroupFilter): RawBuilder<unknown> {
  const conditions = [
    visibleGroups(scope),
    ...(text === "" ? [] : [sql`g.name ilike ${containing(text)}`]),
    ...(isActive === undefined ? [] : [sql`g.is_active = ${isActive}`]),
    ...(modelIds === undefined ? [] : [sql`g.model_id = any(${[...modelIds]}::int[])`]),
  ];
  return sql.join(conditions, sql` and `);
}

export type ShownGroup = Omit<PollGroup, "model_title" | "success_rate"> & { readonly polled_count: number };

const shown = sql`
  g.id, g.name, g.model_id, g.connection_type, g.device_interface_id, g.poll_params, g.autoload_params,
  g.selected_data, g.is_active, g.poll_one, g.report_period_update, g.warning_report_period, g.last_run_at,
  members.device_ids, members.device_count, members.answered_count, members.polled_count, members.next_run_at`;

/** The devices of a group and the outcome of their last polls. Index poll_group_device_of, primary keys. */
const members = (most: number, never: number): RawBuilder<unknown> => sql`
  lateral (
    select coalesce((array_agg(m.device_id order by m.device_id))[1:${most}::int], '{}') as device_ids,
      count(m.device_id)::int as device_count,
      count(*) filter (where s.last_poll_result = ${pollResults.ok.id})::int as answered_count,
      count(s.last_poll_result)::int as polled_count,
      min(s.next_poll_at) filter (where g.is_active and d.is_polled and s.next_poll_at < ${never}::bigint) as next_run_at
    from poll_group_device m
    join device d on d.id = m.device_id and d.deleted_at is null
    join device_state s on s.device_id = m.device_id where m.group_id = g.id
  ) members on true`;

/** One page by name, and the number of all. Rows: the groups of the company by poll_group_name. */
export async function groupPage(
  db: Db,
  scope: Scope,
  of: GroupFilter & { readonly limit: number; readonly offset: number; readonly never: number },
): Promise<{ rows: ShownGroup[]; total: number }> {
  const isWanted = wanted(scope, of);
  const { rows } = await sql<ShownGroup>`
    select ${shown} from (
      select * from poll_group g where ${isWanted} order by lower(g.name) limit ${of.limit} offset ${of.offset}
    ) g left join ${members(namedDevices, of.never)} order by lower(g.name)`.execute(db);
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from poll_group g where ${isWanted}`.execute(db);
  return { rows, total: counted[0]?.total ?? 0 };
}

/** One group with all its devices. One row, by primary key. */
export async function groupById(
  db: Db,
  scope: Scope,
  id: number,
  { most, never }: { readonly most: number; readonly never: number },
): Promise<ShownGroup | undefined> {
  const { rows } = await sql<ShownGroup>`
    select ${shown} from poll_group g left join ${members(most, never)}
    where g.id = ${id} and ${visibleGroups(scope)}`.execute(db);
  return rows[0];
}

/** How many groups there are, whatever the filter. Rows: the groups of the company by poll_group_name, 1,000 at most. */
export async function groupCounts(db: Db, scope: Scope): Promise<{ all: number; active: number }> {
  const { rows } = await sql<{ all: number; active: number }>`
    select count(*)::int as all, count(*) filter (where g.is_active)::int as active
    from poll_group g where ${visibleGroups(scope)}`.execute(db);
  return rows[0] ?? { all: 0, active: 0 };
}

export async function countGroups(db: Db, scope: Scope): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from poll_group where company_id = ${scope.companyId}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** Throws on a name that another group of the company has: a violation of poll_group_name. */
export async function insertGroup(db: Db, scope: Pick<Scope, "companyId">, row: GroupRow): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into poll_group (company_id, name, model_id, connection_type, device_interface_id, poll_params,
      autoload_params, selected_data, is_active, poll_one, report_period_update, warning_report_period, created_at)
    values (${scope.companyId}, ${row.name}, ${row.model_id}, ${row.connection_type}, ${row.device_interface_id},
      ${storableJson(row.poll_params)}::jsonb, ${storableJson(row.autoload_params)}::jsonb,
      ${storableJson(row.selected_data)}::jsonb, ${row.is_active}, ${row.poll_one}, ${row.report_period_update},
      ${row.warning_report_period}, ${row.created_at})
    returning id`.execute(db);
  return rows[0]?.id ?? 0;
}

/** The same for a change. */
export async function updateGroup(
  db: Db,
  scope: Scope,
  id: number,
  row: Omit<GroupRow, "created_at">,
): Promise<void> {
  await sql`
    update poll_group set name = ${row.name}, poll_params = ${storableJson(row.poll_params)}::jsonb,
      autoload_params = ${storableJson(row.autoload_params)}::jsonb,
      selected_data = ${storableJson(row.selected_data)}::jsonb, is_active = ${row.is_active}, poll_one = ${row.poll_one},
      report_period_update = ${row.report_period_update}, warning_report_period = ${row.warning_report_period}
    where id = ${id} and company_id = ${scope.companyId}`.execute(db);
}

export async function deleteGroup(db: Db, scope: Scope, id: number): Promise<void> {
  await sql`delete from poll_group where id = ${id} and company_id = ${scope.companyId}`.execute(db);
}

/** Devices of the group, in the trash or not. Index poll_group_device_of. */
export async function membersOf(db: Db, scope: Pick<Scope, "companyId">, id: number): Promise<DeviceId[]> {
  const { rows } = await sql<{ id: DeviceId }>`
    select device_id as id from poll_group_device where group_id = ${id} and company_id = ${scope.companyId}
    order by 1`.execute(db);
  return rows.map((row) => row.id);
}

/** How many of the devices, which came through `resolve`, have another model. Primary keys. */
export async function countOthers(
  db: Db,
  scope: Scope,
  ids: readonly DeviceId[],
  modelId: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from device
    where company_id = ${scope.companyId} and id = any(${[...ids]}::int[]) and model_id <> ${modelId}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Whether one of the devices, which came through `resolve`, is in the trash. Primary keys. */
export async function isAnyInTrash(db: Db, scope: Scope, ids: readonly DeviceId[]): Promise<boolean> {
  const { rows } = await sql`
    select from device
    where company_id = ${scope.companyId} and id = any(${[...ids]}::int[]) and deleted_at is not null limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** What devices get that join a group; locked. Undefined when it is gone. Primary key. */
export async function groupToJoin(db: Db, { companyId }: Pick<Scope, "companyId">, id: number) {
  const { rows } = await sql<
    Pick<GroupRow, "model_id" | "report_period_update" | "warning_report_period">
  >`select model_id, report_period_update, warning_report_period from poll_group
    where id = ${id} and company_id = ${companyId} for update`.execute(db);
  return rows[0];
}

/** Puts devices into a group; each leaves its former one. */
export async function join(
  db: Db,
  scope: Pick<Scope, "companyId">,
  groupId: number,
  ids: readonly DeviceId[],
): Promise<void> {
  await sql`
    insert into poll_group_device (device_id, group_id, company_id)
    select id, ${groupId}, ${scope.companyId} from unnest(${[...ids]}::int[]) as id order by id
    on conflict (device_id) do update set group_id = excluded.group_id`.execute(db);
}

export async function leave(db: Db, scope: Scope, groupId: number, ids: readonly DeviceId[]): Promise<void> {
  await sql`delete from poll_group_device
    where group_id = ${groupId} and company_id = ${scope.companyId} and device_id = any(${[...ids]}::int[])`.execute(
    db,
  );
}

/** When groups last ran; written once a minute at most, and over a time that is still to come. */
export async function noteRun(db: Db, groupIds: readonly number[], now: number): Promise<void> {
  if (groupIds.length === 0) return;
  await sql`update poll_group set last_run_at = ${now}
    where id in (
      select id from poll_group where id = any(${[...new Set(groupIds)]}::int[])
        and (coalesce(last_run_at, 0) < ${now - 60} or last_run_at > ${now})
      order by id for update)`.execute(db);
}
