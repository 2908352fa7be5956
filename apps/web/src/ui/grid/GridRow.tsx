import { memo, type MouseEvent, type ReactNode } from "react";
import { focusRowOf, rangeInRow, type CellAt, type CellRange } from "./copy.ts";
import { isTicked, type GridSelection } from "./selection.ts";
import { useStored, type GridStore } from "./store.ts";
import { edgeClass, stickyAt } from "./table.ts";
import type { GridColumn } from "./types.ts";

export interface GridRowProps<Row extends object> {
  readonly row: Row;
  readonly rowId: string;
  readonly index: number;
  readonly selection: GridSelection;
  readonly columns: readonly GridColumn<Row>[];
  readonly range: GridStore<CellRange | null>;
  readonly isExpanded: boolean;
  readonly hasSelection: boolean;
  /** Name of the checkbox: one text for all rows, instead of a look-up in each. */
  readonly selectLabel: string;
  readonly rowClass: ((row: Row) => string) | undefined;
  readonly spanning: ((row: Row) => ReactNode) | undefined;
  readonly expand: ((row: Row) => ReactNode) | undefined;
  readonly onCell: (at: CellAt, isRange: boolean) => void;
  readonly onSelect: (index: number, isRange: boolean) => void;
  readonly onExpand: (key: string) => void;
  readonly onOpen: ((row: Row, isNewTab: boolean) => void) | undefined;
  readonly onHoverRow: ((row: Row | null) => void) | undefined;
}

const isControl = (target: EventTarget) =>
  target instanceof Element && target.closest("a, button, input, label, select") !== null;

function Row<Data extends object>(props: GridRowProps<Data>) {
  const { row, rowId, index, selection, columns, isExpanded, hasSelection, expand } = props;
  const isSelected = useStored(selection, (ticks) => isTicked(ticks, rowId));
  const isFocused = useStored(props.range, (range) => focusRowOf(range) === index);
  const range = useStored(props.range, (all) => rangeInRow(all, index));
  const span = columns.length + (hasSelection ? 1 : 0);
  const sticky = stickyAt(columns);
  const wide = props.spanning?.(row);
  const isWide = wide !== undefined && wide !== null;
  const onClick = (event: MouseEvent<HTMLTableRowElement>) => {
    if (isControl(event.target)) return;
    const cell = event.target instanceof Element ? event.target.closest("td[data-column]") : null;
    const column = Number(cell?.getAttribute("data-column") ?? 0);
    props.onCell({ row: index, column }, event.shiftKey);
    if (!event.shiftKey && expand) props.onExpand(rowId);
  };
  const onDoubleClick = (event: MouseEvent) => {
    if (!isControl(event.target)) props.onOpen?.(row, event.ctrlKey || event.metaKey);
  };
  const cells = (isWide ? columns.slice(0, 1) : columns).map((column, at) => (
    <td
      key={column.id}
      role="gridcell"
      data-column={at}
      data-align={column.align}
      data-range={inRange(range, at) ? "" : undefined}
      className={edgeClass(column, at === sticky)}
    >
      {column.cell(row)}
    </td>
  ));
  return (
    <>
      <tr
        role="row"
        className={props.rowClass?.(row)}
        data-index={index}
        aria-rowindex={index + 1}
        aria-selected={hasSelection ? isSelected : undefined}
        aria-expanded={expand ? isExpanded : undefined}
        tabIndex={isFocused ? 0 : -1}
        onClick={onClick}
        onDoubleClick={onDoubleClick}
        onMouseEnter={props.onHoverRow ? () => props.onHoverRow?.(row) : undefined}
      >
        {hasSelection ? (
          <td className="grid-check" role="gridcell">
            <input
              type="checkbox"
              className="grid-box"
              tabIndex={-1}
              aria-label={props.selectLabel}
              checked={isSelected}
              onChange={(event) =>
                props.onSelect(index, event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)
              }
            />
          </td>
        ) : null}
        {cells}
        {isWide ? (
          <td role="gridcell" colSpan={columns.length - 1}>
            {wide}
          </td>
        ) : null}
      </tr>
      {expand && isExpanded ? (
        <tr className="grid-expanded">
          <td colSpan={span}>{expand(row)}</td>
        </tr>
      ) : null}
    </>
  );
}

function inRange(range: string, column: number): boolean {
  if (range === "") return false;
  const [from = 0, to = 0] = range.split("-").map(Number);
  return column >= from && column <= to;
}

/** A memoised row: re-renders only when its own data, focus, range or tick changes. */
export const GridRow = memo(Row) as typeof Row;

interface PhoneRowProps<Data extends object> {
  readonly row: Data;
  readonly index: number;
  readonly range: GridStore<CellRange | null>;
  readonly rowClass: ((row: Data) => string) | undefined;
  readonly href: ((row: Data) => string) | undefined;
  readonly content: (row: Data) => ReactNode;
}

/** A browser follows the link around a button that was pressed, too. */
function stayOnButton(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest("button") !== null) event.preventDefault();
}

function TwoLines<Data extends object>(props: PhoneRowProps<Data>) {
  const { row, index, rowClass, href, content } = props;
  const isFocused = useStored(props.range, (range) => focusRowOf(range) === index);
  return (
    <tr role="row" className={rowClass?.(row)} data-index={index} tabIndex={isFocused ? 0 : -1}>
      <td className="grid-phone" role="gridcell">
        {href === undefined ? (
          <div>{content(row)}</div>
        ) : (
          <a href={href(row)} onClick={stayOnButton}>
            {content(row)}
          </a>
        )}
      </td>
    </tr>
  );
}

/** Two lines of a narrow screen; the whole row is the link. Re-renders when its own data change. */
export const PhoneRow = memo(TwoLines) as typeof TwoLines;
