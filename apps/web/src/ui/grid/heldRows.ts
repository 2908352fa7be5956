import { useLayoutEffect, useMemo, useRef, useState } from "react";

interface Held<Row> {
  readonly listKey: string;
  readonly rows: readonly Row[];
  readonly shownAt: number;
}

/**
 * The rows to render while the user points at one: the same ones at the same positions, each with its newest
 * values. Newly arrived rows are withheld and counted. Without `held` everything is rendered as it arrives.
 */
export function holdRows<Row>(
  fresh: readonly Row[],
  held: readonly Row[] | null,
  rowKey: (row: Row) => string,
): { readonly rows: readonly Row[]; readonly waiting: number } {
  if (held === null || held === fresh) return { rows: fresh, waiting: 0 };
  const newest = new Map(fresh.map((row) => [rowKey(row), row]));
  const rows = held.map((row) => newest.get(rowKey(row)) ?? row);
  const known = new Set(held.map(rowKey));
  const waiting = fresh.reduce((count, row) => count + (known.has(rowKey(row)) ? 0 : 1), 0);
  return { rows, waiting };
}

/**
 * Live rows never move the row under the pointer: they are withheld until it leaves or the user requests
 * them.
 */
export function useHeldRows<Row>(of: {
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly listKey: string;
  /** While another query is loading nothing is withheld: the user has requested it. */
  readonly isSettled: boolean;
}) {
  const { rows: fresh, rowKey, listKey, isSettled } = of;
  const [shownAt, setShownAt] = useState(0);
  const [, setLeftAt] = useState(0);
  // Refs: entering and leaving re-render nothing unless other rows have come meanwhile.
  const isOver = useRef(false);
  const held = useRef<Held<Row> | null>(null);
  const latest = { listKey, rows: fresh, shownAt };
  const isHeld =
    isOver.current && isSettled && held.current?.listKey === listKey && held.current.shownAt === shownAt;
  const kept = isHeld ? (held.current?.rows ?? null) : null;
  useLayoutEffect(() => {
    if (!isOver.current || !isSettled) held.current = null;
    else if (!isHeld) held.current = latest;
  });
  const drawn = useMemo(() => holdRows(fresh, kept, rowKey), [fresh, kept, rowKey]);
  return {
    ...drawn,
    onEnter: () => {
      isOver.current = true;
      if (isSettled) held.current = latest;
    },
    onLeave: () => {
      isOver.current = false;
      if (held.current !== null && held.current.rows !== fresh) setLeftAt((count) => count + 1);
    },
    show: () => setShownAt(shownAt + 1),
  };
}
