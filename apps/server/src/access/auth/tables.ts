import type { CompanyId, UserId } from "@metrum/vocabulary";
import type { Generated } from "kysely";

export interface SessionTable {
  id: Generated<number>;
  token_hash: Buffer;
  /** "api": a token that the user made for a program; it has a name, and no idle limit. */
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

/** A consent to the processing of personal data, kept for good. */
export interface ConsentTable {
  id: Generated<number>;
  company_id: CompanyId;
  user_id: UserId;
  /** Of the text that was agreed to. */
  version: number;
  at: Date;
  address: string;
}

export interface OidcJourneyTable {
  state_hash: Buffer;
  ticket_hash: Buffer;
  nonce: string;
  verifier: string;
  /** The code of the provider has been asked for: no other takes its place. */
  is_used: Generated<boolean>;
  /** Whom the provider has named. */
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
