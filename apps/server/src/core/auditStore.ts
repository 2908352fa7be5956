import type { AuditAction } from "@metrum/contract";
import { sql } from "kysely";
import type { Db } from "./database/database.ts";
import { storableJson } from "./database/storable.ts";

export interface AuditEntry {
  readonly companyId: number;
  readonly userId?: number;
  /** Staff member who works as that user, or inside a company that was entered from the administration. */
  readonly impersonatorId?: number | undefined;
  readonly address: string;
  /** Name of the API token it was done with. */
  readonly via?: string | undefined;
  /** Verb of the domain, as the call is named: "auth.login". Its title stands in the contract. */
  readonly action: AuditAction;
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
    insert into audit (company_id, user_id, impersonator_id, address, action, subject, before, after, result, via)
    values (${entry.companyId}, ${entry.userId ?? null}, ${entry.impersonatorId ?? null}, ${entry.address}, ${entry.action}, ${entry.subject ?? null},
      ${json(entry.before)}, ${json(entry.after)}, ${entry.result ?? "ok"}, ${entry.via ?? null})
  `.execute(db);
}

function json(value: unknown): string | null {
  return value === undefined ? null : storableJson(value);
}
