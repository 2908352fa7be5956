import type { BaseStationId, DeviceId, GatewayId, ObjectId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { tiedObjects, type Db, type Scope } from "#core";

/** Kinds of things that stand at nodes, by their tables. */
export interface ItemId {
  device: DeviceId;
  gateway: GatewayId;
  base_station: BaseStationId;
}
export type ItemKind = keyof ItemId;

interface Placed {
  readonly object: ObjectId;
  readonly item: number;
}

/**
 * Places things, which came through `resolve`, at nodes; each leaves its former node. One statement; the
 * counters follow by trigger. Returns those that have moved. Index object_item_device and its like.
 */
export async function placeItems(
  db: Db,
  { companyId }: Pick<Scope, "companyId">,
  kind: ItemKind,
  placed: readonly Placed[],
): Promise<number> {
  const [column, table] = [sql.ref(`${kind}_id`), sql.table(kind)];
  const { numAffectedRows = 0n } = await sql`
    insert into object_item (object_id, company_id, ${column}, is_counted)
    select p.object_id, ${companyId}::int, t.id, t.deleted_at is null and not t.is_archived
    from unnest(${placed.map(({ object }) => object)}::int[], ${placed.map(({ item }) => item)}::int[]) as p (object_id, id)
      join ${table} t on t.id = p.id and t.company_id = ${companyId}::int
    on conflict (${column}) where ${column} is not null do update set object_id = excluded.object_id
      where object_item.object_id <> excluded.object_id`.execute(db);
  return Number(numAffectedRows);
}

/**
 * Whether one of these things stands at a node that a tied user does not see: it is theirs by a tie of its own. Rows:
 * one a thing, by object_item_device and its like.
 */
export async function standOutside(
  db: Db,
  { companyId, userId }: Pick<Scope, "companyId" | "userId">,
  kind: ItemKind,
  ids: readonly number[],
): Promise<boolean> {
  const { rows } = await sql<{ is_outside: boolean }>`
    select exists (select from object_item where ${sql.ref(`${kind}_id`)} = any(${[...ids]}::int[])
      and company_id = ${companyId}::int and object_id not in (${tiedObjects(userId)})) as is_outside`.execute(
    db,
  );
  return rows[0]?.is_outside ?? false;
}

/** Takes everything from the nodes of a branch. Rows: of the branch, by object_item_of_node. */
export async function emptyBranch(
  db: Db,
  { companyId }: Pick<Scope, "companyId">,
  id: ObjectId,
): Promise<void> {
  await sql`delete from object_item
    where object_id in (select id from object_branch(array[${id}::int]) as id)
      and company_id = ${companyId}::int`.execute(db);
}

/** Takes things from their nodes. Returns those that stood at one. */
export async function takeItems(
  db: Db,
  { companyId }: Pick<Scope, "companyId">,
  kind: ItemKind,
  ids: readonly number[],
): Promise<Placed[]> {
  const column = sql.ref(`${kind}_id`);
  const { rows } = await sql<Placed>`
    delete from object_item where ${column} = any(${[...ids]}::int[]) and company_id = ${companyId}::int
    returning object_id as object, ${column} as item`.execute(db);
  return rows;
}
