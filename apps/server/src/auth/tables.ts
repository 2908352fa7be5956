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

declare module "#core" {
  interface Tables {
    session: SessionTable;
  }
}
