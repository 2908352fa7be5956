import { useEffect } from "react";
import type { GridSelection } from "./table.ts";

type Ticks = Record<string, true>;

/** The ticks of rows that are still listed; the very same object while none has left. */
export function keptTicks(ticks: Ticks, listed: ReadonlySet<string>): Ticks {
  const kept = Object.entries(ticks).filter(([key]) => listed.has(key));
  return kept.length === Object.keys(ticks).length ? ticks : Object.fromEntries(kept);
}

/**
 * Other rows in place of these clear the selection, and so does the end of ticking on a phone. A row that leaves by itself, as one
 * that a filter no longer fits or that somebody has removed, takes its tick with it: nothing is done to what is not seen.
 */
export function useSelectionOf<Row extends object>(of: {
  readonly selection: GridSelection<Row>;
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
