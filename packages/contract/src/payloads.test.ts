import { z } from "zod/mini";
import { expect, it } from "vitest";
import { auth, registration, services } from "./access/index.ts";
import { PasswordReset, Signup } from "./access/registration.ts";

const fieldsOf = (schema: unknown): string[] =>
  schema instanceof z.ZodMiniObject ? Object.keys(schema.shape).sort() : [];

const login = ["captcha", "captcha_key", "email", "one_t_p", "password", "personal_data_access"];
const signup = [
  "company_name",
  "company_type_id",
  "email",
  "inn",
  "name",
  "password",
  "password_confirmation",
  "phone_number",
  "user_time_zone",
];
const reset = ["email", "password", "password_confirmation", "token"];
const log = ["page", "per_page", "start_date", "stop_date"];

it("API-014: sign-in, sign-up, reset and log query have exactly the fields of their entities", () => {
  expect(fieldsOf(auth.login.body)).toEqual(login);
  expect(fieldsOf(Signup)).toEqual(signup);
  expect(fieldsOf(PasswordReset)).toEqual(reset);
  expect(fieldsOf(services.companyLog.body)).toEqual(log);
});

it("API-014: a sign-up is accompanied by the answer to a captcha, and by nothing else", () => {
  expect(fieldsOf(registration.signup.body)).toEqual([...signup, "captcha", "captcha_key"].sort());
  expect(registration.passwordReset.body).toBe(PasswordReset);
});
