import {
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSelectionFeature,
  tableFeatures,
  useTable,
  type ReactTable,
} from "@tanstack/react-table";
import { useEffect, useMemo, useRef } from "react";
import { columnMinimum, type GridColumn } from "./types.ts";

const features = tableFeatures({
  columnOrderingFeature,
  columnVisibilityFeature,
  columnSizingFeature,
  columnResizingFeature,
  rowSelectionFeature,
});

type Widths = Readonly<Record<string, number>>;
interface Shown {
  readonly columnSizing: Widths;
  readonly isResizing: boolean;
}
export type GridTable<Row extends object> = ReactTable<typeof features, Row, Shown>;

/** Which rows are chosen, by key: to listen to and to change. The same object as long as the table lives. */
export interface GridSelection<Row extends object> {
  readonly Subscribe: GridTable<Row>["Subscribe"];
  readonly source: GridTable<Row>["atoms"]["rowSelection"];
  readonly set: GridTable<Row>["setRowSelection"];
}

interface Settings<Row extends object> {
  readonly columns: readonly GridColumn<Row>[];
  readonly shown: readonly string[];
  readonly widths: Widths;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly onWidths: ((widths: Widths) => void) | undefined;
}

/**
 * Columns (order, visibility, width) and the selection live in TanStack Table. The selection is no part of what this hook
 * subscribes to: each row listens to its own key, so ticking one repaints one.
 */
export function useGridTable<Row extends object>(settings: Settings<Row>) {
  const { columns, shown, widths, rows, rowKey, onWidths } = settings;
  const definitions = useMemo(
    () =>
      columns.map((each) => ({
        id: each.id,
        size: each.width,
        minSize: leastWidth(each),
      })),
    [columns],
  );
  const state = useMemo(
    () => ({
      columnVisibility: Object.fromEntries(columns.map((each) => [each.id, shown.includes(each.id)])),
      columnOrder: [...shown],
    }),
    [columns, shown],
  );
  const table: GridTable<Row> = useTable(
    {
      features,
      columns: definitions,
      data: rows,
      getRowId: rowKey,
      initialState: { columnSizing: { ...widths } },
      state,
      columnResizeMode: "onChange",
    },
    (all): Shown => ({
      columnSizing: all.columnSizing,
      isResizing: all.columnResizing.isResizingColumn !== false,
    }),
  );
  const { columnSizing, isResizing } = table.state;
  const saved = useRef(columnSizing);
  useEffect(() => {
    if (isResizing || saved.current === columnSizing) return;
    saved.current = columnSizing;
    onWidths?.(columnSizing);
  }, [columnSizing, isResizing, onWidths]);
  const visible = useMemo(
    () => shown.flatMap((id) => columns.find((each) => each.id === id) ?? []),
    [columns, shown],
  );
  // The table itself is a new object at each render; what rows listen to is not.
  const { Subscribe, setRowSelection } = table;
  const source = table.atoms.rowSelection;
  const selection = useMemo(
    (): GridSelection<Row> => ({ Subscribe, source, set: setRowSelection }),
    [Subscribe, source, setRowSelection],
  );
  return { table, visible, selection };
}

/** Place of the column that stays at the left edge. */
export function stickyAt(columns: readonly { readonly isSticky?: boolean }[]): number {
  return Math.max(
    0,
    columns.findIndex((column) => column.isSticky === true),
  );
}

/** How a column keeps its edge while the others scroll. */
export function edgeClass(column: { readonly isEnd?: boolean }, isSticky: boolean): string | undefined {
  if (isSticky) return "is-sticky";
  return column.isEnd === true ? "is-end" : undefined;
}

/** A column that asks for less than the floor has its own. */
const leastWidth = ({ width }: { readonly width: number }): number => Math.min(width, columnMinimum);

/** Width of a column: what the user dragged, else what it asks for. What was dragged knows no floor by itself. */
export function widthOf<Row extends object>(table: GridTable<Row>, column: GridColumn<Row>): number {
  return Math.max(leastWidth(column), table.state.columnSizing[column.id] ?? column.width);
}
