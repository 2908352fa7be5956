import type { TreeObject } from "@metrum/contract/accounting";
import type { ObjectId } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import * as read from "./readStore.ts";
import type { NodeRow } from "./readStore.ts";

/** What rows of the tree are shown with. */
export interface Shown {
  /** Silent devices at and below each node. */
  readonly with_stats?: boolean | undefined;
  readonly with_descendants?: boolean | undefined;
}

/**
 * Nodes as sent to clients. `tops` are the ids that have no parent for this user: a tied user sees none above
 * their own nodes.
 */
export async function shownNodes(
  { db, scope, clock }: Ctx,
  rows: readonly (NodeRow & { readonly is_found?: boolean })[],
  { with_stats = false, with_descendants = true }: Shown = {},
): Promise<TreeObject[]> {
  const ids = rows.map(({ id }) => id);
  const parents = rows.flatMap(({ parent_id }) => (parent_id === null ? [] : [parent_id]));
  const seen = scope.onlyTiedDevices ? await read.seenAmong(db, scope, parents) : new Set(parents);
  const silent = with_stats ? await read.silentAt(db, scope, { ids, now: clock.now() }) : undefined;
  const below = with_descendants ? await read.idsBelow(db, scope, ids) : undefined;
  return rows.map((row) => {
    const quiet = silent && (silent.get(row.id) ?? { own: 0, below: 0 });
    return {
      _id: String(row.id),
      name: row.name,
      parentId: row.parent_id === null || !seen.has(row.parent_id) ? null : String(row.parent_id),
      type: row.type,
      childs_count: row.childs_count,
      nodes_below: row.nodes_below,
      devices_info: {
        devices: row.devices,
        gateways: row.gateways,
        base_stations: row.base_stations,
        points: row.points,
        ...(quiet && { silent: quiet.own }),
      },
      childs_devices_info: {
        devices: row.devices_below,
        gateways: row.gateways_below,
        base_stations: row.base_stations_below,
        points: row.points_below,
        ...(quiet && { silent: quiet.below }),
      },
      ...(below && { all_child_ids: (below.get(row.id) ?? []).map(String) }),
      address: row.address,
      ...(row.is_found === undefined ? {} : { is_found: row.is_found }),
      created_at: row.created_at,
    };
  });
}

/** One node that came through `resolve`. */
export async function shownNode(ctx: Ctx, id: ObjectId, shown: Shown = {}): Promise<TreeObject> {
  const [node] = await shownNodes(ctx, await read.nodesOf(ctx.db, ctx.scope, [id]), shown);
  if (!node) throw new Error("a resolved object has no row");
  return node;
}
