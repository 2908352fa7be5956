import type { TreeNode } from "./rows.ts";

export type CheckState = "all" | "some" | "none";

type Nodes = readonly Pick<TreeNode, "id" | "parent">[];

/**
 * Checked branches by their top nodes: everything below is checked too, loaded or not. No node of the set is
 * below another one.
 */
export type Checked = ReadonlySet<string>;

const parentsIn = (nodes: Nodes): ReadonlyMap<string, string | null> =>
  new Map(nodes.map(({ id, parent }) => [id, parent]));

function wayUp(id: string, parents: ReadonlyMap<string, string | null>): string[] {
  const way: string[] = [];
  for (let at: string | null = id; at !== null; at = parents.get(at) ?? null) way.push(at);
  return way;
}

/** Nodes above a checked one are partly checked. */
export function checkStates(checked: Checked, nodes: Nodes): (id: string) => CheckState {
  const parents = parentsIn(nodes);
  const partly = new Set([...checked].flatMap((id) => wayUp(id, parents).slice(1)));
  return (id) =>
    wayUp(id, parents).some((each) => checked.has(each)) ? "all" : partly.has(id) ? "some" : "none";
}

/**
 * Checks a node with everything below, or unchecks it. Of a checked branch that loses a node its other parts
 * stay checked.
 */
export function toggleCheck(checked: Checked, id: string, nodes: Nodes): Checked {
  const parents = parentsIn(nodes);
  const way = wayUp(id, parents);
  const top = way.find((each) => checked.has(each));
  if (top === undefined) {
    const kept = [...checked].filter((each) => !wayUp(each, parents).includes(id));
    return new Set([...kept, id]);
  }
  const next = new Set(checked);
  next.delete(top);
  const inside = way.slice(0, way.indexOf(top));
  for (const each of inside)
    for (const node of nodes)
      if (node.parent === parents.get(each) && !inside.includes(node.id)) next.add(node.id);
  return next;
}
