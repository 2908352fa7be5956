import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { duties } from "../core/duties.ts";
import { BoundedObject, Id, listInput, Seconds } from "../core/values.ts";

const ModuleIds = z.array(z.int());

/** Rights of a group: module ids by action. */
export const AccessRules = z.object({
  create: ModuleIds,
  read: ModuleIds,
  update: ModuleIds,
  delete: ModuleIds,
  access_all: ModuleIds,
});
export type AccessRules = z.infer<typeof AccessRules>;

export const AccessGroup = z.object({ id: Id, name: z.string(), access_rules: AccessRules });
export type AccessGroup = z.infer<typeof AccessGroup>;

/** A module as the menu needs it. Id 6 occurs twice, as objects and as directories. */
export const Module = z.object({ id: z.int(), slug: z.string(), sort: z.int() });
export type Module = z.infer<typeof Module>;

/** Rights of the signed-in user, in the company the session works in. */
export const AccessRecord = z.object({
  is_admin: z.boolean(),
  access_group: z.nullable(AccessGroup),
  active_modules: z.array(Module),
  rules_belong_to_company_id: z.nullable(z.int()),
  current_company_id: z.int(),
  is_platform: z.boolean().check(z.describe("provider staff")),
  license_days_left: z
    .nullable(z.int())
    .check(z.describe("whole days until the company or licence expires; null without expiry")),
  entered_from_admin: z.boolean(),
  duty: z
    .nullable(z.enum(duties))
    .check(z.describe("what the user must do first; until then most calls are refused with a code for it")),
  entered_company: z
    .boolean()
    .check(z.describe("the session is inside a company below that of the user; company/exit ends it")),
  entered: z
    .nullable(
      z.object({
        company_name: z.string(),
        user_name: z.nullable(z.string()).check(z.describe("user on whose behalf it acts; null: none")),
        since: Seconds,
      }),
    )
    .check(z.describe("the entered company, if any; company/exit leaves it")),
});
export type AccessRecord = z.infer<typeof AccessRecord>;

/** A user. Zones are present hour offsets; `timezone_name` is the stored IANA zone. */
export const User = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  phone_number: z.nullable(z.string()),
  user_time_zone: z.nullable(z.number()),
  timezone: z.nullable(z.number()).check(z.describe("another name of user_time_zone")),
  timezone_name: z.nullable(z.string()),
  language: z.enum(["ru", "en", "mn"]),
  first_login: z.boolean(),
  "2fa_enabled": z.boolean(),
  is_admin: z.boolean(),
  is_active: z.boolean(),
  access_group_id: z.nullable(z.int()),
});
export type User = z.infer<typeof User>;

/** A user as shown to user administrators. */
export const Member = z.extend(User, {
  access_group_name: z.nullable(z.string()),
  is_invited: z.boolean().check(z.describe("invited, and has not signed in yet")),
  last_sign_in_at: z.nullable(Seconds),
  version: z
    .int()
    .check(z.describe("sent back with a change; 409 if another user has changed the record meanwhile")),
  is_manageable: z
    .boolean()
    .check(z.describe("the caller holds all rights of this user and may therefore change the account")),
});
export type Member = z.infer<typeof Member>;

/** The signed-in user with fields shown only to the owner of the account. */
export const OwnUser = z.extend(User, {
  current_company_id: z.int(),
  current_time_zone: z.number(),
  current_timezone_name: z.string(),
  is_demo: z.boolean().check(z.describe("a demonstration account, which cannot change anything")),
  settings: BoundedObject,
});

export const userSortFields = [
  "id",
  "name",
  "email",
  "is_active",
  "access_group_name",
  "last_sign_in_at",
] as const;

export const users = {
  access: call({
    id: "user.access",
    method: "GET",
    path: "user/access",
    right: null,
    reach: "own",
    summary: "Rights and modules of the session",
    serves: duties,
    reply: AccessRecord,
  }),
  info: call({
    id: "user.info",
    method: "GET",
    path: "user/info",
    right: null,
    reach: "own",
    summary: "The signed-in user",
    serves: duties,
    reply: z.object({ user: OwnUser }),
  }),
  settings: call({
    id: "user.settings",
    method: "PUT",
    path: "user/settings",
    right: null,
    reach: "own",
    summary: "Merges view settings of the user key by key; null removes a key",
    body: z.object({ settings: BoundedObject }),
    reply: z.object({ settings: BoundedObject }),
    problems: ["demo_refused"],
  }),
  list: call({
    id: "company.users",
    rows: "users",
    method: "POST",
    path: "company/users",
    right: "1:read",
    reach: "common",
    summary: "Users of the company",
    body: z.object({
      ...listInput,
      sort_field: z.optional(z.enum(userSortFields)),
      access_group_id: z.optional(z.array(Id).check(z.maxLength(1000))),
      is_admin: z.optional(z.boolean()),
      is_active: z.optional(z.boolean()),
    }),
    reply: z.object({ users: z.array(Member), total: z.int() }),
  }),
};
