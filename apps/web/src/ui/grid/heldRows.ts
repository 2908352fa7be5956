import { useMemo, useRef, useState } from "react";

interface Held<Row> {
  readonly listKey: string;
  readonly rows: readonly Row[];
}

/**
 * The rows to draw while a person points at one: the same ones in the same places, each with its newest values. Rows that came since
 * wait and are counted. Without `held` everything is drawn as it comes.
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

/** Live rows never move what is under the pointer: they wait until it leaves or until they are asked for. */
export function useHeldRows<Row>(of: {
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly listKey: string;
  /** While the answer to another question is on its way nothing is held: what comes is what was asked for. */
  readonly isSettled: boolean;
}) {
  const { rows: fresh, rowKey, listKey, isSettled } = of;
  const [isOver, setOver] = useState(false);
  const [shownAt, setShownAt] = useState(0);
  const held = useRef<(Held<Row> & { readonly shownAt: number }) | null>(null);
  const isSame = held.current?.listKey === listKey && held.current.shownAt === shownAt;
  if (!isOver || !isSettled) held.current = null;
  else if (!isSame) held.current = { listKey, rows: fresh, shownAt };
  const kept = held.current?.rows ?? null;
  const drawn = useMemo(() => holdRows(fresh, kept, rowKey), [fresh, kept, rowKey]);
  return {
    ...drawn,
    onEnter: () => setOver(true),
    onLeave: () => setOver(false),
    show: () => setShownAt(shownAt + 1),
  };
}
