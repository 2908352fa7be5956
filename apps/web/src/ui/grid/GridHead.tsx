import { memo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { GridSelection } from "./selection.ts";
import { edgeClass, stickyAt, widthOf, type GridWidths } from "./table.ts";
import type { GridSort } from "./state.ts";
import { useStored } from "./store.ts";
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

function Heads<Row extends object>(props: Props<Row>) {
  const { columns, widths, selection, sort, onSort, hasSelection, keys } = props;
  const sticky = stickyAt(columns);
  // The column that names the row takes the remaining width, until the user sets one.
  const isFlexible = (at: number, id: string) =>
    hasSelection && at === sticky && widths.dragged[id] === undefined;
  const groups = groupsOf(columns);
  const isGrouped = groups.some(({ shared }) => shared !== undefined);
  const rowSpan = isGrouped ? 2 : undefined;
  const head = (column: GridColumn<Row>) => {
    const at = columns.indexOf(column);
    return (
      <Head
        key={column.id}
        {...{ column, widths, sort, onSort }}
        rowSpan={column.heading === undefined ? rowSpan : undefined}
        edge={edgeClass(column, at === sticky)}
      />
    );
  };
  return (
    <>
      <colgroup>
        {hasSelection ? <col className="grid-check" /> : null}
        {columns.map((column, at) => (
          <col
            key={column.id}
            style={{ width: isFlexible(at, column.id) ? undefined : widthOf(widths, column) }}
          />
        ))}
      </colgroup>
      <thead data-grouped={isGrouped ? "" : undefined}>
        <tr role="row">
          {hasSelection ? (
            <th className="grid-check" scope="col" role="columnheader" rowSpan={rowSpan}>
              <SelectPage selection={selection} keys={keys} />
            </th>
          ) : null}
          {groups.flatMap(({ shared, members }) =>
            shared === undefined ? (
              members.map(head)
            ) : (
              // Each head below has the whole title as its name, so this one is visual only.
              <th
                key={`${shared} ${members[0]?.id ?? ""}`}
                className="grid-group"
                colSpan={members.length}
                aria-hidden="true"
              >
                <span className="grid-title">{shared}</span>
              </th>
            ),
          )}
        </tr>
        {isGrouped ? (
          <tr role="row">{columns.filter(({ heading }) => heading !== undefined).map(head)}</tr>
        ) : null}
      </thead>
    </>
  );
}

/** The heads: a move of the cursor does not re-render them. */
export const GridHead = memo(Heads) as typeof Heads;

interface Group<Row> {
  readonly shared: string | undefined;
  readonly members: readonly GridColumn<Row>[];
}

/** Neighbours under one heading; each column without one forms its own group. */
function groupsOf<Row>(columns: readonly GridColumn<Row>[]): readonly Group<Row>[] {
  const groups: { shared: string | undefined; members: GridColumn<Row>[] }[] = [];
  for (const column of columns) {
    const shared = column.heading?.shared;
    const last = groups.at(-1);
    if (shared !== undefined && last?.shared === shared) last.members.push(column);
    else groups.push({ shared, members: [column] });
  }
  return groups;
}

interface HeadProps<Row extends object> extends Pick<Props<Row>, "widths" | "sort" | "onSort"> {
  readonly column: GridColumn<Row>;
  readonly rowSpan: number | undefined;
  readonly edge: string | undefined;
}

function Head<Row extends object>({ column, widths, sort, onSort, rowSpan, edge }: HeadProps<Row>) {
  const { sortField: field, heading } = column;
  const isSorted = field !== undefined && sort?.field === field;
  const words = heading?.own ?? column.title;
  return (
    <th
      scope="col"
      role="columnheader"
      rowSpan={rowSpan}
      className={edge}
      data-align={column.align}
      aria-label={heading === undefined ? undefined : column.title}
      aria-sort={isSorted ? (sort.desc ? "descending" : "ascending") : undefined}
    >
      {field === undefined || !onSort ? (
        <span className="grid-title">{words}</span>
      ) : (
        <button type="button" className="grid-title" onClick={() => onSort(field)}>
          {words}
          <span className="grid-arrow" aria-hidden="true">
            {isSorted ? (sort.desc ? "↓" : "↑") : ""}
          </span>
        </button>
      )}
      <ResizeHandle column={column} widths={widths} />
    </th>
  );
}

/** The right edge of a head: dragging sets the width, a double click resets it. */
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
  const count = useStored(selection, (ticks) => keys.filter((key) => ticks[key] === true).length);
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
