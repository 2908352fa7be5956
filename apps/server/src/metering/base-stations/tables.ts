import type { BaseStationId, CompanyId } from "@metrum/vocabulary";
import type { ColumnType, Generated } from "kysely";

export interface BaseStationTable {
  id: Generated<BaseStationId>;
  company_id: CompanyId;
  model_id: number | null;
  name: string;
  device_id: Generated<string>;
  desc: Generated<string>;
  radius: Generated<number>;
  poll_pause: Generated<number>;
  is_active: Generated<boolean>;
  is_archived: Generated<boolean>;
  deleted_at: Date | null;
  created_at: Generated<Date>;
  search: ColumnType<string, never, never>;
}

declare module "#core" {
  interface Tables {
    base_station: BaseStationTable;
  }
}
