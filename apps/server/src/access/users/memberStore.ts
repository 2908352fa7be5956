import type { AccessRules, Member } from "@metrum/contract/access";
import type { UserId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { containing, type Db, type Scope } from "#core";
import type { UserRow } from "./store.ts";

/** A user of the company with the rights of their group. */
export type MemberRow = UserRow & {
  readonly access_group_name: string | null;
  readonly access_rules: Partial<AccessRules> | null;
};

export interface MemberListing {
  readonly sort_field: keyof Member &
    ("id" | "name" | "email" | "is_active" | "access_group_name" | "last_sign_in_at");
  readonly sort: "asc" | "desc";
  readonly search: string;
  readonly access_group_id?: readonly number[] | undefined;
  readonly is_admin?: boolean | undefined;
  readonly is_active?: boolean | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Users of the company the session works in, and their total number. Index: users_company_id_idx. */
export async function list(
  db: Db,
  scope: Scope,
  asked: MemberListing,
): Promise<{ rows: MemberRow[]; total: number }> {
  let query = members(db, scope);
  if (asked.search !== "") {
    const like = containing(asked.search);
    query = query.where((where) =>
      where.or([
        where("users.name", "ilike", like),
        where(sql<string>`users.email::text`, "ilike", like),
        where("users.phone_number", "ilike", like),
      ]),
    );
  }
  if (asked.access_group_id)
    query = query.where("users.access_group_id", "in", [0, ...asked.access_group_id]);
  if (asked.is_admin !== undefined) query = query.where("users.is_admin", "=", asked.is_admin);
  if (asked.is_active !== undefined) query = query.where("users.is_active", "=", asked.is_active);
  const rows = await query
    .selectAll("users")
    .select(ofGroup)
    .orderBy(sql.ref(columnOf(asked.sort_field)), (order) =>
      asked.sort === "asc" ? order.asc().nullsLast() : order.desc().nullsFirst(),
    )
    .orderBy("users.id")
    .limit(asked.limit)
    .offset(asked.offset)
    .execute();
  const { total } = await query
    .select((row) => row.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return { rows, total };
}

/** Users of the company by their ids, ordered by name. */
export async function byIds(db: Db, scope: Scope, ids: readonly UserId[]): Promise<MemberRow[]> {
  return members(db, scope)
    .selectAll("users")
    .select(ofGroup)
    .where("users.id", "=", sql<UserId>`any(${ids}::int[])`)
    .orderBy("users.name")
    .orderBy("users.id")
    .execute();
}

/**
 * A user of the company, locked until the transaction ends. Code that may remove an administrator locks the
 * administrators first (`lockAdmins`): a common lock order prevents deadlocks.
 */
export async function lock(db: Db, scope: Scope, id: UserId): Promise<MemberRow | undefined> {
  return members(db, scope)
    .selectAll("users")
    .select(ofGroup)
    .where("users.id", "=", id)
    .forUpdate("users")
    .executeTakeFirst();
}

/**
 * Administrators of the company who can sign in, locked: if two remove each other at once, the second waits
 * and is refused.
 */
export async function lockAdmins(db: Db, scope: Scope): Promise<UserId[]> {
  const rows = await db
    .selectFrom("users")
    .select(["id", "invited_at", "last_sign_in_at"])
    .where("company_id", "=", scope.companyId)
    .where("is_admin", "=", true)
    .where("is_active", "=", true)
    .orderBy("id")
    .forUpdate()
    .execute();
  return rows.filter((row) => !isInvited(row)).map((row) => row.id);
}

/** Whether a user of the company has an address. Index: users_email_of_company. */
export async function hasAddress(db: Db, scope: Scope, email: string): Promise<boolean> {
  const found = await members(db, scope)
    .select("users.id")
    .where("users.email", "=", email)
    .executeTakeFirst();
  return found !== undefined;
}

/** Invited, but not signed in yet. */
export function isInvited(row: Pick<UserRow, "invited_at" | "last_sign_in_at">): boolean {
  return row.invited_at !== null && row.last_sign_in_at === null;
}

const ofGroup = ["access_group.name as access_group_name", "access_group.access_rules"] as const;

function members(db: Db, scope: Scope) {
  return db
    .selectFrom("users")
    .leftJoin("access_group", "access_group.id", "users.access_group_id")
    .where("users.company_id", "=", scope.companyId);
}

function columnOf(field: MemberListing["sort_field"]): string {
  return field === "access_group_name" ? "access_group.name" : `users.${field}`;
}
