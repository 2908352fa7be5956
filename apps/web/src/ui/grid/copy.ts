import type { SortValue } from "./sort.ts";

/** A value for a spreadsheet: full precision, no groups, decimal point, empty for missing values. */
export function plainText(value: SortValue): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return Number.isNaN(value) ? "" : String(value);
  return String(value).replaceAll(/[\t\r\n]+/g, " ");
}

/** Rows of cells as text that pastes into a spreadsheet. */
export function toTsv(rows: readonly (readonly SortValue[])[]): string {
  return rows.map((row) => row.map(plainText).join("\t")).join("\n");
}

export interface CellAt {
  readonly row: number;
  readonly column: number;
}

export interface CellRange {
  readonly anchor: CellAt;
  readonly focus: CellAt;
}

export function boundsOf({ anchor, focus }: CellRange) {
  return {
    top: Math.min(anchor.row, focus.row),
    bottom: Math.max(anchor.row, focus.row),
    left: Math.min(anchor.column, focus.column),
    right: Math.max(anchor.column, focus.column),
  };
}

/** Row of the cursor; the first one until the user has moved it. */
export function focusRowOf(range: CellRange | null): number {
  return range?.focus.row ?? 0;
}

/** Columns of one row within the range, as a string that compares by value; empty if none. */
export function rangeInRow(range: CellRange | null, row: number): string {
  if (!range) return "";
  const { top, bottom, left, right } = boundsOf(range);
  const isSingle = top === bottom && left === right;
  return isSingle || row < top || row > bottom ? "" : `${String(left)}-${String(right)}`;
}
