import type { CompanyId, UserId } from "@metrum/vocabulary";

export interface EntryCodeTable {
  code_hash: Buffer;
  /** Company of the staff member who requested it. */
  company_id: CompanyId;
  issuer_id: UserId;
  session_id: number;
  target_company_id: CompanyId;
  /** Null: the staff member works there under their own name. */
  target_user_id: UserId | null;
  issued_at: Date;
  expires_at: Date;
  spent_at: Date | null;
}

export interface ProcessSeenTable {
  id: string;
  host: string;
  pid: number;
  roles: string[];
  version: string;
  node: string;
  started_at: Date;
  seen_at: Date;
}

declare module "#core" {
  interface Tables {
    entry_code: EntryCodeTable;
    process_seen: ProcessSeenTable;
  }
}
