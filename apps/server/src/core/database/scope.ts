import type { Access } from "@metrum/contract/core";
import type { CompanyId, UserId } from "@metrum/vocabulary";

/**
 * Visibility of a query: fixed by the session, never by the request. Every store function that an API call
 * reaches takes it, so a query that forgets the company does not compile.
 */
export interface Scope {
  readonly companyId: CompanyId;
  /** ltree path of the company: it and its descendants are the branch. */
  readonly companyPath: string;
  readonly userId: UserId;
  readonly access: Access;
  /**
   * Without access_all on module 4, a user who is tied to devices or objects sees only those and what stands
   * in their branches.
   */
  readonly onlyTiedDevices: boolean;
  /** IANA zone of the user, else of the company. */
  readonly timeZone: string;
}
