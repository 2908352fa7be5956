import { useTranslation } from "react-i18next";
import { tooltipRows, type ChartSeries } from "./data.ts";

/** The line or square that represents a series, in its own colour and dash pattern. */
export function Swatch({ series }: { readonly series: Pick<ChartSeries, "tone" | "dash" | "kind"> }) {
  return (
    <svg className="swatch" width="16" height="8" aria-hidden="true">
      {series.kind === "bar" ? (
        <rect x="4" width="8" height="8" fill={`var(--${series.tone})`} />
      ) : (
        <line
          x1="0"
          x2="16"
          y1="4"
          y2="4"
          stroke={`var(--${series.tone})`}
          strokeWidth="2"
          strokeDasharray={series.dash?.join(" ")}
        />
      )}
    </svg>
  );
}

export interface ReadoutProps {
  readonly title: string;
  readonly series: readonly ChartSeries[];
  readonly index: number;
  readonly formatValue: (value: number) => string;
  readonly problem: string | undefined;
}

/** Values of all series at one point: at most fifteen, then a note that there are more. */
export function Readout({ title, series, index, formatValue, problem }: ReadoutProps) {
  const { t } = useTranslation("chart");
  const { rows, isCut } = tooltipRows(series, index);
  return (
    <>
      <div className="readout-time">{title}</div>
      <dl className="readout-values">
        {rows.map(({ series: each, value }) => (
          <div key={each.key}>
            <dt>
              <Swatch series={each} /> {each.label}
            </dt>
            <dd>
              {Number.isNaN(value) ? "—" : formatValue(value)}{" "}
              <span className="readout-unit">{each.unit}</span>
            </dd>
          </div>
        ))}
      </dl>
      {isCut ? <div className="readout-note">{t("tooMany", { shown: rows.length })}</div> : null}
      {problem === undefined ? null : <div className="readout-problem">{problem}</div>}
    </>
  );
}
