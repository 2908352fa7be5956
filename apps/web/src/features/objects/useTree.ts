import { objects } from "@metrum/contract/accounting";
import { useMemo, useState } from "react";
import { useCall } from "#lib/call";
import { rowsOf } from "#ui/tree";
import { nodeOf } from "./objects.ts";

const lasting = { isQuiet: true, keepsPrevious: true };
const everyMs = 60_000;

interface Asked {
  readonly search: string;
  /** Nodes by name, or in the order set by hand. */
  readonly sort: "asc" | "desc" | null;
  /** Opened from the start: the nodes above the one that is shown. */
  readonly opened?: readonly string[];
}

/**
 * The tree by parts: the top, and the levels of open nodes. A search opens the way to each hit; a top of one node is
 * open from the start.
 */
export function useTree({ search, sort, opened }: Asked) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const shared = { with_stats: true, with_descendants: false, ...(sort ? { sort } : {}) };
  const top = useCall(objects.buildTree, { body: shared }, { ...lasting, everyMs });
  const sole = top.data?.tree.length === 1 ? top.data.tree.map(({ _id }) => _id) : [];
  const shown = new Set([...open, ...(opened ?? []), ...sole].filter((id) => !closed.has(id)));
  const isOpen = (id: string) => !closed.has(id) && (search !== "" || shown.has(id));
  const parents = [...shown].sort();
  const levels = useCall(
    objects.buildTree,
    { body: { ...shared, parent_ids: parents.slice(0, 1000) } },
    { ...lasting, everyMs, isEnabled: parents.length > 0 },
  );
  const hits = useCall(
    objects.buildTree,
    { body: { ...shared, search_string: search } },
    { ...lasting, isEnabled: search !== "" },
  );
  const found = search === "" ? undefined : hits.data?.tree;
  const [tops, below] = [top.data?.tree, parents.length > 0 ? levels.data?.tree : undefined];
  const nodes = useMemo(
    () =>
      found
        ? found.map((object) => {
            const count = found.filter(({ parentId }) => parentId === object._id).length;
            return { ...nodeOf(object), childCount: count };
          })
        : [...new Map([...(tops ?? []), ...(below ?? [])].map((each) => [each._id, nodeOf(each)])).values()],
    [found, tops, below],
  );
  const change = (id: string, isOpened: boolean) => {
    setOpen((was) => new Set(isOpened ? [...was, id] : [...was].filter((each) => each !== id)));
    setClosed((was) => new Set(isOpened ? [...was].filter((each) => each !== id) : [...was, id]));
  };
  return {
    nodes,
    rows: rowsOf(nodes, isOpen),
    change,
    first: tops?.[0]?._id,
    count: tops?.reduce((sum, { nodes_below }) => sum + nodes_below + 1, 0),
    query: search === "" ? top : hits,
  };
}
