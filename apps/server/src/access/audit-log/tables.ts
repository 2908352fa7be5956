import type { UserId } from "@metrum/vocabulary";
import type { ColumnType } from "kysely";

/** Written by `record` and `audit` of core; here it is only read, and taken away when it is old. */
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
  /** Name of the API token it was done with. */
  via: string | null;
}

declare module "#core" {
  interface Tables {
    audit: AuditTable;
  }
}
