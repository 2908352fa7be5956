import type { DeviceListInput, DeviceState } from "@metrum/contract";
import type { DeviceId } from "@metrum/vocabulary";
import { sql, type RawBuilder, type Selectable } from "kysely";
import type { Db, Scope } from "#core";
import type { DeviceStateTable, DeviceTable } from "./tables.ts";

/** A device with what changes and with the names of what it hangs on. */
export type DeviceRow = Omit<Selectable<DeviceTable>, "search"> &
  Pick<Selectable<DeviceStateTable>, "last_data_at" | "silent_at" | "last_poll_result"> & {
    gateway_name: string | null;
    gateway_device_id: string | null;
    base_station_name: string | null;
    company_timezone: string;
  };

export interface DevicePage {
  readonly filter: Omit<DeviceListInput, "page" | "per_page" | "paginate" | "sort" | "sort_field" | "only">;
  /** Models having all the options asked for; undefined: no such filter. */
  readonly modelIds: readonly number[] | undefined;
  readonly sort_field: NonNullable<DeviceListInput["sort_field"]>;
  readonly sort: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
  readonly now: number;
}

const columns = {
  id: sql`device.id`,
  name: sql`device.name`,
  place: sql`device.place`,
  deviceID: sql`device."deviceID"`,
  model: sql`device.model_title`,
  interface_id: sql`device.interface_id`,
  device_group_id: sql`device.device_group_id`,
  last_data_at: sql`device_state.last_data_at`,
} as const;

/** Columns whose order the table `device_state` keeps, with its own id, so that one index serves company and order. */
const stateFirst: ReadonlySet<string> = new Set(["last_data_at"]);

const selected = sql`
  device.*, device_state.last_data_at, device_state.silent_at, device_state.last_poll_result,
  gateway.name as gateway_name, gateway.device_id as gateway_device_id, base_station.name as base_station_name,
  company.timezone as company_timezone`;

/**
 * One page of the list. Rows: a page of at most 100,000 devices of a company; indexes device_by_* or
 * device_state_by_last_data give the order, device_search the search. Only the ids are ordered; the page is joined after.
 */
export async function page(db: Db, scope: Scope, asked: DevicePage): Promise<DeviceRow[]> {
  const direction = asked.sort === "asc" ? sql`asc` : sql`desc`;
  const order = columns[asked.sort_field];
  const id = stateFirst.has(asked.sort_field) ? sql`device_state.device_id` : sql`device.id`;
  const { rows } = await sql<DeviceRow>`
    with page as materialized (
      select device.id, row_number() over () as place
      from (
        select device.id from ${source(scope, asked)}
        order by ${order} ${direction}, ${id} ${direction}
        limit ${asked.limit}::int offset ${asked.offset}::int
      ) device
    )
    select ${selected}
    from page
    join device on device.id = page.id
    join device_state on device_state.device_id = device.id
    join company on company.id = device.company_id
    left join gateway on gateway.id = device.gateway_id
    left join base_station on base_station.id = device.base_station_id
    order by page.place
  `.execute(db);
  return rows;
}

/** How many devices the filter leaves. Rows: index-only where the filter has an index of its own. */
export async function count(db: Db, scope: Scope, asked: DevicePage): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${source(scope, asked)}`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

/** One device, also from the trash; undefined when it is none of ours. */
export async function device(db: Db, scope: Scope, id: DeviceId): Promise<DeviceRow | undefined> {
  const { rows } = await sql<DeviceRow>`
    select ${selected}
    from device
    join device_state on device_state.device_id = device.id
    join company on company.id = device.company_id
    left join gateway on gateway.id = device.gateway_id
    left join base_station on base_station.id = device.base_station_id
    where device.id = ${id}::int and device.company_id = ${scope.companyId}::int
  `.execute(db);
  return rows[0];
}

/** Switches devices; null toggles. Returns how each stands now. */
export async function switchActive(
  db: Db,
  scope: Scope,
  ids: readonly DeviceId[],
  isActive: boolean | null,
): Promise<{ id: DeviceId; is_active: boolean }[]> {
  const { rows } = await sql<{ id: DeviceId; is_active: boolean }>`
    update device set is_active = coalesce(${isActive}::boolean, not is_active)
    where company_id = ${scope.companyId}::int and id = any(${ids}::int[])
    returning id, is_active
  `.execute(db);
  return rows;
}

/** Brings the titles that the list sorts by in line with the catalogue; system role, at start. */
export async function syncModelTitles(system: Db, titles: ReadonlyMap<number, string>): Promise<void> {
  await sql`
    update device set model_title = model.title
    from unnest(${[...titles.keys()]}::int[], ${[...titles.values()]}::text[]) as model (id, title)
    where device.model_id = model.id and device.model_title <> model.title
  `.execute(system);
}

/** The tables and conditions of a list. The state is joined only where a condition or the order asks for it. */
function source(scope: Scope, asked: DevicePage): RawBuilder<unknown> {
  const { filter } = asked;
  const states = filter.fields_filter?.state ?? [];
  const needsState = states.length > 0 || stateFirst.has(asked.sort_field);
  const conditions = [
    sql`device.company_id = ${scope.companyId}::int`,
    filter.is_deleted ? sql`device.deleted_at is not null` : sql`device.deleted_at is null`,
    ...(needsState ? [sql`device_state.company_id = ${scope.companyId}::int`] : []),
    ...(states.length > 0
      ? [
          sql`(${sql.join(
            states.map((state) => inState(state, asked.now)),
            sql` or `,
          )})`,
        ]
      : []),
    ...tied(scope),
    ...among(sql`device.id`, filter.ids),
    ...among(sql`device.model_id`, filter.model_id),
    ...among(sql`device.model_id`, asked.modelIds),
    ...among(sql`device.interface_id`, filter.interface_id),
    ...among(sql`device.device_group_id`, filter.device_group_id),
    ...among(sql`device.gateway_id`, filter.gateway_ids),
    ...(filter.device_state === undefined
      ? []
      : [sql`device.is_active = ${filter.device_state === "active"}`]),
    ...(filter.is_archived === undefined ? [] : [sql`device.is_archived = ${filter.is_archived}`]),
    ...found(filter.search_string),
  ];
  const from = needsState ? sql`device join device_state on device_state.device_id = device.id` : sql`device`;
  return sql`${from} where ${sql.join(conditions, sql` and `)}`;
}

function inState(state: DeviceState, now: number): RawBuilder<boolean> {
  switch (state) {
    case "off":
      return sql`not device.is_active`;
    case "never":
      return sql`(device.is_active and device_state.last_data_at is null)`;
    case "silent":
      return sql`(device.is_active and device_state.silent_at <= ${now}::bigint)`;
    case "on_time":
      return sql`(device.is_active and device_state.silent_at > ${now}::bigint)`;
  }
}

function tied(scope: Scope): RawBuilder<unknown>[] {
  if (!scope.onlyTiedDevices) return [];
  return [sql`device.id in (select device_id from device_user where user_id = ${scope.userId}::int)`];
}

function among(
  column: RawBuilder<unknown>,
  given: number | readonly number[] | undefined,
): RawBuilder<unknown>[] {
  if (given === undefined) return [];
  return [sql`${column} = any(${typeof given === "number" ? [given] : given}::int[])`];
}

function found(text: string | undefined): RawBuilder<unknown>[] {
  const wanted = (text ?? "").toLowerCase();
  if (wanted === "") return [];
  return [sql`device.search like ${`%${wanted.replaceAll(/[\\%_]/g, "\\$&")}%`}`];
}
