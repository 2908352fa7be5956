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
        minSize: Math.min(each.width, columnMinimum),
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
  return { table, visible };
}

/** Width of a column: what the user dragged, else what it asks for. */
export function widthOf<Row extends object>(table: GridTable<Row>, column: GridColumn<Row>): number {
  return table.state.columnSizing[column.id] ?? column.width;
}
