import type { CompanyId, Language, UserId } from "@metrum/vocabulary";
import type { ColumnType, Generated } from "kysely";

export const letterStates = ["queued", "sending", "sent", "parked", "unknown"] as const;
/**
 * queued: waiting, or leased and being prepared; sending: bytes are being sent; sent; parked: given up, with
 * the error; unknown: the process or the connection died while sending, so it may have arrived.
 */
export type LetterState = (typeof letterStates)[number];

export const linkPurposes = ["activation", "reset", "invitation", "address"] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

export interface LetterTable {
  id: Generated<number>;
  company_id: CompanyId;
  recipient: string;
  language: Language;
  kind: string;
  /** What it is about; by default a number of its own. */
  key: Generated<string>;
  /** Null once no longer needed: it contains links. */
  params: ColumnType<Record<string, string> | null, string, null>;
  state: Generated<LetterState>;
  tries: Generated<number>;
  created_at: Generated<Date>;
  due_at: Generated<Date>;
  useless_after: Date | null;
  leased_until: Date | null;
  sent_at: Date | null;
  error: string | null;
}

export interface LetterLinkTable {
  token_hash: Buffer;
  company_id: CompanyId;
  user_id: UserId;
  purpose: LinkPurpose;
  /** Of a link that proves an address: that address. */
  email: string | null;
  created_at: Generated<Date>;
  expires_at: Date;
  spent_at: Date | null;
}

declare module "#core" {
  interface Tables {
    letter: LetterTable;
    letter_link: LetterLinkTable;
  }
}
