/** Signs of which a password has at least one (REG-005). */
export const passwordSigns = "!@#$%^&*";

/** Lengths of a password, in characters: the specification's least one, and the greatest (security rule 2.5). */
export const shortestPassword = 8;
export const longestPassword = 128;

/** What the rule for passwords asks, in the order in which a form shows it. */
export const passwordNeeds = ["length", "lower", "upper", "digit", "sign"] as const;
export type PasswordNeed = (typeof passwordNeeds)[number];

/**
 * Which parts of the rule a password does not meet: at least `minLength` characters (8, or more where the company asks for
 * it), a small and a capital letter of any script, a digit and one of `passwordSigns`. Empty for a password that meets all.
 * Characters are counted as people see them in the field: by code point. Browser and server ask this same function.
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
