/** A node as a tree draws it. Children may not be loaded yet: `childCount` says that there are some. */
export interface TreeNode {
  readonly id: string;
  readonly parent: string | null;
  readonly title: string;
  readonly childCount: number;
}

export interface TreeRow<Node extends TreeNode> {
  readonly node: Node;
  /** 1 at the top. */
  readonly level: number;
  readonly isOpen: boolean;
  /** Its children are requested and not loaded yet. */
  readonly isLoading: boolean;
  /** Place among its neighbours, from 1. */
  readonly place: number;
  readonly neighbours: number;
}

/** The rows in sight: open nodes are followed by their children; nodes keep their order. */
export function rowsOf<Node extends TreeNode>(
  nodes: readonly Node[],
  isOpen: (id: string) => boolean,
): TreeRow<Node>[] {
  const known = new Set(nodes.map(({ id }) => id));
  const children = new Map<string | null, Node[]>();
  for (const node of nodes) {
    const parent = node.parent !== null && known.has(node.parent) ? node.parent : null;
    const level = children.get(parent);
    if (level) level.push(node);
    else children.set(parent, [node]);
  }
  const rows: TreeRow<Node>[] = [];
  const visit = (parent: string | null, level: number): void => {
    const list = children.get(parent) ?? [];
    for (const [at, node] of list.entries()) {
      const opened = node.childCount > 0 && isOpen(node.id);
      const isLoading = opened && !children.has(node.id);
      rows.push({ node, level, isOpen: opened, isLoading, place: at + 1, neighbours: list.length });
      if (opened) visit(node.id, level + 1);
    }
  };
  visit(null, 1);
  return rows;
}
