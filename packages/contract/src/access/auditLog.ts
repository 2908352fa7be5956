import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id, listInput, Seconds } from "../core/values.ts";

/** An action: user, represented user, address, object, and changed values. */
export const LogRow = z.object({
  id: z.int(),
  created_at: Seconds,
  user_id: z.nullable(z.int()),
  user_name: z
    .nullable(z.string())
    .check(z.describe("null if no user was signed in or the account has been deleted")),
  user_company: z.nullable(z.string()).check(z.describe("company of the account, if it is another one")),
  entered_from_admin: z
    .boolean()
    .check(z.describe("the action was done by provider staff acting as this user")),
  staff_name: z.nullable(z.string()).check(z.describe("the staff member who did it")),
  action: z.string(),
  action_title: z.string(),
  object_type: z.nullable(z.string()),
  object_id: z.nullable(z.string()),
  before: z.nullable(z.unknown()),
  after: z.nullable(z.unknown()),
  ip_address: z.nullable(z.string()),
  api_token: z.nullable(z.string()).check(z.describe("name of the API token that was used")),
  result: z.string().check(z.describe("ok, or the code of the refusal")),
  result_text: z.string().check(z.describe("empty, or the text of the refusal")),
});
export type LogRow = z.infer<typeof LogRow>;

export const auditLog = {
  log: call({
    id: "company.log",
    rows: "log",
    method: "POST",
    path: "company/log",
    right: "admin",
    reach: "company",
    summary: "Actions in the company and on it, newest first; kept for three years",
    body: z.object({
      page: listInput.page,
      per_page: listInput.per_page,
      action: z.optional(z.string().check(z.maxLength(100))),
      person_id: z.optional(Id).check(z.describe("the user who did it, or on whose behalf it was done")),
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
        .check(z.describe("actions found in the log")),
      users: z.array(z.object({ id: z.int(), name: z.string() })).check(z.describe("users found in the log")),
    }),
  }),
};
