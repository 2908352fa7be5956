import type { CompanyId } from "@metrum/vocabulary";
import type { Db } from "#core";

/** What a company asks of the sign-in of its users. */
export interface SignInPolicy {
  /** Characters of a password at least. */
  readonly minLength: number;
  readonly needsTwoFactor: boolean;
}

const shortest = 8;

/** The rules of the company an account belongs to: those of the home company, wherever the session works. */
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
