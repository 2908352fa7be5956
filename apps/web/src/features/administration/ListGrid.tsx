import { useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, type ApiError } from "#lib/call";
import { Grid, isFiltered, nextSort, shownColumns, sortText, type GridColumn } from "#ui/grid";
import type { ListState } from "./useListState.ts";

interface Props<Row> {
  readonly list: ListState;
  readonly label: string;
  readonly columns: readonly GridColumn<Row>[];
  readonly rows: readonly Row[] | undefined;
  readonly total: number | undefined;
  readonly query: {
    readonly isPending: boolean;
    readonly isPlaceholderData: boolean;
    readonly error: ApiError | null;
    readonly refetch: () => Promise<unknown>;
  };
  readonly rowKey: (row: Row) => string;
  readonly rowClass?: (row: Row) => string;
  readonly phoneRow: (row: Row) => ReactNode;
  readonly empty: string;
}

/** A table of the administration over a paged call: states, sorting and paging by the address. */
export function ListGrid<Row extends object>(props: Props<Row>) {
  const { list, columns, rows, query } = props;
  const { state, memory, change, remember } = list;
  const { t } = useTranslation("common");
  const shown = useMemo(() => shownColumns(columns, null), [columns]);
  return (
    <Grid
      label={props.label}
      columns={columns}
      shown={shown}
      {...(memory.widths ? { widths: memory.widths } : {})}
      onWidths={(widths) => remember({ widths })}
      rows={rows ?? []}
      rowKey={props.rowKey}
      {...(props.rowClass ? { rowClass: props.rowClass } : {})}
      status={query.isPending ? "loading" : query.error && !rows ? "error" : "ready"}
      isRefetching={query.isPlaceholderData}
      error={reasonOf(query.error, t("error.offline"))}
      onRetry={() => void query.refetch()}
      sort={state.sort}
      onSort={(field) => {
        const sort = nextSort(state.sort, field);
        remember({ sort: sortText(sort) });
        change({ sort });
      }}
      onResetFilters={isFiltered(state) ? () => change({ q: "", filters: {} }) : undefined}
      empty={props.empty}
      phoneRow={props.phoneRow}
      listKey={JSON.stringify([state.q, state.sort, state.page, state.size, state.filters])}
      paging={{
        page: state.page,
        size: state.size,
        total: props.total ?? 0,
        onPage: (page) => change({ page }, false),
        onSize: (size) => {
          remember({ size });
          change({ size });
        },
      }}
    />
  );
}
