import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id, IdText, listInput, Nothing, paged, Seconds } from "../core/values.ts";

/**
 * Entry into a company or an account: a code for one use, and the URL of the app with the code in its hash.
 */
const Entry = z.object({
  entry_code: z
    .string()
    .check(z.describe("single use, valid for 60 s, only with the token of the user who requested it")),
  url: z.string(),
});

/** A user of any company of the platform. */
export const PlatformUser = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  company_id: Id,
  company_name: z.string(),
  is_admin: z.boolean(),
  is_active: z.boolean(),
  last_sign_in_at: z.nullable(Seconds),
  can_enter: z
    .boolean()
    .check(
      z.describe("the user is not provider staff, and neither the user nor the company is switched off"),
    ),
});
export type PlatformUser = z.infer<typeof PlatformUser>;

export const platformUserSortFields = ["id", "name", "email", "company_name", "last_sign_in_at"] as const;

/** Last heartbeat of a process of the installation; each sends one every 15 s. */
const ProcessSeen = z.object({
  host: z.string(),
  pid: z.int(),
  roles: z.array(z.enum(["api", "worker", "broker"])),
  version: z.string(),
  node: z.string(),
  started_at: Seconds,
  seen_at: Seconds,
});

/** Less free space than this is reported: new readings will soon be refused. Bytes. */
export const leastFreeBytes = 1024 ** 3;

/** Health of the installation. Bytes are whole bytes, times epoch seconds. */
export const Health = z.object({
  version: z.string(),
  node: z.string(),
  postgres: z.string(),
  build_type: z.enum(["cloud", "server"]),
  uptime_sec: z.int(),
  database_bytes: z.int(),
  disk_free_bytes: z.nullable(z.int()),
  disk_total_bytes: z.nullable(z.int()),
  devices: z.int(),
  polls_due: z.int().check(z.describe("devices that are due and not polled yet")),
  polls_waiting: z.int().check(z.describe("jobs waiting for a broker")),
  polls_oldest_sec: z.nullable(z.int()).check(z.describe("age of the oldest such device or job")),
  letters_waiting: z.int(),
  letters_parked: z.int(),
  derive_waiting: z.int().check(z.describe("stored readings whose derived rows are not calculated yet")),
  recompute_waiting: z.int().check(z.describe("devices and points whose totals are not computed yet")),
  recompute_parked: z.int().check(z.describe("of them those that failed too often")),
  recompute_oldest_sec: z.nullable(z.int()).check(z.describe("age of the oldest that is due")),
  last_reading_at: z.nullable(Seconds),
  last_backup_at: z.nullable(Seconds),
  processes: z.array(ProcessSeen),
});
export type Health = z.infer<typeof Health>;

/** unknown: the process or the connection died while the letter was being sent, so it may have arrived. */
export const letterStates = ["queued", "sending", "sent", "parked", "unknown"] as const;

/** A letter of the outbox, without its content. */
export const Letter = z.object({
  id: Id,
  company_id: Id,
  recipient: z.string(),
  language: z.enum(["ru", "en", "mn"]),
  kind: z.string(),
  state: z.enum(letterStates),
  tries: z.int(),
  created_at: Seconds,
  sent_at: z.nullable(Seconds),
  error: z.nullable(z.string()),
  can_read: z.boolean().check(z.describe("its text is still stored, and there is no mail server")),
  can_send_again: z.boolean(),
});
export type Letter = z.infer<typeof Letter>;

/** Administration of the whole installation by platform staff. */
export const administration = {
  enterCompany: call({
    id: "admin.enterCompany",
    method: "POST",
    path: "admin/company/enter/:id",
    right: "platform",
    reach: "company",
    summary: "Issues a one-time code to work inside any company of the platform",
    params: z.object({ id: IdText }),
    reply: Entry,
    problems: [
      "not_found",
      "own_company",
      "company_inactive",
      "company_expired",
      "demo_refused",
      "entered_refused",
      "token_refused",
    ],
  }),
  enterUser: call({
    id: "admin.userEnter",
    method: "POST",
    path: "admin/user/enter/:id",
    right: "platform",
    reach: "company",
    summary: "Issues a one-time code to work as a user of another company",
    params: z.object({ id: IdText }),
    reply: Entry,
    problems: [
      "not_found",
      "own_company",
      "user_inactive",
      "company_inactive",
      "company_expired",
      "demo_refused",
      "entered_refused",
      "token_refused",
    ],
  }),
  redeemEntry: call({
    id: "auth.entryRedeem",
    method: "POST",
    path: "auth/entry",
    right: null,
    reach: "own",
    summary:
      "Exchanges a one-time code for a session of at most one hour, for the staff member who requested it",
    body: z.object({ code: z.string().check(z.minLength(1), z.maxLength(255)) }),
    reply: z.object({ access_token: z.string(), entered_from_admin: z.boolean(), expires_at: Seconds }),
    problems: ["entry_code_refused", "demo_refused"],
  }),
  users: call({
    id: "admin.users",
    rows: "users.data",
    isOwn: true,
    method: "POST",
    path: "admin/users",
    right: "platform",
    reach: "company",
    summary: "Users of all companies of the platform",
    body: z.object({ ...listInput, sort_field: z.optional(z.enum(platformUserSortFields)) }),
    reply: z.object({ users: paged(PlatformUser) }),
  }),
  health: call({
    id: "admin.health",
    isOwn: true,
    method: "GET",
    path: "admin/health",
    right: "platform",
    reach: "company",
    summary: "State of the installation: versions, queues, disk, last backup",
    reply: Health,
  }),
  letters: call({
    id: "admin.letters",
    rows: "letters.data",
    isOwn: true,
    method: "POST",
    path: "admin/letters",
    right: "platform",
    reach: "company",
    summary: "Letters of the outbox, newest first",
    body: z.object({ ...listInput, state: z.optional(z.enum(letterStates)) }),
    reply: z.object({ letters: paged(Letter) }),
  }),
  letter: call({
    id: "admin.letter",
    isOwn: true,
    method: "GET",
    path: "admin/letter/:id",
    right: "platform",
    reach: "company",
    summary:
      "Text of a letter, on an installation without a mail server; reading it is recorded in the audit log",
    params: z.object({ id: IdText }),
    reply: z.object({ to: z.string(), subject: z.string(), text: z.string() }),
    problems: ["not_found", "demo_refused", "entered_refused", "token_refused"],
  }),
  letterAgain: call({
    id: "admin.letterAgain",
    isOwn: true,
    method: "POST",
    path: "admin/letter/again/:id",
    right: "platform",
    reach: "company",
    summary: "Retries a letter whose delivery was given up",
    params: z.object({ id: IdText }),
    reply: Nothing,
    problems: ["not_found", "demo_refused", "token_refused"],
  }),
};
