/** Symbols of which a password must contain at least one (REG-005). */
export const passwordSigns = "!@#$%^&*";

/**
 * Lengths of a password, in characters: the minimum of the specification, and the maximum (security rule
 * 2.5).
 */
export const shortestPassword = 8;
export const longestPassword = 128;

/** Parts of the password rule, in the order in which a form shows them. */
export const passwordNeeds = ["length", "lower", "upper", "digit", "sign"] as const;
export type PasswordNeed = (typeof passwordNeeds)[number];

/**
 * Parts of the rule that a password does not satisfy: at least `minLength` characters (8, or more if the
 * company requires it), a lower-case and an upper-case letter of any script, a digit and one of
 * `passwordSigns`. Empty for a valid password. Characters are counted as code points. Browser and server use
 * this same function.
 */
export function unmetPasswordNeeds(password: string, minLength: number = shortestPassword): PasswordNeed[] {
  const least = Math.max(minLength, shortestPassword);
  const isMet: Readonly<Record<PasswordNeed, boolean>> = {
    length: lengthOf(password) >= least && lengthOf(password) <= longestPassword,
    lower: /\p{Ll}/u.test(password),
    upper: /\p{Lu}/u.test(password),
    digit: /\d/.test(password),
    sign: Array.from(passwordSigns).some((sign) => password.includes(sign)),
  };
  return passwordNeeds.filter((need) => !isMet[need]);
}

function lengthOf(password: string): number {
  return Array.from(password).length;
}
