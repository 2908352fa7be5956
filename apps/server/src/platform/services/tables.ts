import type { CompanyId, Text } from "@metrum/vocabulary";
import type { Branded } from "@metrum/vocabulary";
import type { ColumnType, Generated } from "kysely";

export type CompanyServiceId = Branded<"companyService">;

export interface ServiceGroupTable {
  id: Generated<number>;
  code: string;
  title: ColumnType<Text, string, string>;
}

export interface ServiceTable {
  id: Generated<number>;
  service_group_id: number;
  code: string;
  title: ColumnType<Text, string, string>;
  price: number | null;
  currency: string | null;
  is_available: Generated<boolean>;
}

export interface CompanyServiceTable {
  id: Generated<CompanyServiceId>;
  company_id: CompanyId;
  service_id: number;
  is_active: Generated<boolean>;
  settings: ColumnType<Record<string, unknown>, string | undefined, string>;
  created_at: Generated<Date>;
}

export interface ServiceLogTable {
  id: ColumnType<number, never, never>;
  company_id: CompanyId;
  service_id: number;
  at: ColumnType<Date, Date | undefined, never>;
  /** Code of a text of `serviceMessages`. */
  message: string;
  params: ColumnType<Record<string, string | number>, string, never>;
  result: ColumnType<string, string, never>;
}

declare module "#core" {
  interface Tables {
    service_group: ServiceGroupTable;
    service: ServiceTable;
    company_service: CompanyServiceTable;
    service_log: ServiceLogTable;
  }
}
