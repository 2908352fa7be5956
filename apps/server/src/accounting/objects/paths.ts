import type { ObjectAddress } from "@metrum/contract/accounting";
import type { ObjectId } from "@metrum/vocabulary";
import { loweredTexts, recordEach, type Ctx } from "#core";
import { hangAll, subjectOf, type HungNode } from "./change.ts";
import * as store from "./store.ts";

/** A path of names through the tree. */
export interface Path {
  readonly names: readonly string[];
  /** The names in lower case: paths that do not differ in them are one. */
  readonly keys: readonly string[];
  /** Nodes that exist, from the top; of several with a name the first. */
  readonly found: readonly ObjectId[];
}

/** The nodes that paths of names lead through, as far as they exist. Statements: one a level. */
export async function pathsOf(
  { db, scope }: Pick<Ctx, "db" | "scope">,
  given: readonly (readonly string[])[],
): Promise<Path[]> {
  const lower = await loweredTexts(db, given.flat());
  const paths = given.map((names) => ({ names, keys: names.map(lower), found: [] as ObjectId[] }));
  for (let at = 0; ; at += 1) {
    const going = paths.filter(({ keys, found }) => found.length === at && keys.length > at);
    if (going.length === 0) return paths;
    const wanted = going.map(({ keys, found }) => ({ parent: found.at(-1) ?? null, key: keys[at] ?? "" }));
    for (const [nth, id] of (await store.childrenOfName(db, scope, wanted)).entries())
      if (id !== undefined) going[nth]?.found.push(id);
  }
}

export interface NewPath extends Path {
  /** Of the last node, if it is new. */
  readonly type: string | undefined;
  readonly address: ObjectAddress | null;
}

/** The nodes of a path, and those that it was the first to need. */
export interface ExtendedPath {
  readonly nodes: readonly ObjectId[];
  readonly made: readonly ObjectId[];
}

/**
 * Makes the nodes of paths that are missing, each once, as the first path that needs it says; the tree is locked, and
 * no path is longer than the tree may be deep. Statements: a few a level. Problem: object_limit.
 */
export async function extendPaths(
  ctx: Pick<Ctx, "db" | "scope" | "session" | "address">,
  paths: readonly NewPath[],
): Promise<ExtendedPath[]> {
  const all = paths.map(({ found }) => ({ nodes: [...found], made: [] as ObjectId[] }));
  const deepest = Math.max(0, ...paths.map(({ names }) => names.length));
  const added: AddedNode[] = [];
  for (let at = 0; at < deepest; at += 1) {
    const going = paths.flatMap((path, nth) => {
      const of = all[nth];
      return of?.nodes.length === at && path.names.length > at ? [{ path, of }] : [];
    });
    if (going.length > 0) added.push(...(await extendLevel(ctx, going, at)));
  }
  await recordEach(
    ctx,
    "object.add",
    added.map(({ id, ...node }) => ({ subject: subjectOf(id), after: node })),
  );
  return all;
}

type AddedNode = HungNode & { readonly id: ObjectId };

interface Going {
  readonly path: NewPath;
  readonly of: { readonly nodes: ObjectId[]; readonly made: ObjectId[] };
}

/** Makes the missing nodes of one level, and counts them in those above. */
async function extendLevel(
  ctx: Pick<Ctx, "db" | "scope">,
  going: readonly Going[],
  at: number,
): Promise<AddedNode[]> {
  const parentOf = ({ of }: Going) => of.nodes.at(-1) ?? null;
  const keyOf = (each: Going) => store.keyOfChild({ parent: parentOf(each), key: each.path.keys[at] ?? "" });
  const first = new Map<string, Going>();
  for (const each of going) if (!first.has(keyOf(each))) first.set(keyOf(each), each);
  const nodes = [...first.values()].map((each) => nodeAt(each.path, at, parentOf(each)));
  const ids = await hangAll(ctx, nodes);
  const added = nodes.flatMap((node, nth) => (ids[nth] === undefined ? [] : [{ ...node, id: ids[nth] }]));
  await store.countBranches(
    ctx.db,
    added.flatMap(({ id, parent_id }) =>
      parent_id === null ? [] : [{ branch: id, parent: parent_id, sign: 1 as const }],
    ),
  );
  const idOf = new Map([...first.keys()].map((key, nth) => [key, added[nth]?.id]));
  for (const each of going) {
    const key = keyOf(each);
    const id = idOf.get(key);
    if (id === undefined) throw new Error("a node was added without an id");
    each.of.nodes.push(id);
    if (first.get(key) === each) each.of.made.push(id);
  }
  return added;
}

/** The node of a path at a level, 0 at the top. */
function nodeAt({ names, type, address }: NewPath, at: number, parent_id: ObjectId | null): HungNode {
  const isLast = at === names.length - 1;
  return { parent_id, name: names[at] ?? "", ...(isLast ? { type, address } : {}) };
}

/** Removes nodes that hold nothing but each other, with the counters above; the tree is locked. */
export async function dropNodes(ctx: Ctx, ids: readonly ObjectId[]): Promise<void> {
  const { db, scope } = ctx;
  const tops = await store.topsAmong(db, scope, ids);
  await store.countBranches(
    db,
    tops.flatMap(({ id, parent_id }) =>
      parent_id === null ? [] : [{ branch: id, parent: parent_id, sign: -1 as const }],
    ),
  );
  await store.deleteBranches(
    db,
    scope,
    tops.map(({ id }) => id),
  );
  await recordEach(
    ctx,
    "object.remove",
    tops.map(({ id, ...before }) => ({ subject: subjectOf(id), before })),
  );
}
