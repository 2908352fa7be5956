import type { CompanyId } from "@metrum/vocabulary";
import type { Db } from "#core";

/** Requirements of a company for the sign-in of its users. */
export interface SignInPolicy {
  /** Minimum length of a password. */
  readonly minLength: number;
  readonly needsTwoFactor: boolean;
}

const shortest = 8;

/** The policy of the company that an account belongs to, whichever company the session works in. */
export async function signInPolicy(system: Db, companyId: CompanyId): Promise<SignInPolicy> {
  const row = await system
    .selectFrom("company")
    .select("options")
    .where("id", "=", companyId)
    .executeTakeFirst();
  return {
    minLength: Math.max(shortest, row?.options.password_min_length ?? shortest),
    needsTwoFactor: row?.options.two_factor_required ?? false,
  };
}
