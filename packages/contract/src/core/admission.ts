import { z } from "zod/mini";

/** Input of a sign-in apart from the proof of identity. */
export const given = {
  personal_data_access: z.optional(z.boolean()),
  one_t_p: z.optional(z.string().check(z.maxLength(20))),
};
/** Further checks between a proven identity and its token. */
export const afterIdentity = [
  "company_inactive",
  "company_expired",
  "one_time_code_needed",
  "one_time_code_wrong",
  "sign_in_refused",
  "consent_needed",
] as const;
/** Result of a sign-in. */
export const Token = z.object({ access_token: z.string() });

/** The payload of a sign-in by password. */
export const Login = z.object({
  email: z.string().check(z.trim(), z.minLength(1), z.maxLength(255)),
  password: z.string().check(z.minLength(1), z.maxLength(1000)),
  ...given,
  captcha: z.optional(z.string().check(z.maxLength(1000))),
  captcha_key: z.optional(z.string().check(z.maxLength(255))),
});
/** Refusals of a sign-in by password. */
export const byPassword = [
  "captcha_needed",
  "captcha_wrong",
  "directory_away",
  ...afterIdentity,
  "too_many_requests",
] as const;
