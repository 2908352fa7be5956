import { useRef, type KeyboardEvent, type MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { BoardHead } from "./BoardHead.tsx";
import { cellId, Row } from "./BoardRows.tsx";
import { between, type BoardRow, type Selection, type Totals, type View } from "./completeness.ts";
import type { IsAsking } from "./useAsked.ts";
import type { DrawnRows } from "./useDrawnBoard.ts";
import { moved, type Cell } from "./moves.ts";

interface Props {
  readonly view: View;
  readonly total: number;
  readonly rowAt: (index: number) => BoardRow | undefined;
  readonly drawn: DrawnRows;
  readonly totals: Totals | undefined;
  readonly isAsking: IsAsking;
  readonly seenMissing: (row: BoardRow) => ReadonlySet<string>;
  readonly selection: Selection | null;
  readonly cursor: Cell | null;
  readonly onSelect: (selection: Selection | null, cursor: Cell | null) => void;
}

const none: ReadonlySet<string> = new Set();

/**
 * Devices by days. Cells are selected as in a spreadsheet: by dragging, with Shift, or with the arrow keys; a day in
 * the head selects it for all devices.
 */
export function BoardGrid(props: Props) {
  const { view, total, rowAt, drawn, totals, isAsking, seenMissing, selection, cursor, onSelect } = props;
  const { t } = useTranslation("completeness");
  const anchor = useRef<Cell | null>(null);
  const isDragging = useRef(false);
  const { days } = view;
  const last = { row: total - 1, day: days.length - 1 };

  const extend = (to: Cell) => {
    const from = anchor.current ?? to;
    onSelect({ rows: between(from.row, to.row), days: between(from.day, to.day) }, to);
  };
  const begin = (at: Cell, isExtending: boolean) => {
    if (!isExtending) anchor.current = at;
    extend(at);
  };
  const onMouseDown = (event: MouseEvent) => {
    const at = cellAt(event.target);
    if (!at || event.button !== 0) return;
    event.preventDefault();
    drawn.scroller.current?.focus({ preventScroll: true });
    isDragging.current = true;
    addEventListener("mouseup", () => (isDragging.current = false), { once: true });
    begin(at, event.shiftKey);
  };
  const onMouseOver = (event: MouseEvent) => {
    const at = isDragging.current ? cellAt(event.target) : undefined;
    if (at && (at.row !== cursor?.row || at.day !== cursor.day)) extend(at);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === "Escape") {
      anchor.current = null;
      onSelect(null, null);
      return;
    }
    const isAll = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "a";
    if (isAll) onSelect({ rows: "all", days: { from: 0, to: last.day } }, cursor);
    const to = isAll ? undefined : moved(event, cursor, { last, pageRows: drawn.pageRows() });
    if (to) {
      begin(to, event.shiftKey);
      drawn.reveal(to.row);
    }
    if (isAll || to) event.preventDefault();
  };
  const onDay = (day: number) => onSelect({ rows: "all", days: { from: day, to: day } }, null);
  return (
    <div
      className="board-scroll"
      ref={drawn.scroller}
      role="grid"
      tabIndex={0}
      aria-label={t("board")}
      aria-rowcount={total + 1}
      aria-colcount={days.length + 2}
      aria-multiselectable="true"
      {...(cursor ? { "aria-activedescendant": cellId(cursor.row, cursor.day) } : {})}
      onMouseDown={onMouseDown}
      onMouseOver={onMouseOver}
      onKeyDown={onKeyDown}
    >
      <BoardHead days={days} totals={totals} chosen={selection?.days} onDay={onDay} />
      <div role="rowgroup">
        <div style={{ height: drawn.before }} />
        {drawn.indexes.map((index) => {
          const row = rowAt(index);
          return (
            <Row
              key={index}
              row={row}
              index={index}
              days={days}
              asking={row ? days.filter((day) => isAsking(row.device_id, day)).join() : ""}
              seenMissing={row ? seenMissing(row) : none}
              selected={selectedIn(selection, index)}
              cursor={cursor?.row === index ? cursor.day : undefined}
            />
          );
        })}
        <div style={{ height: drawn.after }} />
      </div>
    </div>
  );
}

/** Selected days of a row as "from-to"; empty: none. */
function selectedIn(selection: Selection | null, index: number): string {
  if (!selection) return "";
  const { rows, days } = selection;
  const isIn = rows === "all" || (index >= rows.from && index <= rows.to);
  return isIn ? `${String(days.from)}-${String(days.to)}` : "";
}

/** The cell of an event; its row and day are in the markup, so that no cell has its own listener. */
function cellAt(target: EventTarget): Cell | undefined {
  if (!(target instanceof Element)) return undefined;
  const day = target.closest<HTMLElement>("[data-day]")?.dataset["day"];
  const row = target.closest<HTMLElement>("[data-index]")?.dataset["index"];
  return day === undefined || row === undefined ? undefined : { row: Number(row), day: Number(day) };
}
