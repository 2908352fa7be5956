import {
  tariffDifferences,
  tariffIntervals,
  type TariffInterval,
  type TariffSchedule,
} from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { StatusGlyph } from "#ui/status";
import "../control.css";
import "./schedules.css";
import { clockOf } from "./tariffForm.ts";

const dayMinutes = 1440;
const share = (minutes: number) => `${String((minutes / dayMinutes) * 100)}%`;
const hours = [0, 3, 6, 9, 12, 15, 18, 21, 24];

interface Props {
  /** What is to be written. */
  readonly wanted: TariffSchedule;
  /** What the device has, if it was read. */
  readonly present?: TariffSchedule | undefined;
}

/** The day as a coloured bar; below it that of the device, with the parts that differ in words. */
export function DayBars({ wanted, present }: Props) {
  const { t } = useTranslation("control");
  const differences = present ? tariffDifferences(wanted, present) : [];
  const found = present ? tariffIntervals(present) : [];
  return (
    <div className="control-day">
      <div className="control-day-bars">
        <Bar row={1} title={t("tariffs.wanted")} intervals={tariffIntervals(wanted)} />
        {found.length > 0 ? <Bar row={2} title={t("tariffs.present")} intervals={found} /> : null}
        <div className="control-day-axis" aria-hidden="true">
          {hours.map((hour) => (
            <span key={hour} style={{ left: share(hour * 60) }}>
              {clockOf(hour * 60)}
            </span>
          ))}
        </div>
        <div className="control-day-marks" aria-hidden="true">
          {differences.map(({ from, to }) => (
            <i key={from} style={{ left: share(from), width: share(to - from) }} />
          ))}
        </div>
      </div>
      {differences.length > 0 ? (
        <ul
          className="control-differences"
          aria-label={t("tariffs.differences", { count: differences.length })}
        >
          {differences.map(({ from, to, ...each }) => (
            <li key={from}>
              <StatusGlyph kind="warn" />
              <b>{t("span", { from: clockOf(from), to: clockOf(to) })}</b>
              <span>{t("tariffs.difference", each)}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

function Bar({
  row,
  title,
  intervals,
}: {
  readonly row: 1 | 2;
  readonly title: string;
  readonly intervals: readonly TariffInterval[];
}) {
  const { t } = useTranslation("control");
  const words = intervals.map(({ tariff, from, to }) =>
    t("tariffs.interval", { tariff, from: clockOf(from), to: clockOf(to) }),
  );
  return (
    <>
      <span className="control-day-title" data-row={row}>
        {title}
      </span>
      <div className="control-day-bar" data-row={row} role="img" aria-label={`${title}: ${words.join(", ")}`}>
        {intervals.map(({ tariff, from, to }) => (
          <span key={from} data-tariff={tariff} style={{ width: share(to - from) }}>
            {t("tariffs.short", { tariff })}
          </span>
        ))}
      </div>
    </>
  );
}
