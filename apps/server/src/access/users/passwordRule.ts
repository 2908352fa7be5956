import { unmetPasswordNeeds } from "@metrum/contract";
import { isCommonPassword } from "./commonPasswords.ts";

/** Why a password is refused: weaker than the rule (REG-005), or one that everybody tries first. */
export type PasswordProblem = "easy_password" | "common_password";

/**
 * Judges a new password: 8 to 128 characters (more than 8 where the company asks for it) with a small and a capital letter,
 * a digit and one of !@#$%^&*, and none of those that guessing begins with. Undefined when it is fine.
 */
export function checkPassword(
  password: string,
  { minLength }: { readonly minLength: number },
): PasswordProblem | undefined {
  if (unmetPasswordNeeds(password, minLength).length > 0) return "easy_password";
  return isCommonPassword(password) ? "common_password" : undefined;
}
