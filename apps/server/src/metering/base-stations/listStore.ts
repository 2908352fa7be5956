import type { BaseStationListInput, BaseStationSelection } from "@metrum/contract/metering";
import type { BaseStationId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { foundPage, visibleDevices, type Db, type FoundBy, type Scope } from "#core";
import { carrierConditions } from "#metering/gateways";

export interface BaseStationRow {
  readonly id: BaseStationId;
  readonly name: string;
  readonly device_id: string;
  readonly model_id: number | null;
  readonly desc: string;
  readonly radius: number;
  readonly poll_pause: number;
  readonly is_active: boolean;
  readonly is_deleted: boolean;
  readonly is_archived: boolean;
  readonly created_at: number;
  readonly devices_count: number;
}

export interface BaseStationPage {
  readonly filter: BaseStationSelection;
  readonly sort_field: NonNullable<BaseStationListInput["sort_field"]>;
  readonly sort: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
}

const sortColumns = {
  id: sql`base_station.id`,
  name: sql`base_station.name`,
  device_id: sql`base_station.device_id`,
  radius: sql`base_station.radius`,
} as const;

/**
 * A page of base stations with their total; devices are counted for its rows only. Rows: those of a company by
 * base_station_listed, 5,000 at most; the devices of the page by device_by_station.
 */
export async function stationPage(
  by: FoundBy,
  scope: Scope,
  { filter, sort_field, ...page }: BaseStationPage,
): Promise<{ readonly total: number; readonly rows: BaseStationRow[] }> {
  const { total, ids } = await foundPage<BaseStationId>(by, {
    rows: sql`base_station where ${conditions(scope, filter)}`,
    id: sql`base_station.id`,
    key: sortColumns[sort_field],
    ...page,
  });
  return { total, rows: await stationsOf(by.db, scope, ids) };
}

/** Ids of all base stations that match a filter: 5,000 at most. Index base_station_listed, or _trash. */
export async function matchingStations(
  db: Db,
  scope: Scope,
  filter: BaseStationSelection,
): Promise<BaseStationId[]> {
  const { rows } = await sql<{ id: BaseStationId }>`
    select base_station.id from base_station where ${conditions(scope, filter)}`.execute(db);
  return rows.map(({ id }) => id);
}

/** One base station that came through `resolve`; primary key. */
export async function stationRow(
  db: Db,
  scope: Scope,
  id: BaseStationId,
): Promise<BaseStationRow | undefined> {
  const [row] = await stationsOf(db, scope, [id]);
  return row;
}

/** Base stations in the order of these ids. */
async function stationsOf(db: Db, scope: Scope, ids: readonly BaseStationId[]): Promise<BaseStationRow[]> {
  const { rows } = await sql<BaseStationRow>`
    select base_station.id, base_station.name, base_station.device_id, base_station.model_id, base_station."desc",
      base_station.radius, base_station.poll_pause, base_station.is_active, base_station.deleted_at is not null as is_deleted,
      base_station.is_archived,
      extract(epoch from base_station.created_at)::int as created_at, assigned.devices_count
    from unnest(${[...ids]}::int[]) with ordinality as page (id, place)
      join base_station on base_station.id = page.id
      cross join lateral (
        select count(*)::int as devices_count from device d
        where d.base_station_id = base_station.id and ${visibleDevices(scope, { as: "d", archive: "excluded" })}
      ) assigned
    order by page.place`.execute(db);
  return rows;
}

/**
 * Those of these base stations of which a user tied to devices does not see all devices, trash and archive
 * included. Index device_by_station.
 */
export async function withDevicesOfOthers(
  db: Db,
  scope: Scope,
  ids: readonly BaseStationId[],
): Promise<ReadonlySet<BaseStationId>> {
  if (!scope.onlyTiedDevices) return new Set();
  const { rows } = await sql<{ id: BaseStationId }>`
    select distinct d.base_station_id as id from device d
    where d.base_station_id = any(${[...ids]}::int[])
      and not (${visibleDevices(scope, { as: "d", trash: "included" })})`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

const conditions = (scope: Scope, filter: BaseStationSelection) =>
  sql.join(carrierConditions(scope, "base_station", filter), sql` and `);
