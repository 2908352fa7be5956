import { objectBounds, type ObjectAddress } from "@metrum/contract/accounting";
import type { ObjectId, UserId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import type { Db, Scope } from "#core";

/** Level of a node, 1 at the top, and the nodes above it from the nearest. Rows: the levels above. */
export async function ancestorsOf(db: Db, id: ObjectId): Promise<ObjectId[]> {
  const { rows } = await sql<{ id: ObjectId }>`
    with recursive up as (
      select id, parent_id, 0 as distance from object_node where id = ${id}::int
      union all
      select n.id, n.parent_id, distance + 1 from up join object_node n on n.id = up.parent_id
    )
    select id from up where distance > 0 order by distance`.execute(db);
  return rows.map((row) => row.id);
}

/** Levels of a branch, its own included. Rows: nodes of the branch with children, by object_node_inner. */
export async function heightOf(db: Db, id: ObjectId): Promise<number> {
  const { rows } = await sql<{ height: number }>`
    with recursive inside as (
      select id, 2 as height from object_node where id = ${id}::int and childs_count > 0
      union all
      select n.id, height + 1 from inside join object_node n on n.parent_id = inside.id and n.childs_count > 0
      where height <= ${objectBounds.depth}
    )
    select coalesce(max(height), 1)::int as height from inside`.execute(db);
  return rows[0]?.height ?? 1;
}

/** Nodes of the company: those at the top and all below them. Index object_node_roots. */
export async function nodesOfCompany(db: Db, { companyId }: Pick<Scope, "companyId">): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(nodes_below + 1), 0)::int as n from object_node
    where company_id = ${companyId}::int and parent_id is null`.execute(db);
  return rows[0]?.n ?? 0;
}

/** A comparison that an index answers: `is not distinct from` reads the whole table. */
const isBelow = (parent: ObjectId | null): RawBuilder<boolean> =>
  parent === null ? sql<boolean>`parent_id is null` : sql<boolean>`parent_id = ${parent}::int`;

/** Children of a level, and the place behind them. */
export interface Level {
  readonly count: number;
  readonly next: number;
}

/** Levels below these nodes; null is the top. Rows: the nodes of the levels, by object_node_children or _roots. */
export async function levelsOf(
  db: Db,
  { companyId }: Pick<Scope, "companyId">,
  parents: readonly (ObjectId | null)[],
): Promise<ReadonlyMap<ObjectId | null, Level>> {
  const below = parents.filter((parent) => parent !== null);
  const counted = (condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select parent_id as parent, count(*)::int as count, max(sort)::int + 1 as next from object_node
    where company_id = ${companyId}::int and ${condition} group by parent_id`;
  const { rows } = await sql<Level & { parent: ObjectId | null }>`${sql.join(
    [
      ...(below.length === 0 ? [] : [counted(sql`parent_id = any(${below}::int[])`)]),
      ...(below.length === parents.length ? [] : [counted(sql`parent_id is null`)]),
    ],
    sql` union all `,
  )}`.execute(db);
  const found = new Map<ObjectId | null, Level>(parents.map((parent) => [parent, { count: 0, next: 1 }]));
  for (const { parent, count, next } of rows) found.set(parent, { count, next });
  return found;
}

export interface NewNode {
  readonly parent_id: ObjectId | null;
  readonly sort: number;
  readonly name: string;
  readonly type: string;
  readonly address: ObjectAddress | null;
}

/** Inserts nodes; the counters above follow by `countBranches`. Ids in the order given. */
export async function insertNodes(
  db: Db,
  { companyId }: Pick<Scope, "companyId">,
  nodes: readonly NewNode[],
): Promise<ObjectId[]> {
  if (nodes.length === 0) return [];
  const rows = await db
    .insertInto("object_node")
    .values(
      nodes.map((node) => ({
        ...node,
        company_id: companyId,
        address: node.address && JSON.stringify(node.address),
      })),
    )
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

export interface NodeChange {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly address?: ObjectAddress | null | undefined;
}

export async function changeNode(db: Db, id: ObjectId, change: NodeChange): Promise<void> {
  const { address, ...rest } = change;
  const set = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  await db
    .updateTable("object_node")
    .set({ ...set, ...(address === undefined ? {} : { address: address && JSON.stringify(address) }) })
    .where("id", "=", id)
    .execute();
}

/** Puts a node, with everything below, under another parent. */
export async function placeNode(
  db: Db,
  id: ObjectId,
  { parent, sort }: { readonly parent: ObjectId | null; readonly sort: number },
): Promise<void> {
  await db.updateTable("object_node").set({ parent_id: parent, sort }).where("id", "=", id).execute();
}

/** A branch that hangs on a node now (sign 1) or no longer (-1), with what it holds. */
export interface HungBranch {
  readonly branch: ObjectId;
  readonly parent: ObjectId;
  readonly sign: 1 | -1;
}

/**
 * Counts branches in the nodes above them, or out of them: the parent gains or loses a child, all above it the
 * nodes and things of the branch. A node above both places of a move keeps its counters. New nodes that hang on each
 * other are branches of one node each. Rows: the levels above, each by primary key: `offset 0` keeps a table without
 * statistics from being read as a whole.
 */
export async function countBranches(db: Db, hung: readonly HungBranch[]): Promise<void> {
  if (hung.length === 0) return;
  await sql`
    with recursive up as (
      select n.id, n.parent_id, h.branch, h.sign, h.sign as child
      from unnest(${hung.map(({ branch }) => branch)}::int[], ${hung.map(({ parent }) => parent)}::int[],
          ${hung.map(({ sign }) => sign)}::int[]) as h (branch, id, sign)
        cross join lateral (select id, parent_id from object_node where id = h.id offset 0) n
      union all
      select n.id, n.parent_id, up.branch, up.sign, 0
      from up cross join lateral (select id, parent_id from object_node where id = up.parent_id offset 0) n
    ), moved as (
      select id, branch, sum(sign)::int as sign, sum(child)::int as child from up
      group by id, branch having sum(sign) <> 0 or sum(child) <> 0
    ), changed as (
      select m.id, sum(m.child)::int as child, sum(m.sign * (b.nodes_below + 1))::int as nodes,
        sum(m.sign * (b.devices + b.devices_below))::int as devices,
        sum(m.sign * (b.gateways + b.gateways_below))::int as gateways,
        sum(m.sign * (b.base_stations + b.base_stations_below))::int as base_stations,
        sum(m.sign * (b.points + b.points_below))::int as points
      from moved m cross join lateral (select * from object_node where id = m.branch offset 0) b group by m.id
    )
    update object_node n set childs_count = n.childs_count + c.child, nodes_below = n.nodes_below + c.nodes,
      devices_below = n.devices_below + c.devices, gateways_below = n.gateways_below + c.gateways,
      base_stations_below = n.base_stations_below + c.base_stations, points_below = n.points_below + c.points
    from changed c where n.id = c.id and n.id = any(array(select id from changed))`.execute(db);
}

/** Sets the order of those of these nodes that are neighbours here; all others follow as they were. Rows: the level. */
export async function sortLevel(
  db: Db,
  { companyId }: Pick<Scope, "companyId">,
  { parent, ids }: { readonly parent: ObjectId | null; readonly ids: readonly ObjectId[] },
): Promise<void> {
  await sql`
    update object_node n set sort = o.place
    from (
      select id, row_number() over (order by array_position(${[...ids]}::int[], id), sort, id)::int as place
      from object_node where company_id = ${companyId}::int and ${isBelow(parent)}
    ) o
    where o.id = n.id and n.sort <> o.place`.execute(db);
}

/** A child of this name and kind, ignoring case; of several the first. Index object_node_children, or _roots. */
export async function childNamed(
  db: Db,
  { companyId }: Pick<Scope, "companyId">,
  { parent, name, type }: { readonly parent: ObjectId | null; readonly name: string; readonly type: string },
): Promise<ObjectId | undefined> {
  const { rows } = await sql<{ id: ObjectId }>`
    select id from object_node
    where company_id = ${companyId}::int and ${isBelow(parent)}
      and lower(name) = lower(${name}) and type = ${type}
    order by sort, id limit 1`.execute(db);
  return rows[0]?.id;
}

/** A child by the name that it has in lower case. */
export interface NamedChild {
  readonly parent: ObjectId | null;
  readonly key: string;
}

/**
 * Children of these names of any kind, in the order asked for; of several the first. All are at the top or none is.
 * Rows: the children of the parents, by object_node_children or _roots.
 */
export async function childrenOfName(
  db: Db,
  { companyId }: Pick<Scope, "companyId">,
  wanted: readonly NamedChild[],
): Promise<(ObjectId | undefined)[]> {
  if (wanted.length === 0) return [];
  const parents = [...new Set(wanted.map(({ parent }) => parent))];
  const isAtTop = parents[0] === null;
  const { rows } = await sql<NamedChild & { id: ObjectId }>`
    select distinct on (parent_id, key) parent_id as parent, key, id from (
      select id, parent_id, sort, lower(name) as key from object_node
      where company_id = ${companyId}::int and ${isAtTop ? sql`parent_id is null` : sql`parent_id = any(${parents}::int[])`}
    ) child
    where key = any(${[...new Set(wanted.map(({ key }) => key))]}::text[]) order by parent_id, key, sort, id`.execute(
    db,
  );
  const found = new Map(rows.map((row) => [keyOfChild(row), row.id]));
  return wanted.map((child) => found.get(keyOfChild(child)));
}

/** A key of a map for a child, which may not exist yet. */
export const keyOfChild = ({ parent, key }: NamedChild): string => `${String(parent)} ${key}`;

/** Those of these nodes whose parent is not one of them, with the nodes of their branches. Primary key. */
export async function topsAmong(
  db: Db,
  { companyId }: Pick<Scope, "companyId">,
  ids: readonly ObjectId[],
): Promise<
  {
    readonly id: ObjectId;
    readonly parent_id: ObjectId | null;
    readonly name: string;
    readonly nodes: number;
  }[]
> {
  const { rows } = await sql<{ id: ObjectId; parent_id: ObjectId | null; name: string; nodes: number }>`
    select id, parent_id, name, nodes_below + 1 as nodes from object_node
    where id = any(${[...ids]}::int[]) and company_id = ${companyId}::int
      and (parent_id is null or parent_id <> all(${[...ids]}::int[]))
    order by id`.execute(db);
  return rows;
}

/** Users for whom this branch holds every tie, so that without it they would be tied to nothing. */
export async function usersTiedOnlyTo(db: Db, id: ObjectId): Promise<UserId[]> {
  const { rows } = await sql<{ user_id: UserId }>`
    with branch as materialized (select id from object_branch(array[${id}::int]) as id)
    select distinct u.user_id from object_user u
    where u.object_id in (select id from branch)
      and not exists (select from device_user d where d.user_id = u.user_id)
      and not exists (
        select from object_user o where o.user_id = u.user_id and o.object_id not in (select id from branch))
    limit 1000`.execute(db);
  return rows.map((row) => row.user_id);
}

/** Removes branches at which nothing stands and that no counter above contains. Returns their nodes. */
export async function deleteBranches(
  db: Db,
  { companyId }: Pick<Scope, "companyId">,
  ids: readonly ObjectId[],
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from object_node
    where id in (select id from object_branch(${[...ids]}::int[]) as id) and company_id = ${companyId}::int`.execute(
    db,
  );
  return Number(numAffectedRows);
}

const counters = [
  "childs_count",
  "nodes_below",
  "devices",
  "gateways",
  "base_stations",
  "points",
  "devices_below",
  "gateways_below",
  "base_stations_below",
  "points_below",
] as const;

/**
 * Counts a whole branch from its nodes and what stands there. Returns the nodes whose stored counters were
 * different. Rows: each node once for every node of the branch above it.
 */
export async function recountBranch(db: Db, id: ObjectId): Promise<number> {
  return corrected(
    db,
    sql`
    with recursive pair as (
      select id as top, id, 0 as distance from object_branch(array[${id}::int]) as id
      union all
      select pair.top, n.id, distance + 1 from pair join object_node n on n.parent_id = pair.id
    ), own as materialized (
      select b as id, count(i.device_id)::int as d, count(i.gateway_id)::int as g, count(i.base_station_id)::int as s,
        (select count(*)::int from accounting_point where object_id = b) as p
      from object_branch(array[${id}::int]) as b left join object_item i on i.object_id = b and i.is_counted
      group by b
    )
    select top as id, count(*) filter (where distance = 1) as childs_count, count(*) - 1 as nodes_below,
      sum(d) filter (where distance = 0) as devices, sum(g) filter (where distance = 0) as gateways,
      sum(s) filter (where distance = 0) as base_stations, sum(p) filter (where distance = 0) as points,
      coalesce(sum(d) filter (where distance > 0), 0) as devices_below,
      coalesce(sum(g) filter (where distance > 0), 0) as gateways_below,
      coalesce(sum(s) filter (where distance > 0), 0) as base_stations_below,
      coalesce(sum(p) filter (where distance > 0), 0) as points_below
    from pair join own on own.id = pair.id group by top`,
  );
}

/** Counts one node from the counters of its children, which are right. Rows: the level below. */
export async function recountNode(db: Db, id: ObjectId): Promise<number> {
  return corrected(
    db,
    sql`
    select ${id}::int as id, count(c.id) as childs_count, coalesce(sum(c.nodes_below + 1), 0) as nodes_below,
      (select count(device_id) from object_item where object_id = ${id}::int and is_counted) as devices,
      (select count(gateway_id) from object_item where object_id = ${id}::int and is_counted) as gateways,
      (select count(base_station_id) from object_item where object_id = ${id}::int and is_counted) as base_stations,
      (select count(*) from accounting_point where object_id = ${id}::int) as points,
      coalesce(sum(c.devices + c.devices_below), 0) as devices_below,
      coalesce(sum(c.gateways + c.gateways_below), 0) as gateways_below,
      coalesce(sum(c.base_stations + c.base_stations_below), 0) as base_stations_below,
      coalesce(sum(c.points + c.points_below), 0) as points_below
    from object_node c where c.parent_id = ${id}::int`,
  );
}

async function corrected(db: Db, truth: RawBuilder<unknown>): Promise<number> {
  const named = (alias: string) => sql.join(counters.map((name) => sql.ref(`${alias}.${name}`)));
  const { numAffectedRows = 0n } = await sql`
    update object_node n set ${sql.join(counters.map((name) => sql`${sql.ref(name)} = t.${sql.ref(name)}`))}
    from (${truth}) t
    where t.id = n.id and (${named("n")}) is distinct from (${named("t")})`.execute(db);
  return Number(numAffectedRows);
}
