import type { Module, PeakHours } from "@metrum/contract/access";
import type { CompanyId } from "@metrum/vocabulary";
import type { ColumnType, Generated } from "kysely";

export interface CompanyOptions {
  readonly only_api?: boolean | undefined;
  readonly peak_hours_zone?: "price_0" | "price_1" | "manual" | undefined;
  readonly peak_hours_region?: number | undefined;
  readonly two_factor_required?: boolean | undefined;
  readonly password_min_length?: number | undefined;
  readonly divides_gaps_from?: string | null | undefined;
}

type Json<Value> = ColumnType<Value, string, string>;

export interface CompanyTable {
  id: Generated<CompanyId>;
  parent_id: CompanyId | null;
  path: string;
  name: string;
  company_type_id: Generated<number>;
  inn: string | null;
  phone_number: string | null;
  timezone: Generated<string>;
  is_dealer: Generated<boolean>;
  is_demo: Generated<boolean>;
  is_active: Generated<boolean>;
  expires_at: number | null;
  options: ColumnType<CompanyOptions, string | undefined, string>;
  active_modules: Json<Module[]>;
  rules_belong_to_company_id: CompanyId | null;
  peak_hours: ColumnType<PeakHours[], string | undefined, string>;
  deleted_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  created_at: Generated<Date>;
}

declare module "#core" {
  interface Tables {
    company: CompanyTable;
  }
}
