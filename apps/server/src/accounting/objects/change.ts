import { objectBounds, type ObjectAddress } from "@metrum/contract/accounting";
import { isSameContent, problem } from "@metrum/contract/core";
import type { ObjectId } from "@metrum/vocabulary";
import { leaveBranch } from "#accounting/accounting-points";
import { lockTree, record, resolve, resolveOne, type Ctx } from "#core";
import { emptyBranch } from "./itemStore.ts";
import * as read from "./readStore.ts";
import * as store from "./store.ts";

export interface NewObject {
  readonly name: string;
  readonly parent_id?: number | null | undefined;
  readonly type?: string | undefined;
  readonly address?: ObjectAddress | null | undefined;
}

export const subjectOf = (id: number): string => `object ${String(id)}`;

/** Problems: not_found, tied_devices_only, object_limit, object_depth. */
export async function addNode(ctx: Ctx, { parent_id = null, ...given }: NewObject): Promise<ObjectId> {
  await lockTree(ctx.db, ctx.scope);
  const parent = await parentOf(ctx, parent_id);
  const id = await hang(ctx, parent, given);
  await record(ctx, { action: "object.add", subject: subjectOf(id), after: { parent_id: parent, ...given } });
  return id;
}

/** Adds a node below one that is locked with its tree. */
export async function hang(
  ctx: Pick<Ctx, "db" | "scope">,
  parent: ObjectId | null,
  node: NewObject,
): Promise<ObjectId> {
  const level = parent === null ? 1 : (await store.ancestorsOf(ctx.db, parent)).length + 2;
  if (level > objectBounds.depth) throw problem("object_depth", { params: { max: objectBounds.depth } });
  const [id] = await hangAll(ctx, [{ ...node, parent_id: parent }]);
  if (id === undefined) throw new Error("a node was added without an id");
  if (parent !== null) await store.countBranches(ctx.db, [{ branch: id, parent, sign: 1 }]);
  return id;
}

/** A node whose parent is in the locked tree, at a level that is allowed. */
export interface HungNode extends NewObject {
  readonly parent_id: ObjectId | null;
}

/** Adds nodes, each behind its neighbours; the counters above follow by `countBranches`. Problem: object_limit. */
export async function hangAll(
  { db, scope }: Pick<Ctx, "db" | "scope">,
  nodes: readonly HungNode[],
): Promise<ObjectId[]> {
  if ((await store.nodesOfCompany(db, scope)) + nodes.length > objectBounds.nodes)
    throw problem("object_limit", { params: { max: objectBounds.nodes } });
  const parents = [...new Set(nodes.map(({ parent_id }) => parent_id))];
  const levels = new Map(await store.levelsOf(db, scope, parents));
  const placed = nodes.map(({ parent_id, name, type = "", address = null }) => {
    const { count, next } = levels.get(parent_id) ?? { count: 0, next: 1 };
    refuseFull(count);
    levels.set(parent_id, { count: count + 1, next: next + 1 });
    return { parent_id, sort: next, name, type, address };
  });
  return store.insertNodes(db, scope, placed);
}

/** The place behind the neighbours. Problem: object_limit. */
async function freePlace({ db, scope }: Pick<Ctx, "db" | "scope">, parent: ObjectId | null): Promise<number> {
  const { count, next } = (await store.levelsOf(db, scope, [parent])).get(parent) ?? { count: 0, next: 1 };
  refuseFull(count);
  return next;
}

/** Problem: object_limit. */
function refuseFull(count: number): void {
  if (count >= objectBounds.children)
    throw problem("object_limit", { params: { max: objectBounds.children } });
}

/** A user who is tied to nodes changes only what is below them: the top is not theirs. */
async function parentOf(ctx: Ctx, given: number | null): Promise<ObjectId | null> {
  if (given !== null) return resolveOne(ctx, "object", given);
  if (ctx.scope.onlyTiedDevices) throw problem("tied_devices_only");
  return null;
}

interface Change extends store.NodeChange {
  readonly _id: number;
  readonly parent_id?: number | null | undefined;
}

/**
 * Changes a node, and moves it if another parent is given. Problems: not_found, object_cycle, object_depth,
 * object_limit, tied_devices_only.
 */
export async function updateNode(ctx: Ctx, { _id, parent_id, ...change }: Change): Promise<ObjectId> {
  if (parent_id !== undefined) await lockTree(ctx.db, ctx.scope);
  const id = await resolveOne(ctx, "object", _id);
  const before = await rowOf(ctx, id);
  if (parent_id !== undefined) await move(ctx, before, parent_id);
  const changed = Object.entries(change).filter(
    ([name, value]) => value !== undefined && !isSameContent(Reflect.get(before, name), value),
  );
  if (changed.length === 0) return id;
  await store.changeNode(ctx.db, id, change);
  await record(ctx, {
    action: "object.update",
    subject: subjectOf(id),
    before: Object.fromEntries(changed.map(([name]) => [name, Reflect.get(before, name) as unknown])),
    after: Object.fromEntries(changed),
  });
  return id;
}

/** Hangs a node, with its branch, on another parent. The tree is locked, so the way up cannot change. */
async function move(ctx: Ctx, node: read.NodeRow, given: number | null): Promise<void> {
  const { db, scope } = ctx;
  const { id, parent_id: from } = node;
  // For a tied user the parent of their own node is none, and stays so.
  if (given === null && from !== null && scope.onlyTiedDevices && !(await isSeen(ctx, from))) return;
  const to = given === from ? from : await parentOf(ctx, given);
  if (to === from) return;
  await refuseTop(ctx, node);
  const above = to === null ? [] : [to, ...(await store.ancestorsOf(db, to))];
  if (above.includes(id)) throw problem("object_cycle", { attributes: { parent_id: ["object_cycle"] } });
  if (above.length + (await store.heightOf(db, id)) > objectBounds.depth)
    throw problem("object_depth", { params: { max: objectBounds.depth } });
  const sort = await freePlace(ctx, to);
  await store.countBranches(db, [
    ...(from === null ? [] : [{ branch: id, parent: from, sign: -1 } as const]),
    ...(to === null ? [] : [{ branch: id, parent: to, sign: 1 } as const]),
  ]);
  await store.placeNode(db, id, { parent: to, sort });
  await record(ctx, {
    action: "object.move",
    subject: subjectOf(id),
    before: { parent_id: from },
    after: { parent_id: to },
  });
}

/** A node to which a user is tied can be moved or removed only by others. */
async function refuseTop(ctx: Ctx, { parent_id }: read.NodeRow): Promise<void> {
  if (!ctx.scope.onlyTiedDevices) return;
  if (parent_id === null || !(await isSeen(ctx, parent_id))) throw problem("tied_devices_only");
}

const isSeen = async ({ db, scope }: Ctx, id: ObjectId): Promise<boolean> =>
  (await read.seenAmong(db, scope, [id])).has(id);

async function rowOf({ db, scope }: Ctx, id: ObjectId): Promise<read.NodeRow> {
  const [row] = await read.nodesOf(db, scope, [id]);
  if (!row) throw problem("not_found");
  return row;
}

/** Sets the order of neighbours; a node that has moved meanwhile stays where it is. Problems: not_found, tied_devices_only. */
export async function sortNodes(
  ctx: Ctx,
  {
    parent_id = null,
    ids: given,
  }: { readonly parent_id?: number | null | undefined; readonly ids: readonly number[] },
): Promise<void> {
  const { db, scope } = ctx;
  await lockTree(db, scope);
  const parent = await parentOf(ctx, parent_id);
  const ids = [...new Set(await resolve(ctx, "object", given))];
  await store.sortLevel(db, scope, { parent, ids });
  await record(ctx, {
    action: "object.sort",
    subject: parent === null ? `company ${String(scope.companyId)}` : subjectOf(parent),
    after: { ids },
  });
}

/**
 * Removes a branch; what stands there stays, at no node, and so do its points unless they are removed too. Returns
 * the number of removed nodes. Problems: not_found, object_users_tied, tied_devices_only, period_closed,
 * point_in_balance.
 */
export async function removeNode(
  ctx: Ctx,
  { object_id: given, withPoints }: { readonly object_id: number; readonly withPoints: boolean },
): Promise<number> {
  const { db, scope } = ctx;
  await lockTree(db, scope);
  const id = await resolveOne(ctx, "object", given);
  const row = await rowOf(ctx, id);
  await refuseTop(ctx, row);
  const freed = await store.usersTiedOnlyTo(db, id);
  if (freed.length > 0) throw problem("object_users_tied", { params: { count: freed.length } });
  const before = await read.branchCounts(db, scope, [id]);
  await emptyBranch(db, scope, id);
  await leaveBranch(ctx, id, withPoints);
  if (row.parent_id !== null)
    await store.countBranches(db, [{ branch: id, parent: row.parent_id, sign: -1 }]);
  const removed = await store.deleteBranches(db, scope, [id]);
  await record(ctx, {
    action: "object.remove",
    subject: subjectOf(id),
    before: { name: row.name, parent_id: row.parent_id, ...before, ...(withPoints ? { withPoints } : {}) },
  });
  return removed;
}

/** Counts a branch and the nodes above it anew. Returns the nodes that were wrong. Problem: not_found. */
export async function recount(ctx: Ctx, given: number): Promise<{ id: ObjectId; corrected: number }> {
  const { db, scope } = ctx;
  await lockTree(db, scope);
  const id = await resolveOne(ctx, "object", given);
  let corrected = await store.recountBranch(db, id);
  for (const above of await store.ancestorsOf(db, id)) corrected += await store.recountNode(db, above);
  await record(ctx, { action: "object.count", subject: subjectOf(id), after: { corrected } });
  return { id, corrected };
}
