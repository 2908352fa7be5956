import { dayOfYear, daysInMonth } from "@metrum/vocabulary";
import { useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";

interface Props {
  readonly days: readonly string[];
  /** Those of the device, if they were read. */
  readonly present: readonly string[];
  readonly onDays: (days: readonly string[]) => void;
}

const months = Array.from({ length: 12 }, (_, at) => at + 1);
/** Of the name of a month: its number with an ending, or three letters. */
const beginning = /^(?:\d+\S*|\S{3})/;
/** Months and days by which the arrows move. */
const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** The days of a year, a month a line; a click adds a day or takes it away. One stop of Tab, arrows move within. */
export function YearDays({ days, present, onDays }: Props) {
  const { t } = useTranslation(["control", "common"]);
  const root = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState(dayOfYear(1, 1));
  const toggle = (day: string) =>
    onDays(days.includes(day) ? days.filter((each) => each !== day) : [...days, day].sort());
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moves[event.key];
    const day = event.target instanceof HTMLElement ? event.target.dataset["day"] : undefined;
    if (!move || day === undefined) return;
    event.preventDefault();
    const next = moved(day, move);
    setFocused(next);
    root.current?.querySelector<HTMLElement>(`[data-day="${next}"]`)?.focus();
  };
  return (
    <div
      ref={root}
      className="control-year"
      role="group"
      aria-label={t("specialDays.year")}
      onKeyDown={onKeyDown}
    >
      {months.map((number) => (
        <div key={number} className="control-year-month">
          <span aria-hidden="true">{beginning.exec(t(`common:calendar.month.${String(number)}`))?.[0]}</span>
          {Array.from({ length: daysInMonth(number) }, (_, at) => {
            const day = dayOfYear(number, at + 1);
            const isOnDevice = present.includes(day);
            return (
              <button
                key={day}
                type="button"
                data-day={day}
                data-present={isOnDevice ? "" : undefined}
                aria-pressed={days.includes(day)}
                aria-label={isOnDevice ? t("specialDays.dayOnDevice", { day }) : day}
                tabIndex={day === focused ? 0 : -1}
                onFocus={() => setFocused(day)}
                onClick={() => toggle(day)}
              >
                {at + 1}
              </button>
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** The day at that place of the year, at most the last one of its month. */
function moved(day: string, [months, days]: readonly [number, number]): string {
  const [month = 1, date = 1] = day.split("-").map(Number);
  const to = Math.min(12, Math.max(1, month + months));
  return dayOfYear(to, Math.min(daysInMonth(to), Math.max(1, date + days)));
}
