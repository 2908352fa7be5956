import type { ObjectAddress } from "@metrum/contract";
import type { ObjectId } from "@metrum/vocabulary";
import { record, type Ctx } from "#core";
import { hang, subjectOf } from "./change.ts";
import * as store from "./store.ts";

/** The nodes that a path of names leads through, as far as they exist; of several with a name the first. */
export async function nodesOfPath({ db, scope }: Ctx, names: readonly string[]): Promise<ObjectId[]> {
  const found: ObjectId[] = [];
  for (const name of names) {
    const id = await store.childOfName(db, scope, { parent: found.at(-1) ?? null, name });
    if (id === undefined) break;
    found.push(id);
  }
  return found;
}

export interface NewPath {
  readonly names: readonly string[];
  /** Those that exist, from the top. */
  readonly found: readonly ObjectId[];
  /** Of the last node, if it is new. */
  readonly type: string | undefined;
  readonly address: ObjectAddress | null;
}

/** Makes the nodes of a path that are missing; the tree is locked. Problems: object_limit, object_depth. */
export async function extendPath(ctx: Ctx, { names, found, type, address }: NewPath): Promise<ObjectId[]> {
  const nodes = [...found];
  for (const [at, name] of names.entries()) {
    if (at < found.length) continue;
    const isLast = at === names.length - 1;
    const node = { name, ...(isLast ? { type, address } : {}) };
    const parent = nodes.at(-1) ?? null;
    const id = await hang(ctx, parent, node);
    await record(ctx, {
      action: "object.add",
      subject: subjectOf(id),
      after: { parent_id: parent, ...node },
    });
    nodes.push(id);
  }
  return nodes;
}

/** Removes nodes that hold nothing but each other, with the counters above; the tree is locked. */
export async function dropNodes(ctx: Ctx, ids: readonly ObjectId[]): Promise<void> {
  const { db, scope } = ctx;
  for (const { id, parent_id, name } of await store.topsAmong(db, scope, ids)) {
    if (parent_id !== null) await store.countBranch(db, id, [{ parent: parent_id, sign: -1 }]);
    const removed = await store.deleteBranch(db, scope, id);
    await record(ctx, {
      action: "object.remove",
      subject: subjectOf(id),
      before: { name, parent_id, nodes: removed },
    });
  }
}
