import type { CompanyId, DeviceId } from "@metrum/vocabulary";

export interface DeviceAttributeTable {
  company_id: CompanyId;
  device_id: DeviceId;
  name: string;
  value: string;
}

declare module "#core" {
  interface Tables {
    device_attribute: DeviceAttributeTable;
  }
}
