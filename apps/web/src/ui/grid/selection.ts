import { useEffect, useState, useSyncExternalStore } from "react";

export type Ticks = Readonly<Record<string, true>>;

/** Store of selected rows, by key. The same object for the lifetime of the table. */
export interface GridSelection {
  readonly get: () => Ticks;
  readonly set: (next: Ticks | ((old: Ticks) => Ticks)) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

function makeSelection(): GridSelection {
  let ticks: Ticks = {};
  const listeners = new Set<() => void>();
  return {
    get: () => ticks,
    set: (next) => {
      const old = ticks;
      ticks = typeof next === "function" ? next(old) : next;
      if (ticks !== old) for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useSelection(): GridSelection {
  const [selection] = useState(makeSelection);
  return selection;
}

/** A value derived from the ticks; only components whose value changes re-render. */
export function useTicks<Value extends string | number | boolean>(
  selection: GridSelection,
  read: (ticks: Ticks) => Value,
): Value {
  return useSyncExternalStore(selection.subscribe, () => read(selection.get()));
}

/** The ticks of rows that are still listed; the same object if none has left. */
export function keptTicks(ticks: Ticks, listed: ReadonlySet<string>): Ticks {
  const kept = Object.entries(ticks).filter(([key]) => listed.has(key));
  return kept.length === Object.keys(ticks).length ? ticks : Object.fromEntries(kept);
}

/**
 * Listing other rows clears the selection, and so does the end of ticking on a phone. A row that leaves by
 * itself, because a filter no longer matches or another user has removed it, loses its tick: actions apply to
 * visible rows only.
 */
export function useSelectionOf<Row extends object>(of: {
  readonly selection: GridSelection;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly listKey: string;
  readonly hasSelection: boolean;
}): void {
  const { selection, rows, rowKey, listKey, hasSelection } = of;
  useEffect(() => selection.set({}), [selection, listKey, hasSelection]);
  useEffect(
    () => selection.set((old) => keptTicks(old, new Set(rows.map(rowKey)))),
    [selection, rows, rowKey],
  );
}
