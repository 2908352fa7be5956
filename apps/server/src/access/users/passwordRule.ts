import { unmetPasswordNeeds } from "@metrum/contract/access";
import { isCommonPassword } from "./commonPasswords.ts";

/** Why a password is refused: it violates the rule (REG-005), or is commonly used. */
export type PasswordProblem = "easy_password" | "common_password";

/**
 * Checks a new password: 8 to 128 characters (more than 8 if the company requires it) with a lower-case and
 * an upper-case letter, a digit and one of !@#$%^&*, and not a commonly used one. Undefined when it is
 * accepted.
 */
export function checkPassword(
  password: string,
  { minLength }: { readonly minLength: number },
): PasswordProblem | undefined {
  if (unmetPasswordNeeds(password, minLength).length > 0) return "easy_password";
  return isCommonPassword(password) ? "common_password" : undefined;
}
