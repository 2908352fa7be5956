import type { AccessRules } from "@metrum/contract/access";
import type { CompanyId } from "@metrum/vocabulary";
import { sql, type Selectable } from "kysely";
import { containing, isUniqueViolation, storableJson, type Db, type Scope } from "#core";
import type { AccessGroupTable } from "./tables.ts";

export type GroupRow = Omit<Selectable<AccessGroupTable>, "company_id">;
export type CountedGroup = GroupRow & { readonly users_count: number };

export interface GroupListing {
  readonly sort_field: "id" | "name" | "users_count";
  readonly sort: "asc" | "desc";
  readonly search: string;
  readonly limit: number;
  readonly offset: number;
}

/** Access groups of the company and their total number. Users are counted by the index on access_group_id. */
export async function list(
  db: Db,
  scope: Scope,
  asked: GroupListing,
): Promise<{ rows: CountedGroup[]; total: number }> {
  let query = db.selectFrom("access_group").where("company_id", "=", scope.companyId);
  if (asked.search !== "") query = query.where("name", "ilike", containing(asked.search));
  const rows = await query
    .select(["id", "name", "access_rules", "version", usersCount])
    .orderBy(sql.ref(asked.sort_field), asked.sort)
    .orderBy("id")
    .limit(asked.limit)
    .offset(asked.offset)
    .execute();
  const { total } = await query
    .select((row) => row.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return { rows, total };
}

/** A group of the company, locked: "to assign" prevents its removal, "to change" any change. */
export async function lock(
  db: Db,
  scope: Scope,
  { id, to }: { readonly id: number; readonly to: "assign" | "change" },
): Promise<CountedGroup | undefined> {
  const query = db
    .selectFrom("access_group")
    .select(["id", "name", "access_rules", "version", usersCount])
    .where("company_id", "=", scope.companyId)
    .where("id", "=", id);
  return (to === "assign" ? query.forKeyShare() : query.forUpdate()).executeTakeFirst();
}

/** Number of users in the group; read after locking it, which prevents new assignments. */
export async function countUsers(db: Db, scope: Scope, id: number): Promise<number> {
  const { n } = await db
    .selectFrom("users")
    .select((row) => row.fn.countAll<number>().as("n"))
    .where("access_group_id", "=", id)
    .where("company_id", "=", scope.companyId)
    .executeTakeFirstOrThrow();
  return n;
}

/** Whether a group was refused because the company has another one with that name. */
export const isNameTaken = (error: unknown): boolean =>
  isUniqueViolation(error, "access_group_company_id_name_key");

/** Throws PostgreSQL's unique violation when the company has a group with that name. */
export async function create(
  db: Db,
  given: { readonly company_id: CompanyId; readonly name: string; readonly access_rules: AccessRules },
): Promise<GroupRow> {
  return db
    .insertInto("access_group")
    .values({ ...given, access_rules: storableJson(given.access_rules) })
    .returning(["id", "name", "access_rules", "version"])
    .executeTakeFirstOrThrow();
}

export async function update(
  db: Db,
  scope: Scope,
  group: { readonly id: number; readonly name: string; readonly access_rules: AccessRules },
): Promise<GroupRow> {
  return db
    .updateTable("access_group")
    .set((row) => ({
      name: group.name,
      access_rules: storableJson(group.access_rules),
      version: row("version", "+", 1),
    }))
    .where("id", "=", group.id)
    .where("company_id", "=", scope.companyId)
    .returning(["id", "name", "access_rules", "version"])
    .executeTakeFirstOrThrow();
}

export async function remove(db: Db, scope: Scope, id: number): Promise<void> {
  await db
    .deleteFrom("access_group")
    .where("id", "=", id)
    .where("company_id", "=", scope.companyId)
    .execute();
}

const usersCount =
  sql<number>`(select count(*)::int from users where users.access_group_id = access_group.id)`.as(
    "users_count",
  );
