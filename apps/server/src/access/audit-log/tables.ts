import type { UserId } from "@metrum/vocabulary";
import type { ColumnType } from "kysely";

/** Rows are written by `record` and `audit` of core; this domain reads them and deletes expired ones. */
export interface AuditTable {
  company_id: number;
  at: ColumnType<Date, never, never>;
  id: ColumnType<number, never, never>;
  user_id: UserId | null;
  impersonator_id: UserId | null;
  address: string | null;
  action: string;
  subject: string | null;
  before: unknown;
  after: unknown;
  result: string;
  /** Name of the API token that was used. */
  via: string | null;
}

declare module "#core" {
  interface Tables {
    audit: AuditTable;
  }
}
