import type { ObjectAddress } from "@metrum/contract/accounting";
import type { BaseStationId, CompanyId, DeviceId, GatewayId, ObjectId } from "@metrum/vocabulary";
import type { ColumnType, Generated, JSONColumnType } from "kysely";

/** A node of the tree; its counters are kept by triggers of migration 0090 and by `countBranches`. */
export interface ObjectNodeTable {
  id: Generated<ObjectId>;
  company_id: CompanyId;
  parent_id: ObjectId | null;
  sort: number;
  name: string;
  type: string;
  address: JSONColumnType<ObjectAddress> | null;
  childs_count: Generated<number>;
  nodes_below: Generated<number>;
  devices: Generated<number>;
  gateways: Generated<number>;
  base_stations: Generated<number>;
  points: Generated<number>;
  devices_below: Generated<number>;
  gateways_below: Generated<number>;
  base_stations_below: Generated<number>;
  points_below: Generated<number>;
  /** Place on the plane of the map, by trigger of migration 0102; null without coordinates. */
  map_x: ColumnType<number | null, never, never>;
  map_y: ColumnType<number | null, never, never>;
  created_at: Generated<Date>;
}

export interface ObjectAttributeTable {
  object_id: ObjectId;
  company_id: CompanyId;
  name: string;
  value: string;
}

/** What stands at a node: exactly one of the three ids is set. */
export interface ObjectItemTable {
  id: Generated<number>;
  object_id: ObjectId;
  company_id: CompanyId;
  device_id: DeviceId | null;
  gateway_id: GatewayId | null;
  base_station_id: BaseStationId | null;
  /** Neither in the trash nor in the archive. */
  is_counted: boolean;
}

declare module "#core" {
  interface Tables {
    object_node: ObjectNodeTable;
    object_attribute: ObjectAttributeTable;
    object_item: ObjectItemTable;
  }
}
