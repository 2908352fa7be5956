import { useTranslation } from "react-i18next";
import type { ChartSeries } from "./data.ts";
import { Swatch } from "./Tooltip.tsx";

/**
 * Hidden series after a click on a name; with Alt only that one stays visible, a second click shows all
 * again.
 */
export function toggleHidden(
  keys: readonly string[],
  hidden: readonly string[],
  key: string,
  isAlone: boolean,
): readonly string[] {
  if (!isAlone) return hidden.includes(key) ? hidden.filter((each) => each !== key) : [...hidden, key];
  const others = keys.filter((each) => each !== key);
  const isAlreadyAlone = !hidden.includes(key) && others.every((each) => hidden.includes(each));
  return isAlreadyAlone ? [] : others;
}

export function Legend(props: {
  readonly series: readonly ChartSeries[];
  readonly hasGaps: boolean;
  readonly hidden: readonly string[];
  readonly onHidden: (keys: readonly string[]) => void;
}) {
  const { series, hasGaps, hidden, onHidden } = props;
  const { t } = useTranslation("chart");
  const keys = series.map((each) => each.key);
  return (
    <div className="chart-legend">
      {series.map((each) => (
        <button
          key={each.key}
          type="button"
          aria-pressed={!hidden.includes(each.key)}
          title={t("legendHint")}
          onClick={(event) => onHidden(toggleHidden(keys, hidden, each.key, event.altKey))}
        >
          <Swatch series={each} />
          {each.label}
        </button>
      ))}
      {hasGaps ? (
        <span className="chart-legend-gap">
          <i aria-hidden="true" />
          {t("noData")}
        </span>
      ) : null}
    </div>
  );
}
