import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { formatDate } from "#lib/format";
import { IconButton } from "#ui/button";
import { addDays, addMonths, weekdayOf, weeksOf } from "./month.ts";

interface Props {
  /** "2026-12-31", or empty. */
  readonly value: string;
  readonly today: string;
  readonly onDay: (day: string) => void;
}

/** Where each key leads from a day. */
const steps: Readonly<Record<string, (day: string, isShifted: boolean) => string>> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  Home: (day) => addDays(day, -weekdayOf(day)),
  End: (day) => addDays(day, 6 - weekdayOf(day)),
  PageUp: (day, isShifted) => addMonths(day, isShifted ? -12 : -1),
  PageDown: (day, isShifted) => addMonths(day, isShifted ? 12 : 1),
};

/** A month whose weeks begin on Monday in every language; arrows, Home, End and Page keys move in it. */
export function Calendar({ value, today, onDay }: Props) {
  const { t } = useTranslation("common");
  const [current, setCurrent] = useState(value === "" ? today : value);
  const grid = useRef<HTMLTableElement>(null);
  const isMovedByKey = useRef(true);
  // Not a layout effect: the popover is shown in one, and before it takes no focus.
  useEffect(() => {
    if (isMovedByKey.current) grid.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
    isMovedByKey.current = false;
  }, [current]);

  const weeks = weeksOf(current);
  const [year, month] = current.split("-");
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    isMovedByKey.current = true;
    setCurrent(step(current, event.shiftKey));
  };
  const turn = (months: number) => setCurrent(addMonths(current, months));
  return (
    <>
      <div className="calendar-head">
        <IconButton icon="chevronLeft" label={t("calendar.before")} onClick={() => turn(-1)} />
        <strong aria-live="polite">
          {t("calendar.title", { month: t(`calendar.month.${String(Number(month))}`), year })}
        </strong>
        <IconButton icon="chevronRight" label={t("calendar.after")} onClick={() => turn(1)} />
      </div>
      <table className="calendar" role="grid" ref={grid} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col">
                {t(`calendar.weekday.${String(weekdayOf(day) + 1)}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} aria-selected={day === value}>
                  <button
                    type="button"
                    tabIndex={day === current ? 0 : -1}
                    aria-label={formatDate(Date.parse(day) / 1000, "UTC")}
                    aria-current={day === today ? "date" : undefined}
                    data-other={day.slice(0, 7) === current.slice(0, 7) ? undefined : ""}
                    onClick={() => onDay(day)}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" className="calendar-today" onClick={() => onDay(today)}>
        {t("calendar.today")}
      </button>
    </>
  );
}
