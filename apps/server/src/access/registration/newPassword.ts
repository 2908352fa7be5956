import { shortestPassword } from "@metrum/contract/access";
import { problem } from "@metrum/contract/core";
import { checkPassword } from "#access/users";

/**
 * Checks a new password and its repetition. Throws easy_password, common_password, password_not_equal, and
 * wrong_input if the repetition is too short to be one (fail_password).
 */
export function judgePassword(
  given: { readonly password: string; readonly password_confirmation: string },
  minLength: number,
): void {
  const weak = checkPassword(given.password, { minLength });
  if (weak) throw problem(weak, { attributes: { password: [weak] } });
  if (given.password_confirmation.length < shortestPassword)
    throw problem("wrong_input", { attributes: { password_confirmation: ["fail_password"] } });
  if (given.password !== given.password_confirmation)
    throw problem("password_not_equal", { attributes: { password_confirmation: ["password_not_equal"] } });
}
