import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { duties } from "../core/duties.ts";
import { Id, IdText, Nothing, Seconds } from "../core/values.ts";
import { Email } from "./members.ts";
import { OwnUser } from "./users.ts";

/** An existing password, whatever the rule was when it was chosen. */
const CurrentPassword = z.string().check(z.minLength(1), z.maxLength(1000));
/** Six digits of an authenticator app, or a recovery code. */
const Code = z.string().check(z.minLength(1), z.maxLength(20));
const Proof = z.object({ one_t_p: Code, current_password: CurrentPassword });
const RecoveryCodes = z.object({
  recovery_codes: z
    .array(z.string())
    .check(z.describe("shown only once; each replaces a one-time code once")),
});

/**
 * Fields that the owner of an account may change; an offset outside -12 to 12 is ignored, as is an empty
 * phone.
 */
export const ProfileChange = z.object({
  name: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(255))),
  email: z.optional(Email),
  phone_number: z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(20)))),
  user_time_zone: z.optional(z.nullable(z.number())),
  timezone_name: z
    .optional(z.nullable(z.string().check(z.maxLength(60))))
    .check(z.describe("IANA zone; null: that of the company")),
  language: z.optional(z.enum(["ru", "en", "mn"])),
  current_password: z
    .optional(CurrentPassword)
    .check(z.describe("needed to change the e-mail address or the password")),
  password: z.optional(z.string().check(z.maxLength(1000))),
  password_confirmation: z.optional(z.string().check(z.maxLength(1000))),
});
export type ProfileChange = z.infer<typeof ProfileChange>;

/** A session of a browser. */
export const OwnSession = z.object({
  id: Id,
  created_at: Seconds,
  last_seen: Seconds,
  ip_address: z.nullable(z.string()),
  user_agent: z.nullable(z.string()),
  current: z.boolean(),
  is_staff: z.boolean().check(z.describe("provider staff acting as this user")),
});
export type OwnSession = z.infer<typeof OwnSession>;

/** Maximum lifetime of an API token, and maximum tokens of one user. */
export const longestTokenDays = 365;
export const mostTokens = 20;

/** A token for a program. It has the rights of its user and no idle limit. */
export const ApiToken = z.object({
  id: Id,
  name: z.string(),
  created_at: Seconds,
  expires_at: Seconds,
  last_seen: z.nullable(Seconds).check(z.describe("null: not used yet")),
});
export type ApiToken = z.infer<typeof ApiToken>;

/** Password, e-mail, second factor and tokens: only for the owner, and only in a session from a sign-in. */
const ownersOnly = ["demo_refused", "entered_refused", "token_refused"] as const;

export const profile = {
  state: call({
    id: "profile.state",
    method: "GET",
    path: "user/profile",
    right: null,
    reach: "own",
    isOwn: true,
    serves: duties,
    summary: "Security settings and subscriptions of the signed-in user",
    reply: z.object({
      two_factor: z.object({
        is_enabled: z.boolean(),
        is_required: z.boolean().check(z.describe("required by the company")),
        recovery_codes_left: z.int(),
      }),
      password_min_length: z.int(),
      newsletter_subscribed: z.boolean(),
    }),
  }),
  update: call({
    id: "user.profile",
    method: "PUT",
    path: "user/profile",
    right: null,
    reach: "own",
    serves: ["password"],
    summary:
      "Changes one's own account; a new e-mail address or password needs the current password, and an address counts once the link sent there is opened",
    body: ProfileChange,
    reply: z.object({ user: OwnUser }),
    problems: [...ownersOnly, "password_wrong", "too_many_requests"],
  }),
  subscribe: call({
    id: "newsletter.subscribe",
    method: "POST",
    path: "user/newsletter_subscribe",
    right: null,
    reach: "own",
    summary: "Subscribes to product news or unsubscribes",
    body: z.object({ subscribe: z.boolean() }),
    reply: Nothing,
    problems: ["demo_refused"],
  }),
};

export const twoFactor = {
  init: call({
    id: "user.2fa.init",
    method: "GET",
    path: "user/2FA/init",
    right: null,
    reach: "own",
    serves: ["two_factor"],
    summary: "Issues a secret for an authenticator app; it takes effect with user/2FA/enable",
    reply: z.object({
      secret: z.string().check(z.describe("Base32")),
      qr: z.string().check(z.describe("data URL of a PNG")),
      uri: z.string().check(z.describe("otpauth URI")),
    }),
    problems: [...ownersOnly, "two_factor_on"],
  }),
  enable: call({
    id: "user.2fa.enable",
    method: "POST",
    path: "user/2FA/enable",
    right: null,
    reach: "own",
    serves: ["two_factor"],
    summary: "Requires a one-time code at every sign-in from now on; all other sessions end",
    body: Proof,
    reply: RecoveryCodes,
    problems: [...ownersOnly, "two_factor_on", "password_wrong", "one_time_code_wrong"],
  }),
  disable: call({
    id: "user.2fa.disable",
    method: "DELETE",
    path: "user/2FA/disable",
    right: null,
    reach: "own",
    summary: "No longer requires a one-time code; all other sessions end",
    body: Proof,
    reply: Nothing,
    problems: [...ownersOnly, "two_factor_off", "password_wrong", "one_time_code_wrong"],
  }),
  renewRecovery: call({
    id: "user.2fa.recoveryCodes",
    method: "POST",
    path: "user/2FA/recovery_codes",
    right: null,
    reach: "own",
    isOwn: true,
    summary: "Issues new recovery codes, which replace all earlier ones",
    body: Proof,
    reply: RecoveryCodes,
    problems: [...ownersOnly, "two_factor_off", "password_wrong", "one_time_code_wrong"],
  }),
};

/** For user administrators: a user who has lost phone and recovery codes cannot reset it alone. */
export const memberTwoFactor = {
  reset: call({
    id: "user.2fa.reset",
    method: "DELETE",
    path: "user/:id/2FA",
    right: "1:update",
    reach: "branch",
    isOwn: true,
    summary:
      "Turns off the second factor of a user of the company and ends the user's sessions; the user is notified by letter",
    params: z.object({ id: IdText }),
    reply: Nothing,
    problems: ["not_found", "right_not_held", "own_account", "two_factor_off", ...ownersOnly],
  }),
};

export const ownSessions = {
  list: call({
    id: "profile.sessions",
    method: "GET",
    path: "user/sessions",
    right: null,
    reach: "own",
    summary: "Sessions of the account, latest first",
    reply: z.object({ sessions: z.array(OwnSession) }),
  }),
  end: call({
    id: "profile.sessionEnd",
    method: "DELETE",
    path: "user/sessions/:id",
    right: null,
    reach: "own",
    summary: "Ends one of one's own sessions, or an API token, at once",
    params: z.object({ id: IdText }),
    reply: Nothing,
    problems: [...ownersOnly, "not_found"],
  }),
  endOthers: call({
    id: "profile.sessionsEndOthers",
    method: "DELETE",
    path: "user/sessions",
    right: null,
    reach: "own",
    isOwn: true,
    summary: "Ends all of one's own sessions except this one; API tokens remain valid",
    reply: Nothing,
    problems: ownersOnly,
  }),
  tokens: call({
    id: "profile.tokens",
    method: "GET",
    path: "user/tokens",
    right: null,
    reach: "own",
    isOwn: true,
    summary: "API tokens of the signed-in user",
    reply: z.object({ tokens: z.array(ApiToken) }),
  }),
  createToken: call({
    id: "profile.tokenCreate",
    method: "POST",
    path: "user/tokens",
    right: null,
    reach: "own",
    isOwn: true,
    summary: "Creates an API token, which is shown only in this answer",
    body: z.object({
      name: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
      days: z.int().check(z.gte(1), z.lte(longestTokenDays)),
      current_password: CurrentPassword,
    }),
    reply: z.object({ token: ApiToken, access_token: z.string() }),
    problems: [...ownersOnly, "password_wrong", "too_many_tokens"],
  }),
};
