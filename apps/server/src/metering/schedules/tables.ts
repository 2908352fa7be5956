import type { ScheduleRules } from "@metrum/contract/core";
import type { CompanyId, DeviceId } from "@metrum/vocabulary";
import type { ColumnType, Generated } from "kysely";

export interface DeviceScheduleTable {
  device_id: DeviceId;
  company_id: CompanyId;
  rules: ColumnType<ScheduleRules, string, string>;
  saved_at: Generated<Date>;
}

declare module "#core" {
  interface Tables {
    device_schedule: DeviceScheduleTable;
  }
}
