import type { CompanyId, UserId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { containing, type Db, type Scope } from "#core";
import { dueColumns } from "#metering/messages";
import type { EntryCodeTable } from "./tables.ts";

export type EntryTarget = Pick<EntryCodeTable, "target_company_id" | "target_user_id">;

export async function addEntryCode(
  db: Db,
  scope: Scope,
  given: EntryTarget & Pick<EntryCodeTable, "code_hash" | "session_id" | "issued_at" | "expires_at">,
): Promise<void> {
  await db
    .insertInto("entry_code")
    .values({ ...given, company_id: scope.companyId, issuer_id: scope.userId, spent_at: null })
    .execute();
}

/**
 * Redeems a code of this staff member and returns its target; undefined when it is unknown, foreign, expired
 * or used. Of concurrent requests exactly one succeeds: the others wait for its row and find it used. Key:
 * code_hash.
 */
export async function spendEntryCode(
  db: Db,
  issuer: UserId,
  { code_hash, at }: { readonly code_hash: Buffer; readonly at: Date },
): Promise<EntryTarget | undefined> {
  return db
    .updateTable("entry_code")
    .set({ spent_at: at })
    .where("code_hash", "=", code_hash)
    .where("issuer_id", "=", issuer)
    .where("spent_at", "is", null)
    .where("expires_at", ">", at)
    .returning(["target_company_id", "target_user_id"])
    .executeTakeFirst();
}

/** Codes that can never be used again. Index: entry_code_expires_at_idx. */
export async function removeOldCodes(system: Db, before: Date): Promise<void> {
  await system.deleteFrom("entry_code").where("expires_at", "<", before).execute();
}

/** Records that this process is alive. */
export async function noteProcess(
  system: Db,
  seen: {
    readonly id: string;
    readonly host: string;
    readonly pid: number;
    readonly roles: readonly string[];
    readonly version: string;
    readonly started_at: Date;
    readonly seen_at: Date;
  },
): Promise<void> {
  const { roles, ...rest } = seen;
  await system
    .insertInto("process_seen")
    .values({ ...rest, roles: [...roles], node: process.versions.node })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ seen_at: seen.seen_at }))
    .execute();
}

export async function forgetProcess(system: Db, id: string): Promise<void> {
  await system.deleteFrom("process_seen").where("id", "=", id).execute();
}

/** Rows of processes that have been silent for long. */
export async function forgetSilent(system: Db, before: Date): Promise<void> {
  await system.deleteFrom("process_seen").where("seen_at", "<", before).execute();
}

export async function processesSeen(system: Db) {
  return system.selectFrom("process_seen").selectAll().orderBy("started_at").execute();
}

/** A user of the platform with the fields that decide whether staff may act as them. */
export async function userOfPlatform(
  system: Db,
  scope: Scope,
  id: number,
): Promise<
  { id: UserId; company_id: CompanyId; is_active: boolean; name: string; email: string } | undefined
> {
  return system
    .selectFrom("users")
    .innerJoin("company", "company.id", "users.company_id")
    .select(["users.id", "users.company_id", "users.is_active", "users.name", "users.email"])
    .where(sql<boolean>`users.id = ${id}`)
    .where(sql<boolean>`company.path <@ ${scope.companyPath}::ltree`)
    .executeTakeFirst();
}

export interface UserListing {
  readonly sort_field: "id" | "name" | "email" | "company_name" | "last_sign_in_at";
  readonly sort: "asc" | "desc";
  readonly search: string;
  readonly limit: number;
  readonly offset: number;
}

export interface UserOfPlatform {
  readonly id: UserId;
  readonly name: string;
  readonly email: string;
  readonly company_id: CompanyId;
  readonly company_name: string;
  readonly is_admin: boolean;
  readonly is_active: boolean;
  readonly last_sign_in_at: number | null;
  readonly company_is_active: boolean;
  readonly company_expires_at: number | null;
}

/**
 * Users of every company of the branch. Rows: all users of the platform, by company_path_idx and
 * users_company_id_idx.
 */
export async function usersPage(
  system: Db,
  scope: Scope,
  { sort_field, sort, search, limit, offset }: UserListing,
): Promise<{ rows: UserOfPlatform[]; total: number }> {
  const like = containing(search);
  const from = sql`
    from users u join company c on c.id = u.company_id
    where c.path <@ ${scope.companyPath}::ltree
      and (u.name ilike ${like} or u.email::text ilike ${like} or c.name ilike ${like})`;
  const order = sort === "asc" ? sql`asc nulls last` : sql`desc nulls last`;
  const { rows } = await sql<UserOfPlatform>`
    select u.id, u.name, u.email::text as email, u.company_id, c.name as company_name, u.is_admin, u.is_active,
      floor(extract(epoch from u.last_sign_in_at))::int8 as last_sign_in_at,
      c.is_active as company_is_active, c.expires_at as company_expires_at
    ${from} order by ${sql.ref(sort_field)} ${order}, u.id limit ${limit} offset ${offset}
  `.execute(system);
  const counted = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(system);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

export interface Queues {
  readonly postgres: string;
  readonly database_bytes: number;
  readonly polls_due: number;
  readonly polls_waiting: number;
  readonly polls_oldest_sec: number | null;
  readonly letters_waiting: number;
  readonly letters_parked: number;
  readonly derive_waiting: number;
  readonly recompute_waiting: number;
  readonly recompute_parked: number;
  readonly recompute_oldest_sec: number | null;
  readonly last_reading_at: number | null;
  readonly last_backup_at: number | null;
}

/**
 * Queues of all parts of the system; read-only. Rows: waiting ones, by device_state_due and letter_due; the
 * newest reading is the end of device_state_by_last_data of each company. The table of the job runner exists
 * once a worker has been started.
 */
export async function queues(system: Db, nowSec: number): Promise<Queues> {
  const jobs = await sql<{ there: boolean }>`
    select to_regclass('graphile_worker.jobs') is not null as there`.execute(system);
  const waiting = jobs.rows[0]?.there
    ? sql`select count(*)::int as n, min(extract(epoch from run_at))::int8 as oldest from graphile_worker.jobs
        where run_at <= to_timestamp(${nowSec}::float8) and attempts < max_attempts`
    : sql`select 0 as n, null::int8 as oldest`;
  const { rows } = await sql<Queues>`
    with due as (select count(*)::int as n, min(next_poll_at) as oldest from device_state where next_poll_at <= ${nowSec}::int8),
      waiting as (${waiting}),
      letters as (select count(*) filter (where state <> 'parked')::int as waiting,
        count(*) filter (where state = 'parked')::int as parked from letter where state in ('queued', 'sending', 'parked')),
      marks as (select ${dueColumns} from (
        select attempts, marked_at, due_at from reading_due where kind <> 0
        union all select attempts, marked_at, due_at from point_due) q)
    select current_setting('server_version') as postgres, pg_database_size(current_database()) as database_bytes,
      due.n as polls_due, waiting.n as polls_waiting, ${nowSec}::int8 - least(due.oldest, waiting.oldest) as polls_oldest_sec,
      letters.waiting as letters_waiting, letters.parked as letters_parked,
      (select count(*)::int from reading_due where kind = 0) as derive_waiting,
      marks.due as recompute_waiting, marks.parked as recompute_parked, marks.oldest_sec as recompute_oldest_sec,
      (select max(last_data_at) from device_state) as last_reading_at,
      (select floor((value ->> 'at')::float8)::int8 from installation where key = 'backup.last') as last_backup_at
    from due, waiting, letters, marks
  `.execute(system);
  const [row] = rows;
  if (!row) throw new Error("the queues gave nothing");
  return row;
}
