import type { CompanyId, UserId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";
import { hashOf, newToken } from "./store.ts";

/** Longest life of a session that platform staff entered: security rule 2.4. */
export const enteredSec = 3600;

export interface EnteredSession {
  readonly token: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

/**
 * Starts a session of a staff member inside a company, under the own name or as one of its users. It is marked with the
 * staff member, lives an hour at most and ends with the session it was entered from. Undefined when that one is gone.
 */
export async function startEnteredSession(
  system: Db,
  given: {
    /** Session of the staff member. */
    readonly from: number;
    readonly userId: UserId;
    readonly companyId: CompanyId;
    readonly impersonatorId: UserId;
    readonly at: Date;
    readonly address: string;
    readonly agent: string;
  },
): Promise<EnteredSession | undefined> {
  const token = newToken();
  const until = new Date(given.at.getTime() + enteredSec * 1000);
  const { rows } = await sql<{ expires_at: Date }>`
    insert into session
      (token_hash, user_id, company_id, impersonator_id, root_id, created_at, last_seen_at, expires_at, address, agent)
    select ${hashOf(token)}, ${given.userId}::int, ${given.companyId}::int, ${given.impersonatorId}::int,
      coalesce(root_id, id), ${given.at}, ${given.at}, least(expires_at, ${until}), ${given.address},
      ${given.agent.slice(0, 500)}
    from session where id = ${given.from}::int
    returning expires_at
  `.execute(system);
  const [row] = rows;
  return row ? { token, expiresAt: Math.floor(row.expires_at.getTime() / 1000) } : undefined;
}
