import type { ReactNode } from "react";
import type { SortValue } from "./sort.ts";

/** A column as data: title, place, how a cell looks and which raw value it stands for. */
export interface GridColumn<Row> {
  readonly id: string;
  readonly title: string;
  /** What the column shares with its neighbours, said once above them, and what is its own below; the title says both. */
  readonly heading?: { readonly shared: string; readonly own: string };
  readonly width: number;
  readonly align?: "left" | "right";
  /** Name the server (or the comparator) sorts by; without it the head is no button. */
  readonly sortField?: string;
  /** Can not be hidden: the column that names the row. */
  readonly isFixed?: boolean;
  /** Stays at the left edge; without one in sight it is the first column. */
  readonly isSticky?: boolean;
  /** Stays at the right edge, however many columns are between. */
  readonly isEnd?: boolean;
  /** Hidden until it is chosen. */
  readonly isOptional?: boolean;
  readonly cell: (row: Row) => ReactNode;
  /** What Ctrl+C takes; without it the column holds nothing to copy. */
  readonly value?: (row: Row) => SortValue;
}

export type GridStatus = "loading" | "ready" | "error";

/** Default width is the floor of the specification: wider than 100 px when dragged. */
export const columnMinimum = 101;
/** Select-all appears in the chooser from this many columns. */
export const chooserSelectAllFrom = 5;
/** Above this many rows only those on the screen are drawn. */
export const virtualFrom = 100;
