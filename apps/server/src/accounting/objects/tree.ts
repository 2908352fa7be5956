import type { TreeObject } from "@metrum/contract/accounting";
import { pageSize } from "@metrum/contract/core";
import type { ObjectId } from "@metrum/vocabulary";
import { resolve, resolveOne, type Ctx } from "#core";
import * as read from "./readStore.ts";
import type { NodeRow } from "./readStore.ts";
import { shownNode, shownNodes, type Shown } from "./shown.ts";

interface Part extends Shown {
  readonly parent_id?: number | null | undefined;
  readonly parent_ids?: readonly number[] | undefined;
  readonly search_string?: string | undefined;
  readonly sort?: "asc" | "desc" | undefined;
}

/** A part of the tree. A search finds nodes anywhere the user sees. Problem: not_found. */
export async function treePart(ctx: Ctx, asked: Part): Promise<TreeObject[]> {
  return shownNodes(ctx, await rowsOf(ctx, asked), asked);
}

async function rowsOf(ctx: Ctx, { parent_id, parent_ids, search_string, sort }: Part): Promise<NodeRow[]> {
  const { db, scope } = ctx;
  if (search_string) return inOrder(await read.foundNodes(db, scope, { text: search_string, sort }));
  const given = [...(typeof parent_id === "number" ? [parent_id] : []), ...(parent_ids ?? [])];
  if (given.length === 0 && parent_ids === undefined) return read.topNodes(db, scope, sort);
  if (scope.onlyTiedDevices) return levelsBelow(ctx, await resolve(ctx, "object", given), sort);
  // Children of the company prove that their parent is its own too.
  const rows = await levelsBelow(ctx, given as ObjectId[], sort);
  const proven = new Set(rows.map((row) => row.parent_id));
  await resolve(
    ctx,
    "object",
    given.filter((id) => !proven.has(id as ObjectId)),
  );
  return rows;
}

const levelsBelow = ({ db, scope }: Ctx, parents: readonly ObjectId[], sort: Part["sort"]) =>
  read.childrenOf(db, scope, { parents: [...new Set(parents)], sort });

/** The whole tree, every node behind its parent. */
export async function wholeTree(ctx: Ctx): Promise<TreeObject[]> {
  const ordered = inOrder(await read.allNodes(ctx.db, ctx.scope));
  const nodes = await shownNodes(ctx, ordered, { with_descendants: false });
  // In this order the nodes below one are those that follow it.
  return nodes.map((node, at) => ({
    ...node,
    all_child_ids: nodes.slice(at + 1, at + 1 + node.nodes_below).map(({ _id }) => _id),
  }));
}

/** Every node behind its parent and before its neighbours; neighbours keep their order. */
function inOrder<Row extends NodeRow>(rows: readonly Row[]): Row[] {
  const seen = new Set(rows.map(({ id }) => id));
  const children = new Map<number, Row[]>();
  const tops: Row[] = [];
  for (const row of rows) {
    if (row.parent_id === null || !seen.has(row.parent_id)) {
      tops.push(row);
      continue;
    }
    const level = children.get(row.parent_id);
    if (level) level.push(row);
    else children.set(row.parent_id, [row]);
  }
  const ordered: Row[] = [];
  const visit = (row: Row): void => {
    ordered.push(row);
    for (const child of children.get(row.id) ?? []) visit(child);
  };
  for (const top of tops) visit(top);
  return ordered;
}

/** A node with the names of the nodes above it. Problem: not_found. */
export async function openNode(ctx: Ctx, given: number, { with_stats }: Pick<Shown, "with_stats"> = {}) {
  const id = await resolveOne(ctx, "object", given);
  const parents = await read.parentsOf(ctx.db, ctx.scope, id);
  return {
    object: await shownNode(ctx, id, { with_stats }),
    parents: parents.map((row) => ({ _id: String(row.id), name: row.name })),
  };
}

/** Problem: not_found. */
export async function openNodes(ctx: Ctx, given: readonly number[]): Promise<TreeObject[]> {
  const ids = [...new Set(await resolve(ctx, "object", given))];
  return shownNodes(ctx, await read.nodesOf(ctx.db, ctx.scope, ids));
}

/** What a selection of branches holds, each thing once. Problem: not_found. */
export async function countsOf(ctx: Ctx, given: readonly number[]) {
  return read.branchCounts(ctx.db, ctx.scope, await resolve(ctx, "object", given));
}

/** A page of the export. */
export async function exported(
  { db, scope }: Ctx,
  { page = 1, per_page }: { readonly page?: number | undefined; readonly per_page?: number | undefined },
) {
  const limit = pageSize(per_page ?? 1000, 2500);
  const total = await read.countNodes(db, scope);
  const rows = await read.exportPage(db, scope, { limit, offset: (page - 1) * limit });
  return {
    data: rows.map((row) => ({
      _id: String(row.id),
      path: row.path,
      level: row.level,
      name: row.name,
      type: row.type,
      address: row.address?.unrestricted_value ?? "",
      latitude: row.address?.coordinates?.[0] ?? null,
      longitude: row.address?.coordinates?.[1] ?? null,
      nodes: row.nodes_below,
      devices: row.devices + row.devices_below,
      gateways: row.gateways + row.gateways_below,
      base_stations: row.base_stations + row.base_stations_below,
      points: row.points + row.points_below,
    })),
    current_page: page,
    last_page: Math.max(1, Math.ceil(total / limit)),
    per_page: limit,
    total,
  };
}
