import { useTranslation } from "react-i18next";
import "./chart.css";
import { Skeleton } from "#ui/skeleton";

/** A chart without its data yet: nothing moves when they come. */
export function ChartPlace() {
  const { t } = useTranslation("chart");
  return (
    <div className="chart chart-place" aria-hidden="true">
      <div className="chart-head">
        <Skeleton width={260} height={14} />
        <span className="chart-hint">{t("hint")}</span>
        <span className="chart-tool">{t("png")}</span>
      </div>
      <Skeleton height="100%" />
    </div>
  );
}
