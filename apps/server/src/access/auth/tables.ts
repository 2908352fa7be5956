import type { CompanyId, UserId } from "@metrum/vocabulary";
import type { Generated } from "kysely";

export interface SessionTable {
  id: Generated<number>;
  token_hash: Buffer;
  /** "api": a token that the user created for a program; it has a name, and no idle limit. */
  kind: Generated<"web" | "api">;
  name: Generated<string | null>;
  user_id: UserId;
  company_id: CompanyId;
  impersonator_id: UserId | null;
  /** The session it was entered from; it ends with that one. */
  root_id: number | null;
  created_at: Generated<Date>;
  last_seen_at: Generated<Date>;
  expires_at: Date;
  address: string | null;
  agent: string | null;
}

/** A consent to the processing of personal data: one per account, deleted with it. */
export interface ConsentTable {
  id: Generated<number>;
  company_id: CompanyId;
  user_id: UserId;
  /** Version of the text that was agreed to. */
  version: number;
  at: Date;
  address: string;
}

export interface OidcJourneyTable {
  state_hash: Buffer;
  ticket_hash: Buffer;
  nonce: string;
  verifier: string;
  /** The code of the provider has been exchanged: no other code is accepted. */
  is_used: Generated<boolean>;
  /** The user named by the provider. */
  email: string | null;
  expires_at: Date;
}

declare module "#core" {
  interface Tables {
    session: SessionTable;
    consent: ConsentTable;
    oidc_journey: OidcJourneyTable;
  }
}
