import { sql } from "kysely";
import type { Db } from "./database/database.ts";

export interface AuditEntry {
  readonly companyId: number;
  readonly userId?: number;
  readonly address: string;
  /** Verb of the domain, as the call is named: "auth.login". */
  readonly action: string;
  /** What it was done to: "company 7". */
  readonly subject?: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** "ok" or the code of the refusal. */
  readonly result?: string;
}

/** Writes who did what, for good: the table knows no update. Never give it a password, a token or a key. */
export async function audit(db: Db, entry: AuditEntry): Promise<void> {
  await sql`
    insert into audit (company_id, user_id, address, action, subject, before, after, result)
    values (${entry.companyId}, ${entry.userId ?? null}, ${entry.address}, ${entry.action}, ${entry.subject ?? null},
      ${json(entry.before)}, ${json(entry.after)}, ${entry.result ?? "ok"})
  `.execute(db);
}

function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
