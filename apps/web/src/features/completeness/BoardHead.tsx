import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import type { Totals } from "./completeness.ts";

interface Props {
  readonly days: readonly string[];
  readonly totals: Totals | undefined;
  readonly chosen: { readonly from: number; readonly to: number } | undefined;
  readonly onDay: (day: number) => void;
}

/** More days than this have a number only every fifth day. */
const mostNumbers = 45;

const isNumbered = (day: string, count: number): boolean =>
  count <= mostNumbers || day.endsWith("-01") || (Number(day.slice(8)) % 5 === 0 && !day.endsWith("-30"));

/** The days, each with a bar for all devices together. */
export function BoardHead({ days, totals, chosen, onDay }: Props) {
  const { t } = useTranslation("completeness");
  const { number } = useFormat();
  const shareOf = new Map(totals?.days.map(({ day, received_share }) => [day, received_share]));
  return (
    <div className="board-row board-head" role="row" aria-rowindex={1}>
      <span className="board-name" role="columnheader">
        {t("device")}
        {totals ? <small>{t("allDevices")}</small> : null}
      </span>
      <span className="board-days" role="none">
        {days.map((day, at) => {
          const share = shareOf.get(day) ?? null;
          const date = `${String(Number(day.slice(8)))}.${day.slice(5, 7)}.${day.slice(0, 4)}`;
          const title = `${date}${share === null ? "" : `, ${number(share, 1)} %`}`;
          return (
            <span
              key={day}
              className="board-day"
              role="columnheader"
              data-month={day.endsWith("-01") && at > 0 ? "" : undefined}
              data-chosen={chosen && at >= chosen.from && at <= chosen.to ? "" : undefined}
            >
              <button type="button" tabIndex={-1} title={title} aria-label={title} onClick={() => onDay(at)}>
                <i style={{ height: `${String(share ?? 0)}%` }} />
                <span>{isNumbered(day, days.length) ? Number(day.slice(8)) : null}</span>
              </button>
            </span>
          );
        })}
      </span>
      <span className="board-share" role="columnheader">
        %
      </span>
    </div>
  );
}
