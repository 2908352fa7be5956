import { useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { useTranslation } from "react-i18next";
import { hours, months, neighbour, overfull, paint, type Cell, type Painting } from "./hours.ts";

interface Props {
  readonly label: string;
  readonly painting: Painting;
  /** Without it the grid is read-only. */
  readonly onPaint?: ((painting: Painting) => void) | undefined;
}

/** A stroke in progress: its start and whether it sets or clears. */
interface Stroke {
  readonly from: Cell;
  readonly isOn: boolean;
  readonly before: Painting;
}

/**
 * Months by hours. The mouse paints rectangles; arrows move, Space toggles one cell, with Shift a whole
 * stroke.
 */
export function HoursGrid({ label, painting, onPaint }: Props) {
  const { t } = useTranslation("companySettings");
  const [at, setAt] = useState<Cell>({ month: 1, hour: 0 });
  const stroke = useRef<Stroke | null>(null);
  const table = useRef<HTMLTableElement>(null);
  const isOn = ({ month, hour }: Cell) => painting[month - 1]?.[hour] ?? false;
  const faulty = overfull(painting);
  // Not every browser has the Mongolian month names.
  const monthOf = (month: number) => t(`months.${String(month)}`);

  const begin = (cell: Cell) => (stroke.current = { from: cell, isOn: !isOn(cell), before: painting });
  const draw = (to: Cell) => {
    const { current } = stroke;
    if (current) onPaint?.(paint(current.before, current.from, to, current.isOn));
  };
  const onPointerDown = (event: PointerEvent) => {
    const cell = cellOf(event.target);
    if (!cell || !onPaint || event.button !== 0) return;
    // Touch captures the pointer; it is released so that the cells below receive events.
    if (event.target instanceof Element && event.target.hasPointerCapture(event.pointerId))
      event.target.releasePointerCapture(event.pointerId);
    setAt(cell);
    begin(cell);
    draw(cell);
  };
  const onPointerOver = (event: PointerEvent) => {
    const cell = cellOf(event.target);
    if (cell && stroke.current) draw(cell);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      begin(at);
      draw(at);
      stroke.current = null;
      return;
    }
    const to = neighbour(at, event.key);
    if (!to) return;
    event.preventDefault();
    if (event.shiftKey && onPaint) onPaint(paint(paint(painting, at, at, true), at, to, true));
    setAt(to);
    table.current
      ?.querySelector<HTMLElement>(`[data-cell="${String(to.month)}-${String(to.hour)}"]`)
      ?.focus();
  };
  const end = () => (stroke.current = null);
  return (
    <div className="hours">
      <p className="hours-more">{t("peak.more")}</p>
      <div className="hours-scroll">
        <table
          ref={table}
          role="grid"
          aria-label={label}
          aria-readonly={onPaint === undefined || undefined}
          onPointerDown={onPointerDown}
          onPointerOver={onPointerOver}
          onPointerUp={end}
          onPointerLeave={end}
          onKeyDown={onKeyDown}
        >
          <thead>
            <tr role="row">
              <th scope="col">
                <span className="visually-hidden">{t("peak.month")}</span>
              </th>
              {hours.map((hour) => (
                <th key={hour} scope="col" data-quarter={hour % 6 === 0 ? "" : undefined}>
                  {hour}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {months.map((month) => (
              <tr key={month} role="row" data-faulty={faulty.includes(month) ? "" : undefined}>
                <th scope="row">{monthOf(month)}</th>
                {hours.map((hour) => {
                  const isHere = at.month === month && at.hour === hour;
                  return (
                    <td
                      key={hour}
                      role="gridcell"
                      data-cell={`${String(month)}-${String(hour)}`}
                      data-quarter={hour % 6 === 0 ? "" : undefined}
                      aria-selected={isOn({ month, hour })}
                      aria-label={t("peak.cell", { month: monthOf(month), from: hour, to: hour + 1 })}
                      tabIndex={isHere ? 0 : -1}
                      onFocus={() => setAt({ month, hour })}
                    />
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function cellOf(target: EventTarget): Cell | null {
  const [month, hour] = (target instanceof HTMLElement ? (target.dataset["cell"] ?? "") : "")
    .split("-")
    .map(Number);
  return month && hour !== undefined ? { month, hour } : null;
}
