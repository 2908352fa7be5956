import type { CompanyId, UserId } from "@metrum/vocabulary";
import type { Db } from "#core";

/** Stores a consent. The newest row is the one in force; older rows are its history. */
export async function noteConsent(
  system: Db,
  given: {
    readonly userId: UserId;
    readonly companyId: CompanyId;
    readonly version: number;
    readonly at: Date;
    readonly address: string;
  },
): Promise<void> {
  const { userId: user_id, companyId: company_id, version, at, address } = given;
  await system.insertInto("consent").values({ user_id, company_id, version, at, address }).execute();
}
