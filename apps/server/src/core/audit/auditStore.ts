import type { AuditAction } from "@metrum/contract/access";
import { sql } from "kysely";
import type { Db } from "../database/database.ts";
import { storableJson } from "../database/storable.ts";

export interface AuditEntry {
  readonly companyId: number;
  readonly userId?: number;
  /** Staff member who acts as that user, or inside a company entered from the administration. */
  readonly impersonatorId?: number | undefined;
  readonly address: string;
  /** Name of the API token that was used. */
  readonly via?: string | undefined;
  /** Name of the action, as the call is named: "auth.login". Its title is in the contract. */
  readonly action: AuditAction;
  /** The object of the action: "company 7". */
  readonly subject?: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** "ok" or the code of the refusal. */
  readonly result?: string;
}

/** Appends to the audit log, which is never updated. Do not pass a password, a token or a key. */
export async function audit(db: Db, entry: AuditEntry): Promise<void> {
  await sql`
    insert into audit (company_id, user_id, impersonator_id, address, action, subject, before, after, result, via)
    values (${entry.companyId}, ${entry.userId ?? null}, ${entry.impersonatorId ?? null}, ${entry.address}, ${entry.action}, ${entry.subject ?? null},
      ${json(entry.before)}, ${json(entry.after)}, ${entry.result ?? "ok"}, ${entry.via ?? null})
  `.execute(db);
}

/** The same action on many objects, in one statement. */
export async function auditEach(
  db: Db,
  entry: Omit<AuditEntry, "subject" | "before" | "after">,
  objects: readonly Pick<AuditEntry, "subject" | "before" | "after">[],
): Promise<void> {
  if (objects.length === 0) return;
  await sql`
    insert into audit (company_id, user_id, impersonator_id, address, action, subject, before, after, result, via)
    select ${entry.companyId}::int, ${entry.userId ?? null}::int, ${entry.impersonatorId ?? null}::int, ${entry.address},
      ${entry.action}, object.subject, object.before, object.after, ${entry.result ?? "ok"}, ${entry.via ?? null}
    from jsonb_to_recordset(${storableJson(objects)}::jsonb) as object (subject text, before jsonb, after jsonb)
  `.execute(db);
}

function json(value: unknown): string | null {
  return value === undefined ? null : storableJson(value);
}
