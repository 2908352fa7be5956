import { z } from "zod/mini";
import { publicCall } from "../core/call.ts";
import { emailPattern } from "../core/email.ts";
import { innLength } from "../core/inn.ts";
import { phoneLength, phonePattern } from "../core/phone.ts";
import { Nothing } from "../core/values.ts";

/** Message names are attributes of a refusal, so that a form can show them at the field. */
const Email = z.string().check(z.trim(), z.maxLength(255, "fail_email"), z.regex(emailPattern, "fail_email"));
/** Characters as typed: the quality of a password is checked by `unmetPasswordNeeds`. */
const Password = z.string().check(z.maxLength(1000, "easy_password"));
const Token = z.string().check(z.maxLength(255));

const Phone = z
  .string()
  .check(
    z.trim(),
    z.minLength(phoneLength.least, "fail_phone_number"),
    z.maxLength(phoneLength.most, "fail_phone_number"),
    z.regex(phonePattern, "fail_phone_number"),
  );

/** Data of a company and its first user at registration. */
export const Signup = z.object({
  name: z.optional(z.string().check(z.trim(), z.maxLength(255))),
  email: Email,
  company_type_id: z.optional(z.int().check(z.describe("always stored as 1"))),
  company_name: z.string().check(z.trim(), z.minLength(1), z.maxLength(255)),
  inn: z.string().check(z.trim(), z.length(innLength)),
  phone_number: Phone,
  user_time_zone: z.optional(
    z.nullable(z.number().check(z.describe("hours ahead of UTC; ignored outside -12 to 12"))),
  ),
  password: z.optional(Password),
  password_confirmation: z.optional(Password),
});

/** Proof of a human that the server requires. */
const answered = {
  captcha: z.optional(z.string().check(z.maxLength(1000))),
  captcha_key: z.optional(z.string().check(z.maxLength(255))),
};

export const PasswordReset = z.object({
  email: Email,
  token: Token,
  password: Password,
  password_confirmation: Password,
});

/** Whom the token of a letter belongs to. */
const Found = z.object({
  email: z.string(),
  password_min_length: z.int().check(z.describe("as required by the company of the account")),
});

export const registration = {
  signup: publicCall({
    id: "auth.signup",
    method: "POST",
    path: "auth/signup",
    summary:
      "Registers a company with its administrator and sends the activation letter; for a known address the answer is the same, but the letter another one",
    body: z.extend(Signup, answered),
    reply: Nothing,
    problems: [
      "registration_closed",
      "easy_password",
      "common_password",
      "password_not_equal",
      "captcha_needed",
      "captcha_wrong",
      "too_many_requests",
    ],
    perMinute: 120,
  }),
  activate: publicCall({
    id: "auth.activate",
    method: "GET",
    path: "auth/signup/activate/:token",
    summary: "Confirms a registration with the token of its letter; repeating it is harmless",
    params: z.object({ token: Token }),
    reply: Nothing,
    problems: ["link_dead", "email_unavailable", "too_many_requests"],
    perMinute: 120,
  }),
  activateByLetter: publicCall({
    id: "auth.activateByLetter",
    isOwn: true,
    method: "POST",
    path: "auth/signup/activate",
    summary: "The same with the token in the body, where no log of a proxy keeps it",
    body: z.object({ token: Token }),
    reply: Nothing,
    problems: ["link_dead", "email_unavailable", "too_many_requests"],
    perMinute: 120,
  }),
  passwordCreate: publicCall({
    id: "auth.passwordCreate",
    method: "POST",
    path: "auth/password/create",
    summary:
      "Sends a letter with a link for a new password; the answer does not reveal whether the address is known",
    body: z.object({ email: Email }),
    reply: Nothing,
    problems: ["too_many_requests"],
    perMinute: 120,
  }),
  passwordFind: publicCall({
    id: "auth.passwordFind",
    method: "GET",
    path: "auth/password/find/:token",
    summary: "The address that the token of a letter belongs to, and the minimum length of its password",
    params: z.object({ token: Token }),
    reply: Found,
    problems: ["link_dead", "too_many_requests"],
    perMinute: 120,
  }),
  passwordFindByLetter: publicCall({
    id: "auth.passwordFindByLetter",
    isOwn: true,
    method: "POST",
    path: "auth/password/find",
    summary: "The same with the token in the body, where no log of a proxy keeps it",
    body: z.object({ token: Token }),
    reply: Found,
    problems: ["link_dead", "too_many_requests"],
    perMinute: 120,
  }),
  passwordReset: publicCall({
    id: "auth.passwordReset",
    method: "POST",
    path: "auth/password/reset",
    summary: "Sets a new password with the token of a letter, once; all sessions of the account end",
    body: PasswordReset,
    reply: Nothing,
    problems: [
      "link_dead",
      "easy_password",
      "common_password",
      "password_not_equal",
      "email_unavailable",
      "too_many_requests",
    ],
    perMinute: 120,
  }),
};
