import { endingDays, type CompanyState } from "@metrum/contract/access";
import type { CompanyId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import { containing, type Db, type Scope } from "#core";
import { branch, type CompanyRow } from "./store.ts";

/** A company as a row of a list. */
export interface ListedRow extends CompanyRow {
  readonly depth: number;
  readonly children_count: number;
}

export interface CompanyPage {
  readonly sort_field: "id" | "name" | "inn" | "expires_at" | "is_active" | "is_dealer";
  readonly sort: "asc" | "desc";
  readonly search: string;
  /** Only the company with this id. */
  readonly id?: CompanyId;
  readonly parentId?: CompanyId | undefined;
  readonly state: CompanyState | undefined;
  readonly now: number;
  readonly limit: number;
  readonly offset: number;
}

const columns = [
  "id",
  "parent_id",
  "path",
  "name",
  "company_type_id",
  "inn",
  "phone_number",
  "timezone",
  "is_dealer",
  "is_demo",
  "is_active",
  "expires_at",
  "options",
  "active_modules",
  "rules_belong_to_company_id",
  "peak_hours",
  "deleted_at",
  "created_at",
] as const;

/**
 * A page of the branch: one's own company and all below it. Indexes: company_path_idx, company_parent_id_idx.
 */
export async function page(
  db: Db,
  scope: Scope,
  asked: CompanyPage,
): Promise<{ rows: ListedRow[]; total: number }> {
  let query = branch(db, scope).where(isOfState(asked.state ?? "all", asked.now));
  if (asked.id !== undefined) query = query.where("id", "=", asked.id);
  if (asked.parentId !== undefined) query = query.where("parent_id", "=", asked.parentId);
  if (asked.search !== "") {
    const like = containing(asked.search);
    query = query.where((where) =>
      where.or([
        where("name", "ilike", like),
        where("inn", "ilike", like),
        where(sql`id::text`, "=", asked.search),
      ]),
    );
  }
  const rows = await query
    .select([
      ...columns,
      sql<number>`nlevel(path) - nlevel(${scope.companyPath}::ltree)`.as("depth"),
      sql<number>`(select count(*)::int from company c where c.parent_id = company.id and c.deleted_at is null)`.as(
        "children_count",
      ),
    ])
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

const states = ["all", "ending", "expired", "off", "demo", "deleted"] as const;

/** How many companies of the branch are in each state. One pass over the branch. */
export async function countStates(
  db: Db,
  scope: Scope,
  now: number,
): Promise<Record<"all" | CompanyState, number>> {
  const count = (state: "all" | CompanyState): RawBuilder<number> =>
    sql<number>`(count(*) filter (where ${isOfState(state, now)}))::int`;
  const { rows } = await sql<Record<"all" | CompanyState, number>>`
    select ${sql.join(states.map((state) => sql`${count(state)} as ${sql.ref(state)}`))}
    from company where path <@ ${scope.companyPath}::ltree
  `.execute(db);
  const [row] = rows;
  if (!row) throw new Error("a count gave nothing");
  return row;
}

/** Condition of a state. Deleted companies count as deleted only. */
function isOfState(state: "all" | CompanyState, now: number): RawBuilder<boolean> {
  const soon = now + endingDays * 86_400;
  switch (state) {
    case "all":
      return sql<boolean>`deleted_at is null`;
    case "ending":
      return sql<boolean>`(deleted_at is null and expires_at > ${now}::bigint and expires_at <= ${soon}::bigint)`;
    case "expired":
      return sql<boolean>`(deleted_at is null and expires_at <= ${now}::bigint)`;
    case "off":
      return sql<boolean>`(deleted_at is null and not is_active)`;
    case "demo":
      return sql<boolean>`(deleted_at is null and is_demo)`;
    case "deleted":
      return sql<boolean>`deleted_at is not null`;
  }
}
