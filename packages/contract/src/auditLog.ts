import { z } from "zod/mini";
import { call } from "./core/call.ts";
import { Id, listInput, Seconds } from "./core/values.ts";

/** An action: user, represented user, address, object, and changed values. */
export const LogRow = z.object({
  id: z.int(),
  created_at: Seconds,
  user_id: z.nullable(z.int()),
  user_name: z
    .nullable(z.string())
    .check(z.describe("null when nobody was signed in or the account is gone")),
  user_company: z.nullable(z.string()).check(z.describe("company of an account that is not of this company")),
  entered_from_admin: z.boolean().check(z.describe("staff of the provider worked as this user")),
  staff_name: z.nullable(z.string()).check(z.describe("who did")),
  action: z.string(),
  action_title: z.string(),
  object_type: z.nullable(z.string()),
  object_id: z.nullable(z.string()),
  before: z.nullable(z.unknown()),
  after: z.nullable(z.unknown()),
  ip_address: z.nullable(z.string()),
  api_token: z.nullable(z.string()).check(z.describe("name of the API token it was done with")),
  result: z.string().check(z.describe("ok, or the code of the refusal")),
  result_text: z.string().check(z.describe("empty, or the refusal in words")),
});
export type LogRow = z.infer<typeof LogRow>;

export const auditLog = {
  log: call({
    id: "company.log",
    method: "POST",
    path: "company/log",
    right: "admin",
    summary: "What was done in the company and to it, newest first; kept for three years",
    body: z.object({
      page: listInput.page,
      per_page: listInput.per_page,
      action: z.optional(z.string().check(z.maxLength(100))),
      person_id: z.optional(Id).check(z.describe("who did it, or in whose name")),
      start_date: z.optional(Seconds),
      stop_date: z.optional(Seconds),
    }),
    reply: z.object({
      log: z.array(LogRow),
      current_page: z.int(),
      last_page: z.int(),
      per_page: z.int(),
      total: z.int(),
      actions: z
        .array(z.object({ action: z.string(), title: z.string() }))
        .check(z.describe("actions that occur in the log")),
      users: z
        .array(z.object({ id: z.int(), name: z.string() }))
        .check(z.describe("people who occur in the log")),
    }),
  }),
};
