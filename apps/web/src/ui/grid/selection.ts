import { useEffect } from "react";
import type { GridStore } from "./store.ts";

export type Ticks = Readonly<Record<string, true>>;

/** Selected rows, by key. */
export type GridSelection = GridStore<Ticks>;

/** The ticks of rows that are still listed; the same object if none has left. */
export function keptTicks(ticks: Ticks, listed: ReadonlySet<string>): Ticks {
  const kept = Object.entries(ticks).filter(([key]) => listed.has(key));
  return kept.length === Object.keys(ticks).length ? ticks : Object.fromEntries(kept);
}

/**
 * Listing other rows clears the selection, and so does the end of ticking on a phone. A row that disappears,
 * because a filter no longer matches or another user has removed it, loses its tick: actions apply to visible
 * rows only.
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
    () => selection.set(keptTicks(selection.get(), new Set(rows.map(rowKey)))),
    [selection, rows, rowKey],
  );
}
