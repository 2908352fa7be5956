/** Values by MQTT topic filter, found by topic. Source of the rules: MQTT 3.1.1, 4.7. */
export interface TopicTree<Value> {
  add(filter: string, value: Value): void;
  remove(filter: string, value: Value): void;
  /**
   * Every value whose filter matches, once. Visits only nodes that lead to a match or share its first levels.
   */
  match(topic: string): ReadonlySet<Value>;
}

interface Node<Value> {
  readonly children: Map<string, Node<Value>>;
  readonly values: Set<Value>;
}

const newNode = <Value>(): Node<Value> => ({ children: new Map(), values: new Set() });

export function createTopicTree<Value>(): TopicTree<Value> {
  const root = newNode<Value>();
  const remove = (node: Node<Value>, levels: readonly string[], value: Value): void => {
    const [level, ...rest] = levels;
    if (level === undefined) {
      node.values.delete(value);
      return;
    }
    const child = node.children.get(level);
    if (!child) return;
    remove(child, rest, value);
    if (child.values.size === 0 && child.children.size === 0) node.children.delete(level);
  };
  return {
    add(filter, value) {
      let node = root;
      for (const level of filter.split("/")) {
        const next = node.children.get(level) ?? newNode<Value>();
        node.children.set(level, next);
        node = next;
      }
      node.values.add(value);
    },
    remove: (filter, value) => remove(root, filter.split("/"), value),
    match(topic) {
      const found = new Set<Value>();
      collect(root, topic.split("/"), { at: 0, found });
      return found;
    },
  };
}

interface Search<Value> {
  readonly at: number;
  readonly found: Set<Value>;
}

function collect<Value>(node: Node<Value>, levels: readonly string[], { at, found }: Search<Value>): void {
  // Topics of the broker itself begin with "$" and match no wildcard at the first level.
  const areWildcards = at > 0 || levels[0]?.startsWith("$") !== true;
  // "a/#" also matches "a".
  if (areWildcards) for (const value of node.children.get("#")?.values ?? []) found.add(value);
  const level = levels[at];
  if (level === undefined) {
    for (const value of node.values) found.add(value);
    return;
  }
  for (const name of areWildcards ? [level, "+"] : [level]) {
    const child = node.children.get(name);
    if (child) collect(child, levels, { at: at + 1, found });
  }
}
