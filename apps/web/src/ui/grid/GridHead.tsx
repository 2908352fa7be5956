import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useTicks, type GridSelection } from "./selection.ts";
import { edgeClass, stickyAt, widthOf, type GridWidths } from "./table.ts";
import type { GridSort } from "./state.ts";
import type { GridColumn } from "./types.ts";

interface Props<Row extends object> {
  readonly columns: readonly GridColumn<Row>[];
  readonly widths: GridWidths;
  readonly selection: GridSelection;
  readonly sort: GridSort | null;
  readonly onSort: ((field: string) => void) | undefined;
  readonly hasSelection: boolean;
  readonly keys: readonly string[];
}

export function GridHead<Row extends object>(props: Props<Row>) {
  const { columns, widths, selection, sort, onSort, hasSelection, keys } = props;
  const sticky = stickyAt(columns);
  // The column that names the row takes what the others leave, until the user sets its width.
  const isFlexible = (at: number, id: string) =>
    hasSelection && at === sticky && widths.dragged[id] === undefined;
  return (
    <thead>
      <tr role="row">
        {hasSelection ? (
          <th className="grid-check" scope="col" role="columnheader">
            <SelectPage selection={selection} keys={keys} />
          </th>
        ) : null}
        {columns.map((column, at) => {
          const field = column.sortField;
          const isSorted = field !== undefined && sort?.field === field;
          return (
            <th
              key={column.id}
              scope="col"
              role="columnheader"
              className={edgeClass(column, at === sticky)}
              data-align={column.align}
              style={{ width: isFlexible(at, column.id) ? undefined : widthOf(widths, column) }}
              aria-sort={isSorted ? (sort.desc ? "descending" : "ascending") : undefined}
            >
              {field === undefined || !onSort ? (
                <span className="grid-title">{column.title}</span>
              ) : (
                <button type="button" className="grid-title" onClick={() => onSort(field)}>
                  {column.title}
                  <span className="grid-arrow" aria-hidden="true">
                    {isSorted ? (sort.desc ? "↓" : "↑") : ""}
                  </span>
                </button>
              )}
              <ResizeHandle column={column} widths={widths} />
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

/** The right edge of a head: dragged it sets the width, a double click gives back the first one. */
function ResizeHandle<Row extends object>(props: {
  readonly column: GridColumn<Row>;
  readonly widths: GridWidths;
}) {
  const { column, widths } = props;
  const { t } = useTranslation("grid");
  const from = useRef<number | null>(null);
  const end = () => {
    if (from.current === null) return;
    from.current = null;
    widths.settle();
  };
  return (
    <span
      className="grid-resize"
      role="separator"
      aria-orientation="vertical"
      aria-label={t("resize", { column: column.title })}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = event.clientX - widthOf(widths, column);
      }}
      onPointerMove={(event) => {
        if (from.current !== null) widths.drag(column, event.clientX - from.current);
      }}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={() => widths.reset(column.id)}
    />
  );
}

function SelectPage({ selection, keys }: Pick<Props<never>, "selection" | "keys">) {
  const { t } = useTranslation("grid");
  const count = useTicks(selection, (ticks) => keys.filter((key) => ticks[key] === true).length);
  return (
    <input
      type="checkbox"
      className="grid-box"
      aria-label={t("selectPage")}
      checked={count > 0 && count === keys.length}
      ref={(element) => {
        if (element) element.indeterminate = count > 0 && count < keys.length;
      }}
      onChange={() =>
        selection.set(
          count === keys.length ? {} : Object.fromEntries(keys.map((key) => [key, true as const])),
        )
      }
    />
  );
}
