import { useCallback, useMemo, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import "./grid.css";
import "./gridFoot.css";
import type { CellAt } from "./copy.ts";
import { useGridCursor, type GridCursor } from "./cursor.ts";
import { useDrawnRows } from "./drawnRows.ts";
import { countOf, GridFooter, type GridBulk, type GridPaging } from "./GridFooter.tsx";
import { GridHead } from "./GridHead.tsx";
import { useHeldRows } from "./heldRows.ts";
import { GridRow, PhoneRow } from "./GridRow.tsx";
import { GridNote, Skeleton } from "./GridStates.tsx";
import { useSelectionOf, type GridSelection, type Ticks } from "./selection.ts";
import type { GridSort } from "./state.ts";
import { useStore } from "./store.ts";
import { useGridWidths, widthOf } from "./table.ts";
import { virtualFrom, type GridColumn, type GridStatus } from "./types.ts";
import { useIsPhone } from "./useIsPhone.ts";
import { useWideMark } from "./wide.ts";

export interface GridProps<Row extends object> {
  readonly label: string;
  readonly columns: readonly GridColumn<Row>[];
  /** Ids of the visible columns, in order. */
  readonly shown: readonly string[];
  readonly widths?: Readonly<Record<string, number>>;
  readonly onWidths?: (widths: Readonly<Record<string, number>>) => void;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly status: GridStatus;
  readonly isRefetching?: boolean;
  readonly error?: string | undefined;
  readonly onRetry?: () => void;
  readonly sort?: GridSort | null;
  readonly onSort?: (field: string) => void;
  /** Set while filters are on: an empty table then offers to reset them. */
  readonly onResetFilters?: (() => void) | undefined;
  readonly empty: ReactNode;
  readonly onOpen?: (row: Row, isNewTab: boolean) => void;
  readonly onHoverRow?: (row: Row | null) => void;
  readonly rowClass?: (row: Row) => string;
  /** A row spanning several columns: one cell over all columns after the first. */
  readonly spanning?: (row: Row) => ReactNode;
  readonly expand?: (row: Row) => ReactNode;
  readonly phoneRow: (row: Row) => ReactNode;
  readonly phoneHref?: (row: Row) => string;
  readonly paging?: GridPaging;
  /** Actions for the selected rows, replacing the footer. Without it rows cannot be selected. */
  readonly bulk?: GridBulk;
  /** On a phone tapping a row ticks it instead of opening it. */
  readonly isChoosing?: boolean;
  /** Changes whenever other rows are listed: the selection is then cleared. */
  readonly listKey?: string;
  readonly rowHeight?: number;
  readonly footNote?: ReactNode;
}

const noWidths = {};

/** Height of a row at the density of the user, from the style sheet. */
function rowHeight(): number {
  const height = Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue("--row"), 10);
  return Number.isNaN(height) ? 36 : height;
}

/** A phone has no head row, so an empty grid needs another role. */
function roleOf(is: {
  readonly isPhone: boolean;
  readonly rows: number;
  readonly isBusy: boolean;
  readonly expands: boolean;
  readonly count: number;
}) {
  if (is.isPhone && is.rows === 0 && !is.isBusy) return { role: "group" };
  return { role: is.expands ? "treegrid" : "grid", "aria-rowcount": is.count };
}

function withDefaults<Row extends object>(props: GridProps<Row>) {
  return {
    widths: props.widths ?? noWidths,
    listKey: props.listKey ?? "",
    sort: props.sort ?? null,
    isRefetching: props.isRefetching ?? false,
    rowHeight: props.rowHeight ?? rowHeight(),
    count: props.paging === undefined ? props.rows.length : countOf(props.paging),
    pageSize: props.paging?.size ?? 10,
  };
}

/** The only table component: sticky head and name, server paging, selection, keyboard, four states. */
export function Grid<Row extends object>(props: GridProps<Row>) {
  const { columns, shown, rowKey, status, onHoverRow } = props;
  const { widths, listKey, sort, isRefetching, rowHeight: rowPx, count, pageSize } = withDefaults(props);
  const held = useHeldRows({
    rows: props.rows,
    rowKey,
    listKey,
    isSettled: status === "ready" && !isRefetching,
  });
  const { rows } = held;
  const isPhone = useIsPhone();
  const scroller = useRef<HTMLDivElement>(null);
  useWideMark(scroller);
  const hasSelection = props.bulk !== undefined && (!isPhone || props.isChoosing === true);
  const sizes = useGridWidths(widths, props.onWidths);
  const selection = useStore<Ticks>({});
  const visible = useMemo(
    () => shown.flatMap((id) => columns.find((each) => each.id === id) ?? []),
    [columns, shown],
  );
  const height = isPhone ? 62 : rowPx;
  const drawn = useDrawnRows({
    count: rows.length,
    height,
    isVirtual: rows.length > virtualFrom && !props.expand,
    shown: shown.join(" "),
    scroller,
  });
  const cursor = useGridCursor({
    selection,
    visible,
    rows,
    rowKey,
    hasSelection,
    reveal: drawn.reveal,
    onOpen: props.onOpen,
  });
  useSelectionOf({ selection, rows: props.rows, rowKey, listKey, hasSelection });
  const keys = useMemo(() => rows.map(rowKey), [rows, rowKey]);
  const span = visible.length + (hasSelection ? 1 : 0);
  const total = visible.reduce((sum, each) => sum + widthOf(sizes, each), hasSelection ? 40 : 0);
  const isBusy = status === "loading" || isRefetching;
  return (
    <div className="grid" data-refetching={isRefetching ? "" : undefined}>
      <div
        className="grid-scroll"
        ref={scroller}
        {...roleOf({ isPhone, rows: rows.length, isBusy, expands: props.expand !== undefined, count })}
        aria-label={props.label}
        aria-busy={isBusy}
        onKeyDown={cursor.onKeyDown}
        onMouseLeave={onHoverRow ? () => onHoverRow(null) : undefined}
      >
        <table role="presentation" style={isPhone ? undefined : { minWidth: total }}>
          {isPhone ? null : (
            <GridHead
              columns={visible}
              widths={sizes}
              selection={selection}
              sort={sort}
              onSort={props.onSort}
              hasSelection={hasSelection}
              keys={keys}
            />
          )}
          <tbody onPointerEnter={held.onEnter} onPointerLeave={held.onLeave}>
            <Spacer height={drawn.before} />
            {status === "loading" ? (
              <Skeleton columns={isPhone ? 1 : span} height={height} rows={pageSize} />
            ) : (
              <Rows
                props={{ ...props, rows }}
                {...{ keys, visible, selection, cursor, isPhone, hasSelection }}
                indexes={drawn.indexes}
              />
            )}
            <Spacer height={drawn.after} />
          </tbody>
        </table>
      </div>
      {/* Outside the grid element, which may contain only rows. */}
      <Note {...props} />
      <NewRows count={held.waiting} onShow={held.show} />
      <GridFooter
        selection={selection}
        paging={props.paging}
        bulk={props.bulk}
        clear={cursor.clear}
        note={props.footNote}
      />
    </div>
  );
}

/** Rows withheld because a row is under the pointer. */
function NewRows({ count, onShow }: { readonly count: number; readonly onShow: () => void }) {
  const { t } = useTranslation("grid");
  if (count === 0) return null;
  return (
    <button type="button" className="grid-new" onClick={onShow}>
      {t("newRows", { count })}
    </button>
  );
}

interface RowsProps<Row extends object> {
  readonly props: GridProps<Row>;
  readonly keys: readonly string[];
  readonly indexes: readonly number[];
  readonly visible: readonly GridColumn<Row>[];
  readonly selection: GridSelection;
  readonly cursor: GridCursor;
  readonly isPhone: boolean;
  readonly hasSelection: boolean;
}

/** Rows on a phone have no cells for the cursor. */
const noCell = () => undefined;

function Rows<Row extends object>(rows: RowsProps<Row>) {
  const { props, keys, indexes, visible, selection, cursor, isPhone, hasSelection } = rows;
  const { t } = useTranslation("grid");
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(() => new Set());
  const onExpand = useCallback((key: string) => {
    setExpanded((old) => new Set(old.has(key) ? [...old].filter((each) => each !== key) : [...old, key]));
  }, []);
  const { phoneRow } = props;
  // On a phone the two lines are the only column.
  const phoneColumns = useMemo(() => [{ id: "", title: "", width: 0, cell: phoneRow }], [phoneRow]);
  const { range, onSelect } = cursor;
  const selectLabel = t("selectRow");
  const onTouch = useCallback(({ row }: CellAt) => onSelect(row, false), [onSelect]);
  return indexes.map((index) => {
    const row = props.rows[index];
    const key = keys[index];
    if (row === undefined || key === undefined) return null;
    const shared = { row, index, range, rowClass: props.rowClass };
    return isPhone && !hasSelection && !props.expand ? (
      <PhoneRow key={key} {...shared} href={props.phoneHref} content={phoneRow} />
    ) : (
      <GridRow
        key={key}
        {...shared}
        rowId={key}
        selection={selection}
        columns={isPhone ? phoneColumns : visible}
        isExpanded={expanded.has(key)}
        hasSelection={hasSelection}
        selectLabel={selectLabel}
        spanning={props.spanning}
        expand={isPhone && hasSelection ? undefined : props.expand}
        onCell={isPhone ? (hasSelection ? onTouch : noCell) : cursor.onCell}
        onSelect={onSelect}
        onExpand={onExpand}
        onOpen={props.onOpen}
        onHoverRow={props.onHoverRow}
      />
    );
  });
}

/** Space of the rows that are not rendered. */
function Spacer({ height }: { readonly height: number }) {
  return height > 0 ? <tr aria-hidden="true" style={{ height }} /> : null;
}

/** Replacement for the rows when there are none. */
function Note<Row extends object>(props: GridProps<Row>) {
  const { t } = useTranslation("grid");
  if (props.status === "error" && props.rows.length === 0)
    return (
      <GridNote
        kind="error"
        text={t("error")}
        detail={props.error}
        action={props.onRetry}
        actionText={t("retry")}
      />
    );
  if (props.status !== "ready" || props.rows.length > 0) return null;
  return props.onResetFilters ? (
    <GridNote
      kind="filtered"
      text={t("nothing")}
      action={props.onResetFilters}
      actionText={t("resetFilter")}
    />
  ) : (
    <div className="grid-note">{props.empty}</div>
  );
}
