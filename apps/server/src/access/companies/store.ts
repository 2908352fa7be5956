import type { Module, PeakHours } from "@metrum/contract/access";
import type { CompanyId } from "@metrum/vocabulary";
import { sql, type Selectable } from "kysely";
import { storableJson, type Db, type Scope } from "#core";
import type { CompanyOptions, CompanyTable } from "./tables.ts";

export type CompanyRow = Selectable<CompanyTable>;

export interface CompanyChange {
  readonly name?: string | undefined;
  readonly company_type_id?: number | undefined;
  readonly inn?: string | undefined;
  readonly phone_number?: string | null | undefined;
  readonly timezone?: string | undefined;
  readonly is_dealer?: boolean | undefined;
  readonly is_demo?: boolean | undefined;
  readonly is_active?: boolean | undefined;
  readonly expires_at?: number | null | undefined;
  readonly options?: CompanyOptions | undefined;
  readonly active_modules?: readonly Module[] | undefined;
  readonly peak_hours?: readonly PeakHours[] | undefined;
  readonly deleted_at?: Date | null | undefined;
}

/** A company of the branch that is not deleted. */
export async function company(db: Db, scope: Scope, id: CompanyId): Promise<CompanyRow | undefined> {
  return branch(db, scope)
    .where("deleted_at", "is", null)
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
}

/** A deleted company of the branch. */
export async function deletedCompany(db: Db, scope: Scope, id: number): Promise<CompanyRow | undefined> {
  return branch(db, scope)
    .where("deleted_at", "is not", null)
    .selectAll()
    .where(sql<boolean>`id = ${id}::int`)
    .executeTakeFirst();
}

/** Whether companies that are not deleted exist directly below. Index: company_parent_id_idx. */
export async function hasCompaniesBelow(db: Db, id: CompanyId): Promise<boolean> {
  const found = await db
    .selectFrom("company")
    .select("id")
    .where("parent_id", "=", id)
    .where("deleted_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** A company by its id, for use before a session exists. */
export async function companyById(system: Db, id: CompanyId): Promise<CompanyRow | undefined> {
  return system.selectFrom("company").selectAll().where("id", "=", id).executeTakeFirst();
}

/** A company by its name directly below another one, deleted or not; unscoped. */
export async function companyNamed(
  system: Db,
  parentId: CompanyId,
  name: string,
): Promise<CompanyRow | undefined> {
  return system
    .selectFrom("company")
    .selectAll()
    .where("parent_id", "=", parentId)
    .where("name", "=", name)
    .executeTakeFirst();
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

/** Ids and paths of these companies and of all below them that are not deleted. Index: company_path_idx. */
export async function idsBelow(
  db: Db,
  paths: readonly string[],
): Promise<readonly { readonly id: CompanyId; readonly path: string }[]> {
  if (paths.length === 0) return [];
  const { rows } = await sql<{ id: CompanyId; path: string }>`
    select id, path::text as path from company where path <@ ${`{${paths.join(",")}}`}::ltree[] and deleted_at is null
  `.execute(db);
  return rows;
}

export async function create(
  db: Db,
  parent: { readonly id: CompanyId; readonly path: string } | undefined,
  given: CompanyChange & {
    readonly name: string;
    readonly active_modules: readonly Module[];
    readonly id?: CompanyId;
  },
): Promise<CompanyRow> {
  const id = given.id ?? (await nextId(db));
  // A fixed id must not be assigned a second time.
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
      options: storableJson(given.options ?? {}),
      active_modules: storableJson(given.active_modules),
      peak_hours: storableJson(given.peak_hours ?? []),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Options are merged; undefined values are left unchanged. */
export async function update(
  db: Db,
  scope: Scope,
  id: CompanyId,
  change: CompanyChange,
): Promise<CompanyRow> {
  const { options, active_modules, peak_hours, ...fields } = change;
  return db
    .updateTable("company")
    .set({
      id: (expression) => expression.ref("id"),
      ...fields,
      ...(options ? { options: sql<string>`options || ${storableJson(options)}::jsonb` } : {}),
      ...(active_modules ? { active_modules: storableJson(active_modules) } : {}),
      ...(peak_hours ? { peak_hours: storableJson(peak_hours) } : {}),
    })
    .where("id", "=", id)
    .where(sql<boolean>`path <@ ${scope.companyPath}::ltree`)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Removes from all companies below the modules that the company itself does not have. */
export async function cutModulesBelow(db: Db, { path, active_modules }: CompanyRow): Promise<void> {
  const slugs = active_modules.map(({ slug }) => slug);
  await sql`
    update company set active_modules = (
      select coalesce(jsonb_agg(m order by at), '[]') from jsonb_array_elements(active_modules) with ordinality as e(m, at)
      where m ->> 'slug' = any(${slugs}::text[]))
    where path <@ ${path}::ltree and path <> ${path}::ltree
      and exists (select from jsonb_array_elements(active_modules) m where m ->> 'slug' <> all(${slugs}::text[]))
  `.execute(db);
}

/**
 * Moves a company with all below it under another one, in one statement, so that all paths change together.
 */
export async function move(
  db: Db,
  { id, path }: CompanyRow,
  parent: { readonly id: CompanyId; readonly path: string },
): Promise<void> {
  await sql`
    update company set
      path = ${parent.path}::ltree || subpath(path, nlevel(${path}::ltree) - 1),
      parent_id = case when id = ${id}::int then ${parent.id}::int else parent_id end
    where path <@ ${path}::ltree
  `.execute(db);
}

/** Switches on a self-registered company after confirmation. */
export async function openCompany(system: Db, id: CompanyId): Promise<void> {
  await system.updateTable("company").set({ is_active: true }).where("id", "=", id).execute();
}

/** Deletes a self-registered company that was never confirmed and so never used. */
export async function removePending(system: Db, id: CompanyId): Promise<void> {
  await system.deleteFrom("company").where("id", "=", id).where("is_active", "=", false).execute();
}

async function nextId(db: Db): Promise<CompanyId> {
  const { rows } = await sql<{ id: CompanyId }>`select nextval('company_id_seq')::int as id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("the sequence of companies gave nothing");
  return row.id;
}

/** The own company and all below it. */
export function branch(db: Db, scope: Scope) {
  return db.selectFrom("company").where(sql<boolean>`path <@ ${scope.companyPath}::ltree`);
}
