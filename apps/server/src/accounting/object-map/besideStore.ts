import { mapBounds } from "@metrum/contract/accounting";
import type { BaseStationId, ObjectId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { tiedObjects, visibleCarriers, visibleDevices, type Db, type Scope } from "#core";

export interface StationRow {
  readonly id: BaseStationId;
  readonly name: string;
  readonly radius: number;
  readonly is_active: boolean;
  readonly devices: number;
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * Base stations with the coordinates of the object they stand at, or of the nearest one above it that has some. Of
 * objects that the user does not see the coordinates are those of the own station, so they are no secret. Rows: the
 * stations of the company, each with the nodes above its place.
 */
export async function stationsOf(db: Db, scope: Scope): Promise<StationRow[]> {
  const { rows } = await sql<StationRow>`
    select base_station.id, base_station.name, base_station.radius, base_station.is_active,
      (place.at ->> 0)::float8 as latitude, (place.at ->> 1)::float8 as longitude,
      (select count(*)::int from device where base_station_id = base_station.id and ${visibleDevices(scope, { archive: "excluded" })}) as devices
    from base_station join object_item i on i.base_station_id = base_station.id and i.is_counted
      cross join lateral (
        with recursive up as (
          select parent_id, map_x, address -> 'coordinates' as at, 0 as distance from object_node where id = i.object_id
          union all
          select n.parent_id, n.map_x, n.address -> 'coordinates', distance + 1
          from up join object_node n on n.id = up.parent_id where up.map_x is null
        )
        select at from up where map_x is not null order by distance limit 1
      ) place
    where ${visibleCarriers(scope, "base_station")}
    order by base_station.id limit ${mapBounds.stations}`.execute(db);
  return rows;
}

/** A node above an object on the map, or itself. */
export interface NodeAbove {
  readonly of: ObjectId;
  readonly name: string;
  readonly type: string;
}

/** Nodes with a kind above these objects, from the nearest. Rows: the levels above each, by primary key. */
export async function nodesAbove(db: Db, scope: Scope, ids: readonly ObjectId[]): Promise<NodeAbove[]> {
  const { rows } = await sql<NodeAbove>`
    with recursive up as (
      select n.id as of, n.id, n.parent_id, n.name, n.type, 0 as distance from object_node n
      where n.id = any(${[...ids]}::int[]) and n.company_id = ${scope.companyId}::int
      union all
      select up.of, n.id, n.parent_id, n.name, n.type, distance + 1 from up join object_node n on n.id = up.parent_id
    )
    select of, name, type from up
    where type <> '' ${scope.onlyTiedDevices ? sql`and id in (${tiedObjects(scope.userId)})` : sql``}
    order by of, distance`.execute(db);
  return rows;
}
