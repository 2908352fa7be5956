import type { CompanyId, ConsumerId, SupplierId, TransformerId } from "@metrum/vocabulary";
import type { ColumnType, Generated } from "kysely";

/** A calendar day: read and written as `YYYY-MM-DD`. */
type DateColumn = ColumnType<string | null, string | null, string | null>;
/** Exact decimals: read as text. */
type Decimal = ColumnType<string, number | string, number | string>;

export interface ConsumerTable {
  id: Generated<ConsumerId>;
  company_id: CompanyId;
  name: string;
  inn: Generated<string>;
  number_of_contract: Generated<string>;
  /** 1 person, 2 organisation. */
  subject_type_id: number;
  address: Generated<string>;
  comment: Generated<string>;
  registration_date: DateColumn;
  registration_number: string | null;
  phone_number: string | null;
  email: string | null;
  account_access_enabled: Generated<boolean>;
  measurement_code_object: Generated<string>;
  created_at: Generated<Date>;
  /** Since then its data are erased. */
  erased_at: ColumnType<Date | null, never, Date>;
}

export interface SupplierTable {
  id: Generated<SupplierId>;
  company_id: CompanyId;
  name: string;
  inn: Generated<string>;
  number_of_contract: Generated<string>;
  email: Generated<string>;
  report_date: DateColumn;
  created_at: Generated<Date>;
}

export interface TransformerTable {
  id: Generated<TransformerId>;
  company_id: CompanyId;
  title: string;
  kind: "current" | "voltage";
  primary_value: Decimal;
  secondary_value: Decimal;
  /** Computed by the database. */
  ratio: ColumnType<string, never, never>;
  accuracy_class: Generated<string>;
  number: Generated<string>;
  verified_at: DateColumn;
  verified_until: DateColumn;
  created_at: Generated<Date>;
}

declare module "#core" {
  interface Tables {
    consumer: ConsumerTable;
    supplier: SupplierTable;
    transformer: TransformerTable;
  }
}
