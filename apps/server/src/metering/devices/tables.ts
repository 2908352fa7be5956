import type { BaseStationId, CompanyId, DeviceId, GatewayId } from "@metrum/vocabulary";
import type { ColumnType, Generated } from "kysely";

export interface DeviceTable {
  id: Generated<DeviceId>;
  company_id: CompanyId;
  model_id: number;
  model_title: string;
  device_group_id: number;
  device_type_id: number;
  interface_id: number;
  gateway_id: GatewayId | null;
  base_station_id: BaseStationId | null;
  name: string;
  place: Generated<string>;
  deviceID: string;
  inside_addr: Generated<string>;
  timezone: string | null;
  report_period_update: Generated<number>;
  warning_report_period: Generated<number>;
  starting_value: Generated<number>;
  impulse_weight: Generated<number>;
  transformation_ratio: Generated<number>;
  properties: ColumnType<Record<string, unknown>, string | undefined, string>;
  is_active: Generated<boolean>;
  is_polled: Generated<boolean>;
  is_archived: Generated<boolean>;
  deleted_at: Date | null;
  /** Removed for good by a user; a worker deletes it with its data. */
  removed_at: Date | null;
  version: Generated<number>;
  search: ColumnType<string, never, never>;
  created_at: Generated<Date>;
}

export interface DeviceStateTable {
  device_id: DeviceId;
  company_id: CompanyId;
  /** Slot of the newest reading, epoch seconds. */
  last_data_at: number | null;
  /** When the device begins to count as silent: the newest reading plus `warning_report_period`. */
  silent_at: number | null;
  next_poll_at: number | null;
  poll_failures: Generated<number>;
  last_poll_result: number | null;
}

declare module "#core" {
  interface Tables {
    device: DeviceTable;
    device_state: DeviceStateTable;
  }
}
