import { shortestPassword, unmetPasswordNeeds } from "@metrum/contract/access";
import { emailPattern, innLength, phoneLength } from "@metrum/contract/core";

/** Keys of the texts below a field, including those of the specification. */
export type Fault =
  | "required"
  | "fail_email"
  | "fail_inn"
  | "fail_phone_number"
  | "easy_password"
  | "fail_password"
  | "password_not_equal";

export const emptyDraft = {
  name: "",
  email: "",
  company_name: "",
  inn: "",
  phone_number: "",
  password: "",
  password_confirmation: "",
};
export type Draft = Readonly<typeof emptyDraft>;
export type FormField = keyof Draft;
export type Faults = Partial<Readonly<Record<FormField, Fault>>>;

/** Fault of an e-mail address; undefined if valid. */
export function faultOfEmail(email: string): Fault | undefined {
  return emailPattern.test(email.trim()) ? undefined : "fail_email";
}

/** Faults of a new password and its repetition, each checked alone. */
export function faultsOfPassword(
  { password, password_confirmation }: Pick<Draft, "password" | "password_confirmation">,
  minLength: number,
): Pick<Faults, "password" | "password_confirmation"> {
  const isWeak = unmetPasswordNeeds(password, minLength).length > 0;
  return {
    ...(isWeak ? { password: password === "" ? "required" : "easy_password" } : {}),
    ...(password_confirmation.length < shortestPassword ? { password_confirmation: "fail_password" } : {}),
  };
}

/** The same for the link of a letter, where a short password is reported by its length (REG-024). */
export function faultsOfReset(
  given: Pick<Draft, "password" | "password_confirmation">,
  minLength: number,
): Pick<Faults, "password" | "password_confirmation"> {
  const faults = faultsOfPassword(given, minLength);
  const { length } = given.password;
  return length > 0 && length < shortestPassword ? { ...faults, password: "fail_password" } : faults;
}

/** Faults of the form; empty if it may be sent (REG-011). Unequal passwords are reported only on submit. */
export function faultsOf(
  draft: Draft,
  { usesRandomPasswords }: { readonly usesRandomPasswords: boolean },
): Faults {
  const email = faultOfEmail(draft.email);
  const { length } = draft.phone_number;
  return {
    ...(email ? { email } : {}),
    ...(draft.company_name.trim() === "" ? { company_name: "required" } : {}),
    ...(draft.inn.trim().length === innLength ? {} : { inn: "fail_inn" }),
    ...(length < phoneLength.least || length > phoneLength.most ? { phone_number: "fail_phone_number" } : {}),
    ...(usesRandomPasswords ? {} : faultsOfPassword(draft, shortestPassword)),
  };
}

/** Hours that the local time of the browser is ahead of UTC. */
export function ownOffset(at: Date): number {
  return (0 - at.getTimezoneOffset()) / 60;
}
