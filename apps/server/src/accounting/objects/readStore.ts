import { objectBounds, type BranchCounts, type ObjectAddress } from "@metrum/contract/accounting";
import type { ObjectId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import { containing, tiedObjects, type Db, type Scope } from "#core";
import { silentDevices } from "#metering/device-state";

export interface NodeRow {
  readonly id: ObjectId;
  readonly parent_id: ObjectId | null;
  readonly name: string;
  readonly type: string;
  readonly address: ObjectAddress | null;
  readonly childs_count: number;
  readonly nodes_below: number;
  readonly devices: number;
  readonly gateways: number;
  readonly base_stations: number;
  readonly points: number;
  readonly devices_below: number;
  readonly gateways_below: number;
  readonly base_stations_below: number;
  readonly points_below: number;
  readonly created_at: number;
}

const columns = sql`n.id, n.parent_id, n.name, n.type, n.address, n.childs_count, n.nodes_below, n.devices, n.gateways,
  n.base_stations, n.points, n.devices_below, n.gateways_below, n.base_stations_below, n.points_below,
  floor(extract(epoch from n.created_at))::float8 as created_at`;

export type SortOfLevel = "asc" | "desc" | undefined;

const orderOf = (sort: SortOfLevel): RawBuilder<unknown> =>
  sort === undefined ? sql`n.sort, n.id` : sql`lower(n.name) ${sort === "asc" ? sql`asc` : sql`desc`}, n.id`;

/**
 * Ids of the nodes at the top of what a user sees: for a tied user the nodes they are tied to, without those
 * below another one. Index object_node_roots, or primary key of object_user.
 */
function topIds(scope: Scope): RawBuilder<unknown> {
  if (!scope.onlyTiedDevices)
    return sql`select id from object_node where company_id = ${scope.companyId}::int and parent_id is null`;
  return sql`
    select n.id from object_node n
    where n.company_id = ${scope.companyId}::int and n.id in (
        select object_id from object_user where user_id = ${scope.userId}::int)
      and (n.parent_id is null or n.parent_id not in (${tiedObjects(scope.userId)}))`;
}

/** The first nodes of what the user sees. */
export async function topNodes(db: Db, scope: Scope, sort: SortOfLevel): Promise<NodeRow[]> {
  const { rows } = await sql<NodeRow>`
    select ${columns} from object_node n where n.id in (${topIds(scope)})
    order by ${orderOf(sort)} limit ${objectBounds.children}`.execute(db);
  return rows;
}

/** Nodes directly below nodes that came through `resolve`, level by level. Index object_node_children. */
export async function childrenOf(
  db: Db,
  scope: Scope,
  { parents, sort }: { readonly parents: readonly ObjectId[]; readonly sort?: SortOfLevel },
): Promise<NodeRow[]> {
  const { rows } = await sql<NodeRow>`
    select ${columns} from object_node n
    where n.parent_id = any(${[...parents]}::int[]) and n.company_id = ${scope.companyId}::int
    order by array_position(${[...parents]}::int[], n.parent_id), ${orderOf(sort)}
    limit ${objectBounds.children * 2}`.execute(db);
  return rows;
}

/** Nodes that came through `resolve`, in the order of these ids. Primary key. */
export async function nodesOf(db: Db, scope: Scope, ids: readonly ObjectId[]): Promise<NodeRow[]> {
  const { rows } = await sql<NodeRow>`
    select ${columns} from object_node n
    where n.id = any(${[...ids]}::int[]) and n.company_id = ${scope.companyId}::int
    order by array_position(${[...ids]}::int[], n.id)`.execute(db);
  return rows;
}

/**
 * The nodes above a node that came through `resolve`, from the top of what the user sees. Rows: as many as
 * the tree has levels; those of a tied user's branches by object_node_children.
 */
export async function parentsOf(db: Db, scope: Scope, id: ObjectId): Promise<NodeRow[]> {
  const { rows } = await sql<NodeRow>`
    with recursive up as (
      select parent_id as id, 1 as distance from object_node
      where id = ${id}::int and company_id = ${scope.companyId}::int and parent_id is not null
      union all
      select n.parent_id, distance + 1 from up join object_node n on n.id = up.id where n.parent_id is not null
    )
    select ${columns} from up join object_node n on n.id = up.id
    where ${seen(scope)} order by distance desc`.execute(db);
  return rows;
}

const seen = (scope: Scope): RawBuilder<unknown> =>
  scope.onlyTiedDevices
    ? sql`n.company_id = ${scope.companyId}::int and n.id in (${tiedObjects(scope.userId)})`
    : sql`n.company_id = ${scope.companyId}::int`;

/** Those of these nodes that a tied user sees. Rows: of their branches, by object_node_children. */
export async function seenAmong(
  db: Db,
  scope: Scope,
  ids: readonly ObjectId[],
): Promise<ReadonlySet<ObjectId>> {
  const { rows } = await sql<{ id: ObjectId }>`
    select n.id from object_node n where n.id = any(${[...ids]}::int[]) and ${seen(scope)}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** All nodes that the user sees. Index object_node_of_company. */
export async function allNodes(db: Db, scope: Scope): Promise<NodeRow[]> {
  const { rows } = await sql<NodeRow>`
    select ${columns} from object_node n where ${seen(scope)}
    order by n.sort, n.id limit ${objectBounds.nodes}`.execute(db);
  return rows;
}

/**
 * The nodes that contain a text, at most `objectBounds.found`, and all nodes above them. Index
 * object_node_search; the way up by primary key.
 */
export async function foundNodes(
  db: Db,
  scope: Scope,
  { text, sort }: { readonly text: string; readonly sort: SortOfLevel },
): Promise<(NodeRow & { is_found: boolean })[]> {
  const { rows } = await sql<NodeRow & { is_found: boolean }>`
    with recursive hit as (
      select n.id from object_node n
      where n.id in (select id from object_found(${containing(text.toLowerCase())}) as id) and ${seen(scope)}
      order by lower(n.name), n.id limit ${objectBounds.found}
    ), up as (
      select id from hit
      union
      select n.parent_id from up join object_node n on n.id = up.id where n.parent_id is not null
    )
    select ${columns}, exists (select from hit where hit.id = n.id) as is_found
    from up join object_node n on n.id = up.id where ${seen(scope)}
    order by ${orderOf(sort)}`.execute(db);
  return rows;
}

/** Ids of all nodes below each of these. Rows: of the branches, by object_node_children. */
export async function idsBelow(
  db: Db,
  scope: Scope,
  ids: readonly ObjectId[],
): Promise<ReadonlyMap<number, readonly ObjectId[]>> {
  const { rows } = await sql<{ top: number; ids: ObjectId[] }>`
    with recursive below as (
      select id as top, id from object_node
      where id = any(${[...ids]}::int[]) and company_id = ${scope.companyId}::int
      union all
      select below.top, n.id from below join object_node n on n.parent_id = below.id
    )
    select top, array_agg(id) as ids from below where id <> top group by top`.execute(db);
  return new Map(rows.map((row) => [row.top, row.ids]));
}

/**
 * Silent devices that are switched on, at each of these nodes and below it: as many as the map counts.
 * Rows: silent devices of the company by device_state_by_silence, and the nodes above them.
 */
export async function silentAt(
  db: Db,
  scope: Scope,
  { ids, now }: { readonly ids: readonly ObjectId[]; readonly now: number },
): Promise<ReadonlyMap<number, { readonly own: number; readonly below: number }>> {
  const { rows } = await sql<{ id: number; own: number; below: number }>`
    with recursive silent as (
      select i.object_id as id, count(*)::int as n
      from (${silentDevices(scope, now)}) s join object_item i on i.device_id = s.device_id and i.is_counted
      group by 1
    ), up as (
      select id, n, true as is_own from silent
      union all
      select o.parent_id, up.n, false from up join object_node o on o.id = up.id where o.parent_id is not null
    )
    select id, coalesce(sum(n) filter (where is_own), 0)::int as own,
      coalesce(sum(n) filter (where not is_own), 0)::int as below
    from up where id = any(${[...ids]}::int[]) group by id`.execute(db);
  return new Map(rows.map(({ id, own, below }) => [id, { own, below }]));
}

/** What these nodes and all below hold, each thing once. Rows: of the branches, by object_item_of_node. */
export async function branchCounts(db: Db, scope: Scope, ids: readonly ObjectId[]): Promise<BranchCounts> {
  const { rows } = await sql<BranchCounts>`
    with branch as materialized (select id from object_branch(${[...ids]}::int[]) as id)
    select count(*)::int as nodes, coalesce(sum(n.devices), 0)::int as devices,
      coalesce(sum(n.gateways), 0)::int as gateways, coalesce(sum(n.base_stations), 0)::int as base_stations, coalesce(sum(n.points), 0)::int as points,
      (select count(distinct user_id)::int from object_user where object_id in (select id from branch)) as users
    from branch join object_node n on n.id = branch.id and n.company_id = ${scope.companyId}::int`.execute(
    db,
  );
  return rows[0] ?? { nodes: 0, devices: 0, gateways: 0, base_stations: 0, points: 0, users: 0 };
}

/** A node with the names of the nodes above it, as a row of the export. */
export interface ExportRow extends NodeRow {
  readonly path: string;
  readonly level: number;
}

/** A page of the tree in its order. Rows: all nodes that the user sees, by object_node_children. */
export async function exportPage(
  db: Db,
  scope: Scope,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<ExportRow[]> {
  const { rows } = await sql<ExportRow>`
    with recursive ordered as (
      select id, name as path, 1 as level, array[sort, id] as place from object_node where id in (${topIds(scope)})
      union all
      select n.id, ordered.path || ' / ' || n.name, level + 1, place || array[n.sort, n.id]
      from ordered join object_node n on n.parent_id = ordered.id
    )
    select ${columns}, page.path, page.level
    from (select * from ordered order by place limit ${limit}::int offset ${offset}::int) page
      join object_node n on n.id = page.id
    order by page.place`.execute(db);
  return rows;
}

/** Number of nodes that the user sees. Index-only scan of object_node_of_company. */
export async function countNodes(db: Db, scope: Scope): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from object_node n where ${seen(scope)}`.execute(db);
  return rows[0]?.n ?? 0;
}
