import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { emailPattern } from "../core/email.ts";
import { Id, IdText, Nothing } from "../core/values.ts";
import { Member } from "./users.ts";

/** An address in stored form: lower case, without surrounding spaces, never with a line break. */
export const Email = z.pipe(
  z.string().check(z.trim(), z.toLowerCase(), z.maxLength(255)),
  z.email({ pattern: emailPattern }).check(z.maxLength(255)),
);
const PersonName = z.string().check(z.trim(), z.minLength(1), z.maxLength(255));

/**
 * Fields of a user set by administrators. An administrator has no access group; an offset outside -12 to 12
 * is ignored.
 */
const MemberFields = {
  phone_number: z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(20)))),
  access_group_id: z.optional(z.nullable(Id)),
  is_admin: z.optional(z.boolean()),
  user_time_zone: z.optional(z.nullable(z.number())),
  timezone_name: z.optional(z.nullable(z.string().check(z.maxLength(60)))),
  language: z.optional(z.enum(["ru", "en", "mn"])),
};
const NewMember = z.object({ ...MemberFields, name: PersonName, email: Email });
export type NewMember = z.infer<typeof NewMember>;
const MemberChange = z.object({
  ...MemberFields,
  id: Id,
  version: z.optional(z.int()),
  name: z.optional(PersonName),
  email: z.optional(Email),
});
export type MemberChange = z.infer<typeof MemberChange>;
const one = { params: z.object({ id: IdText }) };

/** User administration: separate from the calls of every page. */
export const members = {
  create: call({
    id: "user.create",
    method: "POST",
    path: "user/create",
    right: "1:create",
    reach: "branch",
    summary: "Creates a user and sends an invitation, in the user's language, to choose a password",
    body: NewMember,
    reply: z.object({ user: Member }),
    isOnce: true,
    problems: ["email_unavailable", "right_not_held", "not_found", "demo_refused", "token_refused"],
  }),
  update: call({
    id: "user.update",
    method: "PUT",
    path: "user/update",
    right: "1:update",
    reach: "branch",
    summary: "Changes a user of the company; only rights that the caller holds can be granted",
    body: MemberChange,
    reply: z.object({ user: Member }),
    problems: [
      "not_found",
      "conflict",
      "email_unavailable",
      "right_not_held",
      "own_account",
      "last_admin",
      "too_many_requests",
      "demo_refused",
      "token_refused",
    ],
  }),
  switch: call({
    id: "user.switch",
    method: "PUT",
    path: "user/switch/:id",
    right: "1:update",
    reach: "branch",
    summary: "Switches a user on or off; the user's sessions end at once",
    ...one,
    body: z.object({ is_active: z.boolean() }),
    reply: z.object({ user: Member }),
    problems: ["not_found", "right_not_held", "own_account", "last_admin", "demo_refused", "token_refused"],
  }),
  delete: call({
    id: "user.delete",
    method: "DELETE",
    path: "user/:id",
    right: "1:delete",
    reach: "branch",
    summary: "Deletes a user; the audit log keeps the name",
    ...one,
    reply: Nothing,
    problems: ["not_found", "right_not_held", "own_account", "last_admin", "demo_refused", "token_refused"],
  }),
  invite: call({
    id: "user.invite",
    method: "POST",
    path: "user/:id/invite",
    right: "1:create",
    reach: "branch",
    summary: "Sends a new invitation to a user who has not signed in yet; the earlier link becomes invalid",
    ...one,
    reply: Nothing,
    problems: ["not_found", "not_invited", "right_not_held", "demo_refused", "token_refused"],
    isOwn: true,
  }),
};

/** Sessions of other users: served by the domain of sessions. */
export const userSessions = {
  endAll: call({
    id: "user.endSessions",
    method: "DELETE",
    path: "user/:id/sessions",
    right: "1:update",
    reach: "branch",
    summary: "Ends all sessions of a user of the company",
    ...one,
    reply: Nothing,
    problems: ["not_found", "right_not_held", "demo_refused", "token_refused"],
    isOwn: true,
  }),
};
