import { useCallback, useLayoutEffect, useRef, type KeyboardEvent } from "react";
import { boundsOf, toTsv, type CellAt, type CellRange } from "./copy.ts";
import { actionOf, type GridAction } from "./keys.ts";
import { isTicked, ownTicks, type GridSelection } from "./selection.ts";
import { useStore, type GridStore } from "./store.ts";
import type { GridColumn } from "./types.ts";

interface Settings<Row extends object> {
  readonly selection: GridSelection;
  readonly visible: readonly GridColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly hasSelection: boolean;
  readonly reveal: (index: number) => void;
  readonly onOpen: ((row: Row, isNewTab: boolean) => void) | undefined;
}

/** Without the row type: nothing in it depends on it. */
export interface GridCursor {
  /** A store, so that a move re-renders the row that is left and the row that is entered, and nothing else. */
  readonly range: GridStore<CellRange | null>;
  readonly clear: () => void;
  readonly onCell: (at: CellAt, isRange: boolean) => void;
  readonly onSelect: (index: number, isRange: boolean) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * Ticks a row, or with Shift all from the previously ticked one; a stable function, so that no row re-renders
 * for it.
 */
function useTicking<Row extends object>(
  selection: GridSelection,
  rows: readonly Row[],
  rowKey: (row: Row) => string,
) {
  const lastTicked = useRef(0);
  const listed = useRef({ rows, rowKey });
  useLayoutEffect(() => {
    listed.current = { rows, rowKey };
  });
  return useCallback(
    (index: number, isRange: boolean) => {
      const { current } = listed;
      const from = isRange ? lastTicked.current : index;
      const some = current.rows.slice(Math.min(from, index), Math.max(from, index) + 1);
      const keys = some.map((row) => current.rowKey(row));
      lastTicked.current = index;
      const old = ownTicks(selection.get(), current.rows.map(current.rowKey));
      const isOff = !isRange && keys.every((key) => old[key] === true);
      const rest = Object.entries(old).filter(([key]) => !isOff || !keys.includes(key));
      selection.set(Object.fromEntries(isOff ? rest : [...rest, ...keys.map((key) => [key, true] as const)]));
    },
    [selection],
  );
}

/** Keyboard control of a table: focused cell, selected range, ticking with Shift, copying. */
export function useGridCursor<Row extends object>(settings: Settings<Row>): GridCursor {
  const { selection, visible, rows, rowKey, hasSelection, reveal, onOpen } = settings;
  const range = useStore<CellRange | null>(null);
  const focusOf = () => range.get()?.focus ?? { row: 0, column: 0 };

  const clear = useCallback(() => selection.set({}), [selection]);
  const onCell = useCallback(
    (at: CellAt, isRange: boolean) =>
      range.set({ anchor: (isRange ? range.get()?.anchor : undefined) ?? at, focus: at }),
    [range],
  );
  const onSelect = useTicking(selection, rows, rowKey);

  const move = (at: CellAt, isRange: boolean) => {
    const row = Math.min(Math.max(at.row, 0), rows.length - 1);
    onCell({ row, column: Math.min(Math.max(at.column, 0), visible.length - 1) }, isRange);
    reveal(row);
  };
  const copy = () => {
    // Selected text takes precedence.
    if (String(getSelection()) !== "") return;
    const ticked = selection.get();
    const focus = focusOf();
    const { top, bottom, left, right } = boundsOf(range.get() ?? { anchor: focus, focus });
    const cellsOf = (from: readonly Row[], of: readonly GridColumn<Row>[]) =>
      from.map((row) => of.map((column) => column.value?.(row)));
    const areTicked = top === bottom && left === right && Object.keys(ticked).length > 0;
    const text = areTicked
      ? toTsv([
          visible.map((column) => column.title),
          ...cellsOf(
            rows.filter((row) => isTicked(ticked, rowKey(row))),
            visible,
          ),
        ])
      : toTsv(cellsOf(rows.slice(top, bottom + 1), visible.slice(left, right + 1)));
    void navigator.clipboard.writeText(text);
  };
  const run = (action: NonNullable<GridAction>, row: Row, isShift: boolean) => {
    const focus = focusOf();
    switch (action.kind) {
      case "move":
        move({ row: focus.row + action.rows, column: focus.column + action.columns }, action.isRange);
        break;
      case "edge":
        move({ row: action.to === "first" ? 0 : rows.length - 1, column: focus.column }, isShift);
        break;
      case "select":
        if (hasSelection) onSelect(focus.row, action.isRange);
        break;
      case "open":
        onOpen?.(row, action.isNewTab);
        break;
      case "copy":
        copy();
        break;
      case "escape":
        clear();
        range.set(null);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event;
    if (target instanceof HTMLInputElement && target.type !== "checkbox") return;
    const action = actionOf(event);
    const row = rows[focusOf().row];
    if (!action || !row) return;
    const isOnControl = target instanceof HTMLElement && target.closest("button, a, input, select") !== null;
    if (isOnControl && (action.kind === "open" || action.kind === "select")) return;
    if (action.kind !== "copy") event.preventDefault();
    run(action, row, event.shiftKey);
  };
  return { range, clear, onCell, onSelect, onKeyDown };
}
