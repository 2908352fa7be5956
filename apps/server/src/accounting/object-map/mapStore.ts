import { mapBounds, mapStates, type MapCounts, type MapState } from "@metrum/contract/accounting";
import type { ObjectId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import { containing, tiedObjects, type Db, type Scope } from "#core";
import { silentDevices, switchedOff } from "#metering/device-state";
import type { PlaneRectangle } from "./plane.ts";

/** Which objects a map shows. Its ids are resolved. */
export interface MapFilter {
  readonly search_string?: string | undefined;
  readonly states?: readonly MapState[] | undefined;
  readonly object_ids?: readonly number[] | undefined;
}

export interface Asked {
  readonly filter: MapFilter;
  readonly now: number;
  /** Undefined: everywhere. */
  readonly area?: PlaneRectangle | undefined;
}

const ofUser = (scope: Scope): RawBuilder<unknown> =>
  scope.onlyTiedDevices
    ? sql`n.company_id = ${scope.companyId}::int and n.id in (${tiedObjects(scope.userId)})`
    : sql`n.company_id = ${scope.companyId}::int`;

function chosen(scope: Scope, { filter, area }: Asked): RawBuilder<unknown> {
  const { search_string, object_ids } = filter;
  const inArea = area
    ? sql`n.map_x between ${area.x0}::float8 and ${area.x1}::float8
        and n.map_y between ${area.y0}::float8 and ${area.y1}::float8`
    : sql`n.map_x is not null`;
  return sql`${ofUser(scope)} and ${inArea}
    ${search_string ? sql`and n.id in (select id from object_found(${containing(search_string.toLowerCase())}) as id)` : sql``}
    ${object_ids ? sql`and n.id in (select id from object_branch(${[...object_ids]}::int[]) as id)` : sql``}`;
}

/**
 * Common table expressions: `placed` are the chosen objects with their devices, the silent ones (or never heard)
 * among them, and their state. Devices that are switched off do not count. Rows: silent devices of the company by
 * device_state_by_silence and those switched off by device_switched_off, with the nodes above them; objects by
 * object_node_place, 200,000 at most.
 */
function placed(scope: Scope, asked: Asked): RawBuilder<unknown> {
  const { states } = asked.filter;
  return sql`
    recursive apart as (
      select i.object_id as id, count(*) filter (where is_silent)::int as silent,
        count(*) filter (where not is_silent)::int as off
      from (
        select device_id, true as is_silent from (${silentDevices(scope, asked.now)}) silent
        union all
        select id, false from (${switchedOff(scope)}) off
      ) d join object_item i on i.device_id = d.device_id and i.is_counted group by 1
    ), up as (
      select id, silent, off from apart
      union all
      select o.parent_id, up.silent, up.off from up join object_node o on o.id = up.id where o.parent_id is not null
    ), branch as materialized (
      select id, sum(silent)::int as silent, sum(off)::int as off from up group by id
    ), counted as (
      select n.id, n.map_x, n.map_y, n.devices + n.devices_below as devices, coalesce(b.silent, 0) as silent,
        n.devices + n.devices_below - coalesce(b.off, 0) as working
      from object_node n left join branch b on b.id = n.id where ${chosen(scope, asked)}
    ), placed as (
      select *, case when working <= 0 then 'none' when silent <= 0 then 'ok' when silent >= working then 'silent'
        else 'partly' end as state
      from counted
    ), shown as (
      select * from placed ${states ? sql`where state = any(${[...states]}::text[])` : sql``}
    )`;
}

export interface Cell extends MapCounts {
  readonly key: string;
  readonly count: number;
  readonly x: number;
  readonly y: number;
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  /** Devices of all its objects, and the silent ones; of nested objects counted repeatedly. */
  readonly devices: number;
  readonly quiet: number;
  /** One of its objects. */
  readonly sample: ObjectId;
}

/** Objects of an area by cells of the plane. */
export async function cellsOf(db: Db, scope: Scope, asked: Asked, across: number): Promise<Cell[]> {
  const { rows } = await sql<Cell>`
    with ${placed(scope, asked)}
    select cx || ':' || cy as key, count(*)::int as count,
      count(*) filter (where state = 'silent')::int as silent, count(*) filter (where state = 'partly')::int as partly,
      count(*) filter (where state = 'ok')::int as ok, count(*) filter (where state = 'none')::int as none,
      avg(map_x) as x, avg(map_y) as y, min(map_x) as x0, min(map_y) as y0, max(map_x) as x1, max(map_y) as y1,
      sum(devices)::int as devices, sum(silent)::int as quiet, min(id) as sample
    from (select *, floor(map_x * ${across}::float8) as cx, floor(map_y * ${across}::float8) as cy from shown) shown
    group by cx, cy`.execute(db);
  return rows;
}

export interface MapRow {
  readonly id: ObjectId;
  readonly name: string;
  readonly type: string;
  readonly address: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly devices: number;
  readonly silent: number;
  readonly state: MapState;
}

const addressText = sql`coalesce(nullif(n.address ->> 'unrestricted_value', ''), concat_ws(', ',
  nullif(n.address ->> 'city', ''), nullif(n.address ->> 'street', ''), nullif(n.address ->> 'house', '')), '')`;
const columns = sql`n.id, n.name, n.type, ${addressText} as address,
  (n.address -> 'coordinates' ->> 0)::float8 as latitude, (n.address -> 'coordinates' ->> 1)::float8 as longitude,
  shown.devices, shown.silent, shown.state`;

/** Objects that `cellsOf` has found, with what it has counted of each. Primary key. */
export async function singleObjects(db: Db, scope: Scope, cells: readonly Cell[]): Promise<MapRow[]> {
  if (cells.length === 0) return [];
  const { rows } = await sql<MapRow>`
    select ${columns}
    from unnest(${cells.map(({ sample }) => sample)}::int[], ${cells.map(({ devices }) => devices)}::int[],
        ${cells.map(({ quiet }) => quiet)}::int[], ${cells.map(worstOf)}::text[]) as shown (id, devices, silent, state)
      join object_node n on n.id = shown.id and n.company_id = ${scope.companyId}::int
    order by n.id`.execute(db);
  return rows;
}

/** The worst state that there is. */
export const worstOf = (counts: MapCounts): MapState =>
  mapStates.find((state) => counts[state] > 0) ?? "none";

const worstFirst = sql`case shown.state when 'silent' then 0 when 'partly' then 1 when 'ok' then 2 else 3 end`;

/** A page of the objects of an area, the worst first, and how many there are. */
export async function objectPage(
  db: Db,
  scope: Scope,
  asked: Asked,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly MapRow[]; readonly total: number }> {
  const { rows } = await sql<MapRow & { total: number }>`
    with ${placed(scope, asked)}, page as (
      select shown.id, shown.devices, shown.silent, shown.state, count(*) over ()::int as total
      from shown join object_node n on n.id = shown.id
      order by ${worstFirst}, lower(n.name), n.id limit ${limit}::int offset ${offset}::int
    )
    select ${columns}, shown.total from page shown join object_node n on n.id = shown.id
    order by ${worstFirst}, lower(n.name), n.id`.execute(db);
  const [first] = rows;
  if (first || offset === 0) return { rows, total: first?.total ?? 0 };
  const { total } = await objectPage(db, scope, asked, { limit: 1, offset: 0 });
  return { rows, total };
}

/** The oldest objects with coordinates, and how many there are. */
export async function oldestObjects(
  db: Db,
  scope: Scope,
  now: number,
): Promise<{ readonly rows: readonly MapRow[]; readonly total: number }> {
  const { rows } = await sql<MapRow & { total: number }>`
    with ${placed(scope, { filter: {}, now })}, page as (
      select shown.*, count(*) over ()::int as total from shown order by id limit ${mapBounds.objects}
    )
    select ${columns}, shown.total from page shown join object_node n on n.id = shown.id order by n.id`.execute(
    db,
  );
  return { rows, total: rows[0]?.total ?? 0 };
}

/** The rectangle of all objects that the user sees. Index-only scan of object_node_place. */
export async function extentOf(
  db: Db,
  scope: Scope,
): Promise<{ readonly area: PlaneRectangle | undefined; readonly placed: number; readonly all: number }> {
  const { rows } = await sql<
    { [K in keyof PlaneRectangle]: number | null } & { placed: number; all: number }
  >`
    select min(n.map_x) as x0, min(n.map_y) as y0, max(n.map_x) as x1, max(n.map_y) as y1,
      count(n.map_x)::int as placed, count(*)::int as all
    from object_node n where ${ofUser(scope)}`.execute(db);
  const [row] = rows;
  if (row?.x0 == null || row.y0 == null || row.x1 == null || row.y1 == null)
    return { area: undefined, placed: 0, all: row?.all ?? 0 };
  const { x0, y0, x1, y1, placed, all } = row;
  return { area: { x0, y0, x1, y1 }, placed, all };
}
