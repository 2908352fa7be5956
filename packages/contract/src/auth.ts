import { z } from "zod/mini";
import { call, publicCall } from "./core/call.ts";
import { duties } from "./core/duties.ts";
import { IdText, Nothing } from "./core/values.ts";

const ExitPoint = z.string().check(z.maxLength(255));

/** How the answer to a captcha begins that was earned by work: "pow:12,7,40211,...", one nonce a part. */
export const workPrefix = "pow:";

/** What a captcha asks of whoever cannot or will not read its image. */
const Challenge = z.object({
  salt: z.string(),
  difficulty: z.int().check(z.describe("zero bits that each hash begins with")),
  parts: z
    .int()
    .check(
      z.describe(
        "for each part n from 0 a nonce (decimal) is sought so that SHA-256 of the text `salt:n:nonce` begins with these bits",
      ),
    ),
});
export type Challenge = z.infer<typeof Challenge>;

/** The captcha: asked of whoever has guessed too often. */
export const captcha = {
  get: publicCall({
    id: "auth.captcha",
    method: "GET",
    path: "captcha",
    summary: "A captcha for one try: an image to read or, without eyes, work for the browser; 5 minutes",
    reply: z.object({
      image: z.string().check(z.describe("data URL")),
      key: z.string(),
      challenge: Challenge,
    }),
    perMinute: 60,
  }),
};

/** Version of the text on personal data that a consent is given to; the web app shows it. */
export const personalDataVersion = 1;

/** What a sign-in asks for beside who it is. */
const given = {
  personal_data_access: z.optional(z.boolean()),
  one_t_p: z.optional(z.string().check(z.maxLength(20))),
};
/** What stands between a proven identity and its token. */
const afterIdentity = [
  "company_inactive",
  "company_expired",
  "one_time_code_needed",
  "one_time_code_wrong",
  "sign_in_refused",
  "consent_needed",
] as const;
const Token = z.object({ access_token: z.string() });
const Secret = z.string().check(z.minLength(1), z.maxLength(255));

export const auth = {
  login: publicCall({
    id: "auth.login",
    method: "POST",
    path: "auth/login",
    summary: "Signs in with e-mail and password",
    body: z.object({
      email: z.string().check(z.trim(), z.minLength(1), z.maxLength(255)),
      password: z.string().check(z.minLength(1), z.maxLength(1000)),
      ...given,
      captcha: z.optional(z.string().check(z.maxLength(1000))),
      captcha_key: z.optional(z.string().check(z.maxLength(255))),
      directory: z.optional(
        z.boolean().check(z.describe("only the directory of the company judges the password")),
      ),
    }),
    reply: Token,
    problems: ["captcha_needed", "captcha_wrong", "directory_away", ...afterIdentity, "too_many_requests"],
    perMinute: 600,
  }),
  kerberos: publicCall({
    id: "auth.kerberos",
    method: "POST",
    path: "auth/kerberos",
    isOwn: true,
    summary: "Signs in as the user whom a trusted proxy names",
    body: z.object(given),
    reply: Token,
    problems: ["not_found", "no_account", ...afterIdentity],
    perMinute: 60,
  }),
  oidcStart: publicCall({
    id: "auth.oidcStart",
    method: "POST",
    path: "auth/oidc/start",
    isOwn: true,
    summary: "Begins a sign-in at the OpenID provider: where to go, and a ticket that the browser keeps",
    reply: z.object({ url: z.string(), ticket: z.string() }),
    problems: ["not_found", "provider_away"],
    perMinute: 60,
  }),
  oidcFinish: publicCall({
    id: "auth.oidcFinish",
    method: "POST",
    path: "auth/oidc/finish",
    isOwn: true,
    summary: "Ends a sign-in at the OpenID provider with what it has added to the address of the page",
    body: z.object({
      ...given,
      ticket: Secret,
      state: Secret,
      code: z.string().check(z.minLength(1), z.maxLength(4000)),
      iss: z.optional(z.string().check(z.maxLength(1000))),
    }),
    reply: Token,
    problems: ["not_found", "provider_refused", "provider_away", "no_account", ...afterIdentity],
    perMinute: 60,
  }),
  logout: call({
    id: "auth.logout",
    method: "GET",
    path: "auth/logout",
    right: null,
    summary: "Ends the session and all that were entered from it",
    serves: duties,
    reply: Nothing,
  }),
  enterCompany: call({
    id: "company.enter",
    method: "POST",
    path: "company/enter/:id",
    right: "2:read",
    summary: "Starts a session inside a company below the own one",
    params: z.object({ id: IdText }),
    body: z.object({ exit_point: z.optional(ExitPoint) }),
    reply: z.object({ access_token: z.string() }),
    problems: ["not_found", "own_company", "company_inactive", "company_expired"],
  }),
  exitCompany: call({
    id: "company.exit",
    method: "POST",
    path: "company/exit",
    right: null,
    summary:
      "Ends the session inside a company; the token is one of the own company, null when none was entered",
    body: z.object({ exit_point: ExitPoint }),
    reply: z.object({ access_token: z.nullable(z.string()) }),
  }),
};
