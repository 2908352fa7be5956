import { useCallback, useMemo, useRef, useState } from "react";
import { columnMinimum, type GridColumn } from "./types.ts";

type Sizes = Readonly<Record<string, number>>;

/** Widths set by the user; others have the default of their column. */
export interface GridWidths {
  readonly dragged: Sizes;
  readonly drag: (column: Pick<GridColumn<never>, "id" | "width">, width: number) => void;
  readonly reset: (id: string) => void;
  /** A drag has ended: the width is stored. */
  readonly settle: () => void;
}

/** A drag is rendered at once and reported when it ends. */
export function useGridWidths(widths: Sizes, onWidths: ((widths: Sizes) => void) | undefined): GridWidths {
  const [dragged, setDragged] = useState(widths);
  const current = useRef(dragged);
  const saved = useRef(dragged);
  const change = useCallback((next: Sizes) => {
    current.current = next;
    setDragged(next);
  }, []);
  const settle = useCallback(() => {
    if (saved.current === current.current) return;
    saved.current = current.current;
    onWidths?.(current.current);
  }, [onWidths]);
  return useMemo(
    () => ({
      dragged,
      drag: ({ id, width }, to) =>
        change({ ...current.current, [id]: Math.max(leastWidth(width), Math.round(to)) }),
      reset: (id) => {
        change(Object.fromEntries(Object.entries(current.current).filter(([name]) => name !== id)));
        settle();
      },
      settle,
    }),
    [dragged, change, settle],
  );
}

/** A column whose default is below the minimum keeps its own. */
const leastWidth = (width: number): number => Math.min(width, columnMinimum);

/** Width of a column: set by the user, else its default. A stored width has no minimum. */
export function widthOf<Row>({ dragged }: Pick<GridWidths, "dragged">, column: GridColumn<Row>): number {
  return Math.max(leastWidth(column.width), dragged[column.id] ?? column.width);
}

/** Index of the column pinned at the left edge. */
export function stickyAt(columns: readonly { readonly isSticky?: boolean }[]): number {
  return Math.max(
    0,
    columns.findIndex((column) => column.isSticky === true),
  );
}

/** Style that pins a column while the others scroll. */
export function edgeClass(column: { readonly isEnd?: boolean }, isSticky: boolean): string | undefined {
  if (isSticky) return "is-sticky";
  return column.isEnd === true ? "is-end" : undefined;
}
