import { useTranslation } from "react-i18next";
import { edgeClass, stickyAt, widthOf, type GridSelection, type GridTable } from "./table.ts";
import type { GridSort } from "./state.ts";
import type { GridColumn } from "./types.ts";

interface Props<Row extends object> {
  readonly columns: readonly GridColumn<Row>[];
  readonly table: GridTable<Row>;
  readonly selection: GridSelection<Row>;
  readonly sort: GridSort | null;
  readonly onSort: ((field: string) => void) | undefined;
  readonly hasSelection: boolean;
  readonly keys: readonly string[];
}

export function GridHead<Row extends object>(props: Props<Row>) {
  const { columns, table, selection, sort, onSort, hasSelection, keys } = props;
  const { t } = useTranslation("grid");
  const sticky = stickyAt(columns);
  // The column that names the row takes what the others leave, until the user sets its width.
  const isFlexible = (at: number, id: string) =>
    hasSelection && at === sticky && table.state.columnSizing[id] === undefined;
  const headers = table.getHeaderGroups()[0]?.headers ?? [];
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
          const header = headers.find((each) => each.column.id === column.id);
          const resize = header?.getResizeHandler();
          return (
            <th
              key={column.id}
              scope="col"
              role="columnheader"
              className={edgeClass(column, at === sticky)}
              data-align={column.align}
              style={{ width: isFlexible(at, column.id) ? undefined : widthOf(table, column) }}
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
              {resize ? (
                <span
                  className="grid-resize"
                  role="separator"
                  aria-orientation="vertical"
                  aria-label={t("resize", { column: column.title })}
                  onMouseDown={resize}
                  onTouchStart={resize}
                  onDoubleClick={() => header?.column.resetSize()}
                />
              ) : null}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

function SelectPage<Row extends object>({ selection, keys }: Pick<Props<Row>, "selection" | "keys">) {
  const { t } = useTranslation("grid");
  return (
    <selection.Subscribe
      source={selection.source}
      selector={(chosen) => keys.filter((key) => chosen[key] === true).length}
    >
      {(count) => (
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
      )}
    </selection.Subscribe>
  );
}
