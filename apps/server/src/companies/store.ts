import type { Module } from "@metrum/contract";
import type { CompanyId } from "@metrum/vocabulary";
import { sql, type Selectable } from "kysely";
import type { Db, Scope } from "#core";
import type { CompanyOptions, CompanyTable } from "./tables.ts";

export type CompanyRow = Selectable<CompanyTable>;

export interface CompanyChange {
  readonly name?: string | undefined;
  readonly company_type_id?: number | undefined;
  readonly inn?: string | undefined;
  readonly phone_number?: string | null | undefined;
  readonly timezone?: string | undefined;
  readonly is_dealer?: boolean | undefined;
  readonly is_active?: boolean | undefined;
  readonly expires_at?: number | null | undefined;
  readonly options?: CompanyOptions | undefined;
  readonly active_modules?: readonly Module[] | undefined;
}

export interface CompanyPage {
  readonly sort_field: "id" | "name" | "inn" | "expires_at" | "is_active" | "is_dealer";
  readonly sort: "asc" | "desc";
  readonly search: string;
  readonly limit: number;
  readonly offset: number;
}

/** One company of the branch. */
export async function company(db: Db, scope: Scope, id: CompanyId): Promise<CompanyRow | undefined> {
  return branch(db, scope).selectAll().where("id", "=", id).executeTakeFirst();
}

/** Whether a company is open, for sign-in: before a session there is no scope. */
export async function stateOf(
  system: Db,
  id: CompanyId,
): Promise<Pick<CompanyRow, "is_active" | "expires_at"> | undefined> {
  return system
    .selectFrom("company")
    .select(["is_active", "expires_at"])
    .where("id", "=", id)
    .executeTakeFirst();
}

/** A page of the branch: the own company and all below it. Index: company_path_idx. */
export async function page(
  db: Db,
  scope: Scope,
  asked: CompanyPage,
): Promise<{ rows: CompanyRow[]; total: number }> {
  let query = branch(db, scope);
  if (asked.search !== "") {
    const like = `%${asked.search.replaceAll(/[\\%_]/g, "\\$&")}%`;
    query = query.where((where) =>
      where.or([
        where("name", "ilike", like),
        where("inn", "ilike", like),
        where(sql`id::text`, "=", asked.search),
      ]),
    );
  }
  const rows = await query
    .selectAll()
    .orderBy(asked.sort_field, (order) =>
      asked.sort === "asc" ? order.asc().nullsLast() : order.desc().nullsFirst(),
    )
    .orderBy("id")
    .limit(asked.limit)
    .offset(asked.offset)
    .execute();
  const { total } = await query
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return { rows, total };
}

export async function create(
  db: Db,
  parent: { readonly id: CompanyId; readonly path: string } | undefined,
  given: CompanyChange & {
    readonly name: string;
    readonly active_modules: readonly Module[];
    readonly id?: CompanyId;
    readonly is_demo?: boolean;
  },
): Promise<CompanyRow> {
  const id = given.id ?? (await nextId(db));
  // A fixed id must not be handed out a second time.
  if (given.id)
    await sql`select setval('company_id_seq', greatest(last_value, ${id})) from company_id_seq`.execute(db);
  return db
    .insertInto("company")
    .values({
      ...given,
      id,
      parent_id: parent?.id ?? null,
      path: parent ? `${parent.path}.${String(id)}` : String(id),
      rules_belong_to_company_id: id,
      options: JSON.stringify(given.options ?? {}),
      active_modules: JSON.stringify(given.active_modules),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Options are merged; what is undefined stays as it is. */
export async function update(
  db: Db,
  scope: Scope,
  id: CompanyId,
  change: CompanyChange,
): Promise<CompanyRow> {
  const { options, active_modules, ...columns } = change;
  return db
    .updateTable("company")
    .set({
      id: (expression) => expression.ref("id"),
      ...columns,
      ...(options ? { options: sql<string>`options || ${JSON.stringify(options)}::jsonb` } : {}),
      ...(active_modules ? { active_modules: JSON.stringify(active_modules) } : {}),
    })
    .where("id", "=", id)
    .where(sql<boolean>`path <@ ${scope.companyPath}::ltree`)
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function nextId(db: Db): Promise<CompanyId> {
  const { rows } = await sql<{ id: CompanyId }>`select nextval('company_id_seq')::int as id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("the sequence of companies gave nothing");
  return row.id;
}

function branch(db: Db, scope: Scope) {
  return db.selectFrom("company").where(sql<boolean>`path <@ ${scope.companyPath}::ltree`);
}
