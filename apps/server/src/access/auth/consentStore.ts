import type { CompanyId, UserId } from "@metrum/vocabulary";
import type { Db } from "#core";

/** Stores the consent of an account, which is requested once. */
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
