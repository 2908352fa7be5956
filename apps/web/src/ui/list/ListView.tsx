import { useCallback, useMemo, type ReactNode } from "react";
import { ColumnChooser, Grid, isFiltered, shownColumns, useListProps, type GridBulk } from "#ui/grid";
import { FileButton } from "./file/FileButton.tsx";
import "./list.css";
import type { ListInUse } from "./useList.ts";
import { ViewsButton } from "./views/ViewsButton.tsx";

interface Props<Row extends object, Context> {
  readonly list: ListInUse<Row, Context>;
  /** Next to the filters. */
  readonly tools?: ReactNode;
  readonly bulk?: GridBulk | undefined;
  /** On a phone tapping a row ticks it instead of opening it. */
  readonly isChoosing?: boolean;
  /** Below the rows; an empty list has none. */
  readonly footNote?: ReactNode;
  /** Rows that every page has above its own; they count too. */
  readonly rowsAbove?: number;
  /** For a part of the list that is not chosen by filters: if empty, it offers no reset of filters. */
  readonly empty?: ReactNode;
  /** Rows that change by actions on this page are not withheld while the pointer is over the table. */
  readonly isImmediate?: boolean;
}

/** The bar of a list and its table. */
export function ListView<Row extends object, Context>(props: Props<Row, Context>) {
  const { list, tools, bulk, rowsAbove = 0 } = props;
  const { address, query, rows, total, columns, context, href, open, phone, expand } = list;
  const { state, change, remember } = address;
  const shown = useMemo(
    () => shownColumns(columns, list.hasChooser ? state.cols : null),
    [columns, list.hasChooser, state.cols],
  );
  const { paging, ...listProps } = useListProps(address, query, total);
  const onShown = (cols: readonly string[] | null) => {
    remember({ cols: cols ?? undefined });
    change({ cols, page: state.page });
  };
  const onOpen = useCallback(
    (row: Row, isNewTab: boolean) => {
      if (href === undefined) open?.(row, context);
      else if (isNewTab) window.open(href(row), "_blank", "noopener");
      else location.hash = href(row);
    },
    [href, open, context],
  );
  const phoneRow = useCallback((row: Row) => phone(row, context), [phone, context]);
  const expanded = useCallback((row: Row) => expand?.(row, context), [expand, context]);
  const chooser = list.hasChooser ? (
    <ColumnChooser columns={columns} shown={shown} onShown={onShown} />
  ) : null;
  return (
    <>
      <ListBar
        list={list}
        tools={tools}
        chooser={chooser}
        views={<ViewsButton list={list} shown={shown} />}
        file={<FileButton list={list} shown={shown} />}
      />
      <Grid
        label={list.label}
        columns={columns}
        shown={shown}
        {...listProps}
        {...(props.empty !== undefined && isWhole(list) ? { onResetFilters: undefined } : {})}
        {...(total === undefined ? {} : { paging: { ...paging, rowsAbove } })}
        rows={rows}
        rowKey={list.rowKey}
        {...(list.rowClass ? { rowClass: list.rowClass } : {})}
        empty={props.empty ?? list.empty}
        onOpen={onOpen}
        phoneRow={phoneRow}
        {...(href ? { phoneHref: href } : {})}
        {...(expand ? { expand: expanded } : {})}
        {...(bulk ? { bulk } : {})}
        isChoosing={props.isChoosing ?? false}
        footNote={rows.length > 0 ? props.footNote : undefined}
        {...(props.isImmediate ? { listKey: `${listProps.listKey} ${String(rows.length)}` } : {})}
      />
    </>
  );
}

/** Whether neither the search nor a filter of the bar is set. */
function isWhole({
  address: { state },
  addressed = [],
}: Pick<ListInUse<object, unknown>, "address" | "addressed">): boolean {
  return state.q === "" && Object.keys(state.filters).every((name) => addressed.includes(name));
}

interface BarProps<Row extends object, Context> {
  readonly list: ListInUse<Row, Context>;
  readonly tools: ReactNode;
  readonly chooser: ReactNode;
  readonly views: ReactNode;
  readonly file: ReactNode;
}

/** Filters, number of results, and additional elements of the page. */
function ListBar<Row extends object, Context>({ list, tools, chooser, views, file }: BarProps<Row, Context>) {
  const { filters = [], address, context, total, found, query } = list;
  const { state, change } = address;
  const put = useCallback(
    (id: string, values: readonly string[]) => {
      const rest = Object.entries(state.filters).filter(([name]) => name !== id);
      change({ filters: Object.fromEntries(values.length > 0 ? [...rest, [id, values]] : rest) });
    },
    [state.filters, change],
  );
  if (filters.length === 0 && !tools && !chooser && list.saved === undefined && list.key === undefined)
    return null;
  return (
    <div className={list.hasLabels ? "list-bar is-labelled" : "list-bar"}>
      {filters.map(({ ids, Draw }) => (
        <Draw key={ids.join()} {...{ state, change, put, context, total }} />
      ))}
      {views}
      {found === undefined ? null : (
        <span className="list-count" aria-live="polite">
          {query.data && isFiltered(state)
            ? context.t(found, { shown: context.number(total ?? 0, 0) })
            : null}
        </span>
      )}
      {tools}
      {chooser}
      {file}
    </div>
  );
}
