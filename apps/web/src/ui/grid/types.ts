import type { ReactNode } from "react";
import type { SortValue } from "./sort.ts";

/** A column as data: title, position, cell and raw value. */
export interface GridColumn<Row> {
  readonly id: string;
  readonly title: string;
  /** Words shared with its neighbours, shown once above them, and its own below; the title has both. */
  readonly heading?: { readonly shared: string; readonly own: string };
  readonly width: number;
  readonly align?: "left" | "right";
  /** Name the server (or the comparator) sorts by; without it the head is no button. */
  readonly sortField?: string;
  /** Cannot be hidden: the column that names the row. */
  readonly isFixed?: boolean;
  /** Pinned at the left edge; without a visible one it is the first column. */
  readonly isSticky?: boolean;
  /** Pinned at the right edge, however many columns are between. */
  readonly isEnd?: boolean;
  /** Hidden by default. */
  readonly isOptional?: boolean;
  readonly cell: (row: Row) => ReactNode;
  /** Value for Ctrl+C; without it the column cannot be copied. */
  readonly value?: (row: Row) => SortValue;
}

export type GridStatus = "loading" | "ready" | "error";

/** The default width is the minimum of the specification: wider than 100 px when dragged. */
export const columnMinimum = 101;
/** Select-all appears in the chooser from this many columns. */
export const chooserSelectAllFrom = 5;
/** Above this number only visible rows are rendered: 100 rows of a list are 5,800 boxes to lay out and layer. */
export const virtualFrom = 50;
