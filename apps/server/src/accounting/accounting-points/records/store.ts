import type { AccountingPointId, ObjectId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { tiedObjects, visibleBalanceGroups, type Db, type Scope } from "#core";

/** Columns of a point that users set. */
export interface PointColumns {
  readonly object_id: ObjectId | null;
  readonly name: string;
  readonly resource_type_id: number;
  readonly city: string;
  readonly street: string;
  readonly house: string;
  readonly inner_object: string;
  readonly timezone: string;
  readonly has_own_zone: boolean;
  readonly comment: string;
}

/** Locks points that came through `resolve`. Returns how many there still are. */
export async function lockRows(db: Db, scope: Scope, ids: readonly AccountingPointId[]): Promise<number> {
  const { rows } = await sql`
    select id from accounting_point where id = any(${[...ids]}::int[]) and company_id = ${scope.companyId}::int
    order by id for no key update`.execute(db);
  return rows.length;
}

/** Whether one of these points stands at a node outside of the branches that a user is tied to. By primary key. */
export async function standOutside(
  db: Db,
  { userId }: Pick<Scope, "userId">,
  ids: readonly AccountingPointId[],
): Promise<boolean> {
  const { rows } = await sql<{ is_outside: boolean }>`
    select exists (select from accounting_point where id = any(${[...ids]}::int[])
      and object_id not in (${tiedObjects(userId)})) as is_outside`.execute(db);
  return rows[0]?.is_outside ?? false;
}

/** A locked point. One row by primary key. */
export async function pointColumns(db: Db, id: AccountingPointId): Promise<PointColumns> {
  return columnsOf(await columnsOfPoints(db, [id]), id);
}

/** Of columns that were read for several points, those of one. */
export function columnsOf(
  all: ReadonlyMap<AccountingPointId, PointColumns>,
  id: AccountingPointId,
): PointColumns {
  const found = all.get(id);
  if (!found) throw new Error(`the point ${String(id)} is gone`);
  return found;
}

/** Locked points. Primary key. */
export async function columnsOfPoints(
  db: Db,
  ids: readonly AccountingPointId[],
): Promise<ReadonlyMap<AccountingPointId, PointColumns>> {
  const rows = await db
    .selectFrom("accounting_point")
    .select([
      "id",
      "object_id",
      "name",
      "resource_type_id",
      "city",
      "street",
      "house",
      "inner_object",
      "timezone",
      "has_own_zone",
      "comment",
    ])
    .where(sql<boolean>`id = any(${[...ids]}::int[])`)
    .execute();
  return new Map(rows.map(({ id, ...columns }) => [id, columns]));
}

/** Points of the company. Index accounting_point_of_company. */
export async function countPoints(db: Db, scope: Scope): Promise<number> {
  const { n } = await db
    .selectFrom("accounting_point")
    .select(sql<number>`count(*)::int`.as("n"))
    .where("company_id", "=", scope.companyId)
    .executeTakeFirstOrThrow();
  return n;
}

/** Points that have the zone of their company. Rows: its points, by accounting_point_of_company. */
export async function countFollowing(db: Db, scope: Scope): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from accounting_point
    where company_id = ${scope.companyId}::int and not has_own_zone`.execute(db);
  return rows[0]?.n ?? 0;
}

/** The zone of the company as it is stored now: a session may have it from a moment ago. */
const zoneOf = (
  { has_own_zone, timezone }: Pick<PointColumns, "has_own_zone" | "timezone">,
  company: number,
) =>
  has_own_zone
    ? { timezone }
    : { timezone: sql<string>`(select timezone from company where id = ${company}::int)` };

/** Ids in the order given. The counters of their nodes follow by trigger; the tree is locked. */
export async function insertPoints(
  db: Db,
  scope: Pick<Scope, "companyId">,
  all: readonly PointColumns[],
): Promise<AccountingPointId[]> {
  if (all.length === 0) return [];
  const rows = await db
    .insertInto("accounting_point")
    .values(
      all.map((columns) => ({
        ...columns,
        ...zoneOf(columns, scope.companyId),
        company_id: scope.companyId,
      })),
    )
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

export async function changePoint(
  db: Db,
  id: AccountingPointId,
  change: Partial<PointColumns>,
): Promise<void> {
  await db.updateTable("accounting_point").set(change).where("id", "=", id).execute();
}

/**
 * How many balance groups have some of these points in their formula, and names of those that the session sees, in
 * order. Rows: the groups of the points, by balance_group_point_of_point.
 */
export async function groupsWithPoints(
  db: Db,
  scope: Scope,
  { ids, most }: { readonly ids: readonly AccountingPointId[]; readonly most: number },
): Promise<{ readonly count: number; readonly names: readonly string[] }> {
  const { rows } = await sql<{ count: number; names: string[] }>`
    with named as (
      select g.name, (${visibleBalanceGroups(scope)}) as is_seen from balance_group g
      where g.company_id = ${scope.companyId}::int
        and g.id in (select group_id from balance_group_point where point_id = any(${[...ids]}::int[])))
    select (select count(*) from named)::int as count,
      array(select name from named where is_seen order by lower(name) limit ${most}) as names`.execute(db);
  return rows[0] ?? { count: 0, names: [] };
}

/** Deletes points of the company with everything of theirs; the tree is locked. Returns their names by id. */
export async function deletePoints(
  db: Db,
  scope: Pick<Scope, "companyId">,
  ids: readonly AccountingPointId[],
): Promise<{ readonly id: AccountingPointId; readonly name: string }[]> {
  return db
    .deleteFrom("accounting_point")
    .where(sql<boolean>`id = any(${[...ids]}::int[])`)
    .where("company_id", "=", scope.companyId)
    .returning(["id", "name"])
    .execute();
}

/** Ids of the points of a node and all below. Rows: of the branch, by accounting_point_of_object. */
export async function pointsOfBranch(
  db: Db,
  scope: Pick<Scope, "companyId">,
  object: ObjectId,
): Promise<AccountingPointId[]> {
  const { rows } = await sql<{ id: AccountingPointId }>`
    select id from accounting_point
    where object_id in (select id from object_branch(array[${object}::int]) as id)
      and company_id = ${scope.companyId}::int`.execute(db);
  return rows.map(({ id }) => id);
}

/** Takes points from the nodes of a branch. */
export async function emptyBranchOfPoints(
  db: Db,
  scope: Pick<Scope, "companyId">,
  object: ObjectId,
): Promise<void> {
  await sql`
    update accounting_point set object_id = null
    where object_id in (select id from object_branch(array[${object}::int]) as id)
      and company_id = ${scope.companyId}::int`.execute(db);
}
