import type { BaseStationId, CompanyId, GatewayId } from "@metrum/vocabulary";
import type { ColumnType, Generated } from "kysely";

export interface GatewayTable {
  id: Generated<GatewayId>;
  company_id: CompanyId;
  model_id: number;
  interface_id: number;
  base_station_id: BaseStationId | null;
  name: string;
  device_id: string;
  host: string | null;
  port: number | null;
  /** Serial port of the server and listener settings, see migration 0022; written with JSON text. */
  serial: ColumnType<unknown, string | undefined, string>;
  listens: ColumnType<unknown, string | undefined, string>;
  /** Whether a user of the company has entered the line. */
  is_line_entered: Generated<boolean>;
  desc: Generated<string>;
  phone_number: Generated<string>;
  login: Generated<string>;
  timezone: string | null;
  report_period_update: Generated<number>;
  warning_report_period: Generated<number>;
  poll_pause: Generated<number>;
  dlms_wrapper: Generated<boolean>;
  is_active: Generated<boolean>;
  is_archived: Generated<boolean>;
  deleted_at: Date | null;
  last_session_at: number | null;
  /** TCP port of its control, if not that of its model; see migration 0087. */
  control_port: number | null;
  created_at: Generated<Date>;
  search: ColumnType<string, never, never>;
}

declare module "#core" {
  interface Tables {
    gateway: GatewayTable;
  }
}
