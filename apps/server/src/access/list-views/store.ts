import { viewBounds, type ListViewRow, type ViewedList } from "@metrum/contract/core";
import type { Branded, UserId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { storableJson, type Db, type Scope } from "#core";

type ViewId = Branded<"listView">;

export interface StoredView extends Pick<ListViewRow, "name" | "state"> {
  readonly id: ViewId;
  readonly list: ViewedList;
  /** Null: of the company. */
  readonly user_id: UserId | null;
}

const columns = ["id", "list", "name", "state", "user_id"] as const;

/** Own views of a list, then those of the company, by name. Index list_view_named. */
export async function viewsOf(db: Db, scope: Scope, list: ViewedList): Promise<StoredView[]> {
  return db
    .selectFrom("list_view")
    .select(columns)
    .where("company_id", "=", scope.companyId)
    .where("list", "=", list)
    .where((at) => at.or([at("user_id", "is", null), at("user_id", "=", scope.userId)]))
    .orderBy(sql`user_id is null`)
    .orderBy(sql`lower(name)`)
    .limit(viewBounds.own + viewBounds.shared)
    .execute();
}

/** A view that came through `resolve`, locked. Undefined when it was removed meanwhile. */
export async function viewOf(db: Db, id: ViewId): Promise<StoredView | undefined> {
  return db.selectFrom("list_view").select(columns).where("id", "=", id).forUpdate().executeTakeFirst();
}

/** Views of this user, or of the company; their owner is locked, so the second of two additions counts the first. */
export async function countOf(db: Db, { companyId, userId }: Scope, isShared: boolean): Promise<number> {
  if (isShared) await sql`select from company where id = ${companyId} for no key update`.execute(db);
  else await sql`select from users where id = ${userId} for no key update`.execute(db);
  const { n } = await db
    .selectFrom("list_view")
    .select((at) => at.fn.countAll<string>().as("n"))
    .where("company_id", "=", companyId)
    .where("user_id", isShared ? "is" : "=", isShared ? null : userId)
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** The stored view; undefined when its owner has one of this name for the list. */
export async function add(
  db: Db,
  { companyId }: Scope,
  { state, ...view }: Omit<StoredView, "id">,
): Promise<StoredView | undefined> {
  return db
    .insertInto("list_view")
    .values({ company_id: companyId, ...view, state: storableJson(state) })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst();
}

/** Whether the owner of a view has another one of this name for the list. */
export async function isNameTaken(
  db: Db,
  { companyId }: Scope,
  { id, list, name, user_id }: Pick<StoredView, "id" | "list" | "name" | "user_id">,
): Promise<boolean> {
  const taken = await db
    .selectFrom("list_view")
    .select("id")
    .where("company_id", "=", companyId)
    .where("user_id", user_id === null ? "is" : "=", user_id)
    .where("list", "=", list)
    .where(sql`lower(name)`, "=", sql`lower(${name})`)
    .where("id", "<>", id)
    .executeTakeFirst();
  return taken !== undefined;
}

export async function change(
  db: Db,
  { id, name, state, user_id }: Pick<StoredView, "id" | "name" | "state" | "user_id">,
): Promise<void> {
  await db
    .updateTable("list_view")
    .set({ name, state: storableJson(state), user_id, saved_at: sql<Date>`now()` })
    .where("id", "=", id)
    .execute();
}

export async function remove(db: Db, id: ViewId): Promise<void> {
  await db.deleteFrom("list_view").where("id", "=", id).execute();
}
