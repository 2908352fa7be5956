import { useMemo, type ReactNode } from "react";
import { Grid, shownColumns, useListProps, type GridColumn, type ListState } from "#ui/grid";

interface Props<Row> {
  readonly list: ListState;
  readonly label: string;
  readonly columns: readonly GridColumn<Row>[];
  readonly rows: readonly Row[] | undefined;
  readonly total: number | undefined;
  readonly query: Parameters<typeof useListProps>[1];
  readonly rowKey: (row: Row) => string;
  readonly rowClass?: (row: Row) => string;
  readonly phoneRow: (row: Row) => ReactNode;
  readonly empty: string;
}

/** A table of the administration over a paged call: states, sorting and paging by the address. */
export function ListGrid<Row extends object>(props: Props<Row>) {
  const { list, columns, rows, query } = props;
  const shown = useMemo(() => shownColumns(columns, null), [columns]);
  return (
    <Grid
      label={props.label}
      columns={columns}
      shown={shown}
      {...useListProps(list, query, props.total)}
      rows={rows ?? []}
      rowKey={props.rowKey}
      {...(props.rowClass ? { rowClass: props.rowClass } : {})}
      empty={props.empty}
      phoneRow={props.phoneRow}
    />
  );
}
