import { useEffect } from "react";
import type { GridStore } from "./store.ts";

export type Ticks = Readonly<Record<string, true>>;

/** The tick of all rows of the list, on every page. */
const everyRow = "*";

export const isTicked = (ticks: Ticks, key: string): boolean =>
  ticks[key] === true || ticks[everyRow] === true;

/** Keys of the ticked rows of the page, and whether all rows of the list are ticked. */
export function ticked(joined: string): { readonly keys: readonly string[]; readonly isWhole: boolean } {
  const all = joined.split(",");
  return { keys: all.filter((key) => key !== "" && key !== everyRow), isWhole: all.includes(everyRow) };
}

/** Ticks all rows of the list, or again only those that were ticked before. */
export function tickWhole(selection: GridSelection): void {
  const { [everyRow]: isWhole, ...own } = selection.get();
  selection.set(isWhole ? own : { ...own, [everyRow]: true });
}

/** Ticks that can be changed one by one: of a whole list the rows of the page. */
export function ownTicks(ticks: Ticks, page: readonly string[]): Ticks {
  return ticks[everyRow] ? Object.fromEntries(page.map((key) => [key, true])) : ticks;
}

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
    () => selection.set(keptTicks(selection.get(), new Set([everyRow, ...rows.map(rowKey)]))),
    [selection, rows, rowKey],
  );
}
