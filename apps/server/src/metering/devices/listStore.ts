import type { DeviceListInput } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { sql, type RawBuilder, type Selectable } from "kysely";
import { companyDevices, foundPage, visibleDevices, type Db, type FoundPage, type Scope } from "#core";
import type { DeviceStateTable, DeviceTable } from "./tables.ts";
import { all, any, inState, inStates, ofDevice, sought } from "./filterStore.ts";

/** A device with its state and the names of its model, gateway and place. */
export type DeviceRow = Pick<Selectable<DeviceTable>, (typeof read)[number]> &
  Pick<Selectable<DeviceStateTable>, "last_data_at" | "silent_at" | "last_poll_result"> & {
    gateway_name: string | null;
    gateway_device_id: string | null;
    base_station_name: string | null;
    company_timezone: string;
  };

export interface DevicePage {
  readonly filter: Omit<
    DeviceListInput,
    "page" | "per_page" | "paginate" | "sort" | "sort_field" | "only" | "append_fields"
  >;
  /** Models that have all requested options; undefined: no such filter. */
  readonly modelIds: readonly number[] | undefined;
  readonly sort_field: NonNullable<DeviceListInput["sort_field"]>;
  readonly sort: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
  readonly now: number;
  readonly half?: Half;
}

/** The devices whose names come before this one, or those from it on. */
export interface Half {
  readonly middle: string;
  readonly isFirst: boolean;
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
  inside_addr: sql`device.inside_addr`,
  created_at: sql`device.created_at`,
} as const;

/** Up to this number matching devices are sorted; for more the page is read in index order. */
export const few = 2_000;

/** The columns of a device that are read; its text for the search is longer than all the others together. */
const read = [
  "id",
  "company_id",
  "model_id",
  "model_title",
  "device_group_id",
  "device_type_id",
  "interface_id",
  "gateway_id",
  "base_station_id",
  "name",
  "place",
  "deviceID",
  "inside_addr",
  "timezone",
  "report_period_update",
  "warning_report_period",
  "starting_value",
  "impulse_weight",
  "transformation_ratio",
  "properties",
  "is_active",
  "is_polled",
  "is_archived",
  "deleted_at",
  "version",
  "created_at",
] as const satisfies readonly (keyof DeviceTable)[];

const selected = sql`
  ${sql.join(read.map((name) => sql.ref(`device.${name}`)))}, device_state.last_data_at, device_state.silent_at, device_state.last_poll_result,
  gateway.name as gateway_name, gateway.device_id as gateway_device_id, base_station.name as base_station_name,
  company.timezone as company_timezone`;

/** Result of a filter: the count, and the ids (as text of an array) if few enough to sort. */
export interface Found {
  readonly total: number;
  readonly ids: string | null;
  /** Where a list by name is cut into halves, if that is worth while. */
  readonly middle?: string | undefined;
}

/**
 * Evaluates the filter. Rows: an index-only scan of device_listed, or for a text of device_sought, over the
 * devices of a company, 100,000 at most, unless an index of a filter or of the search is more selective.
 */
export async function find(db: Db, scope: Scope, asked: DevicePage, isRare: boolean): Promise<Found> {
  const { rows } = await findQuery(scope, asked, isRare).execute(db);
  return rows[0] ?? { total: 0, ids: null };
}

export function findQuery(scope: Scope, asked: DevicePage, isRare: boolean): RawBuilder<Found> {
  return sql<Found>`
    select count(*)::int as total, case when count(*) <= ${few}::int then array_agg(device.id)::text end as ids
    from device where ${matching(scope, asked, isRare)}`;
}

export type Matched = Pick<DevicePage, "filter" | "modelIds" | "now" | "half">;

function matching(scope: Scope, asked: Matched, isRare: boolean): RawBuilder<unknown> {
  const text = sought(asked.filter);
  return all([
    ...ofDevice(scope, asked),
    ...inStates(scope, asked),
    ...(text === undefined
      ? []
      : [isRare ? sql`device.id in (select device_found(${text}))` : sql`device.search like ${text}`]),
  ]);
}

/** Ids of all devices that match, in their order. Rows: as `find`, 100,000 at most. */
export async function matchingIds(
  db: Db,
  scope: Scope,
  asked: Matched,
  isRare: boolean,
): Promise<DeviceId[]> {
  const { rows } = await sql<{ ids: DeviceId[] | null }>`
    select array_agg(device.id order by device.id) as ids from device
    where ${matching(scope, asked, isRare)}`.execute(db);
  return rows[0]?.ids ?? [];
}

/**
 * One page of the result. A few devices are sorted; otherwise the page is read in the order of device_by_* or
 * device_state_by_last_data until it is full. Only ids are ordered; the other columns are joined afterwards.
 */
export async function page(
  db: Db,
  scope: Scope,
  asked: DevicePage,
  ids: string | null,
): Promise<DeviceRow[]> {
  const { rows } = await pageQuery(scope, asked, ids).execute(db);
  return rows;
}

export function pageQuery(scope: Scope, asked: DevicePage, ids: string | null): RawBuilder<DeviceRow> {
  return sql<DeviceRow>`
    with page as materialized (
      select id, row_number() over () as place from (${inOrder(scope, asked, ids)}) device
    )
    select ${selected}
    from page
    ${joinedToPage}
    order by page.place`;
}

const joinedToPage = sql`join device on device.id = page.id
    join device_state on device_state.device_id = device.id
    join company on company.id = device.company_id
    left join gateway on gateway.id = device.gateway_id
    left join base_station on base_station.id = device.base_station_id`;

/** The rows of ids that the list has found, in their order: one each, by primary keys. */
export async function rowsOf(db: Db, ids: readonly DeviceId[]): Promise<DeviceRow[]> {
  const { rows } = await sql<DeviceRow>`
    select ${selected}
    from unnest(${`{${ids.join()}}`}::int[]) with ordinality as page (id, place) ${joinedToPage}
    order by page.place`.execute(db);
  return rows;
}

/** Number of devices that match a text which many have. Rows: those of the company, or a half, by device_sought. */
export async function count(db: Db, scope: Scope, asked: DevicePage): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from device where ${matching(scope, asked, false)}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** Total and first ids of one half of a list by name. Rows: those of the half by device_sought. */
export function findHalf(db: Db, scope: Scope, asked: DevicePage): Promise<FoundPage<DeviceId>> {
  const { sort, limit, offset } = asked;
  const rows = sql`device where ${matching(scope, asked, false)}`;
  return foundPage({ db }, { rows, id: sql`device.id`, key: columns.name, sort, limit, offset });
}

/** First ids of one half of a list by name, read in its order until there are enough; the total is left out. */
export async function walkHalf(db: Db, scope: Scope, asked: DevicePage): Promise<FoundPage<DeviceId>> {
  const { rows } = await sql<{ ids: DeviceId[] }>`
    select array(${inOrder(scope, asked, null)}) as ids`.execute(db);
  return { total: 0, ids: rows[0]?.ids ?? [] };
}

/** Orders by a column that device_by_name holds. */
const orderedInOnePass: ReadonlySet<string> = new Set(["id", "name", "interface_id", "device_group_id"]);

export const isOnePass = ({ sort_field }: DevicePage): boolean => orderedInOnePass.has(sort_field);

/**
 * Total and page at once, for a text that many devices have, but not most. Their place in the order is unknown: a
 * page may lie behind all others. Rows: those of a company by device_by_name, 100,000 at most.
 */
export async function findPage(
  db: Db,
  scope: Scope,
  asked: DevicePage,
): Promise<{ readonly total: number; readonly rows: DeviceRow[] }> {
  const { sort_field, sort, limit, offset } = asked;
  const { total, ids } = await foundPage<DeviceId>(
    { db },
    {
      rows: sql`device where ${matching(scope, asked, false)}`,
      id: sql`device.id`,
      key: columns[sort_field],
      sort,
      limit,
      offset,
    },
  );
  return { total, rows: await rowsOf(db, ids) };
}

/**
 * Total and ids of the whole list in its order, `limit` at most. Rows: those of the company for the total and again
 * for the order, 100,000 at most each.
 */
export async function wholeList(
  db: Db,
  scope: Scope,
  asked: DevicePage,
  isRare: boolean,
): Promise<FoundPage<DeviceId>> {
  const { total, ids } = await find(db, scope, asked, isRare);
  const { rows } = await sql<{ ids: DeviceId[] }>`
    select array(${inOrder(scope, asked, ids)}) as ids`.execute(db);
  return { total, ids: rows[0]?.ids ?? [] };
}

/**
 * The ids of the page. The table that determines the order also gives the tie-breaking id, so that one index
 * serves both.
 */
function inOrder(scope: Scope, asked: DevicePage, ids: string | null): RawBuilder<unknown> {
  const byState = asked.sort_field === "last_data_at";
  const id = byState ? sql`device_state.device_id` : sql`device.id`;
  const table = byState ? sql`device_state` : sql`device`;
  const chosen =
    ids === null
      ? filtered(scope, asked, byState)
      : sql`${table} where ${table}.company_id = ${scope.companyId}::int and ${id} = any(${ids}::int[])`;
  const direction = asked.sort === "asc" ? sql`asc` : sql`desc`;
  return sql`
    select ${id} as id from ${chosen}
    order by ${columns[asked.sort_field]} ${direction}, ${id} ${direction}
    limit ${asked.limit}::int offset ${asked.offset}::int`;
}

/**
 * The matching devices, row by row; the state is joined only if a condition or the order needs it. The
 * selectivity of a text cannot be estimated, so it must not choose the plan: with coalesce the planner
 * assumes every second row.
 */
function filtered(scope: Scope, asked: DevicePage, byState: boolean): RawBuilder<unknown> {
  const { filter, now } = asked;
  const states = filter.fields_filter?.state ?? [];
  const needsState = byState || states.length > 0;
  const text = sought(filter);
  const conditions = [
    ...ofDevice(scope, asked),
    ...(needsState ? [sql`device_state.company_id = ${scope.companyId}::int`] : []),
    ...(states.length > 0 ? [any(states.map((state) => inState(state, now)))] : []),
    ...(text === undefined ? [] : [sql`coalesce(device.search like ${text}, false)`]),
  ];
  return sql`
    device ${needsState ? sql`join device_state on device_state.device_id = device.id` : sql``}
    where ${all(conditions)}`;
}

/** How many devices have the search text; "none": no search, or in the trash. */
export interface TextFrequency {
  readonly textIs: "none" | "rare" | "frequent" | "most";
  /** A name in the middle of the first devices, where many have the text. */
  readonly middle?: string;
}

/** A text found this often among the first devices of a company is frequent, or one that most have. */
const [frequentFrom, mostFrom, sampled] = [50, 500, 1_000];

/** Whether a text is rare enough for its index to be faster, judged by the first devices. */
export async function frequencyOf(
  db: Db,
  scope: Scope,
  filter: DevicePage["filter"],
): Promise<TextFrequency> {
  const text = sought(filter);
  if (text === undefined || filter.is_deleted) return { textIs: "none" };
  const { rows } = await sql<{ n: number; middle: string | null }>`
    with sample as materialized (
      select name, search like ${text} as has_text from device where ${companyDevices(scope.companyId)}
      order by id limit ${sampled}
    )
    select n, case when n >= ${frequentFrom}::int then (
      select percentile_disc(0.5) within group (order by name) from sample
    ) end as middle
    from (select count(*) filter (where has_text)::int as n from sample) counted
  `.execute(db);
  const { n = 0, middle } = rows[0] ?? {};
  if (n < frequentFrom || middle == null) return { textIs: "rare" };
  return { textIs: n < mostFrom ? "frequent" : "most", middle };
}

/** One device, also from the trash; undefined when it is not visible. */
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

/**
 * Ids of the models in use in the company, trash excluded. Rows: the company by device_listed, an index-only
 * scan.
 */
export async function modelsInUse(db: Db, scope: Scope): Promise<number[]> {
  const { rows } = await sql<{ model_id: number }>`
    select distinct model_id from device where ${visibleDevices(scope)} order by model_id
  `.execute(db);
  return rows.map((row) => row.model_id);
}
