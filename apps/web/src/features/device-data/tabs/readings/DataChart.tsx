import type { ResourceKey } from "@metrum/vocabulary";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { formatDateTime, useFormat } from "#lib/format";
import { Chart, extremesOf, firstZoom, type Gap, type Hover, type Span } from "#ui/chart";
import type { Range } from "#ui/dateRange";
import { slotText } from "./dataColumns.tsx";
import type { DataColumn, DataTable } from "./dataTable.ts";
import { buildChart, drawnAtFirst } from "./series.ts";

interface Props {
  readonly title: string;
  readonly table: DataTable;
  readonly columns: readonly DataColumn[];
  readonly resource: ResourceKey;
  readonly stepSec: number | null;
  readonly intervalSec: number | null;
  readonly range: Range;
  readonly zone: string;
  readonly now: number;
  readonly gaps: readonly Gap[];
  readonly zoom: Span | null;
  readonly onZoom: (zoom: Span | null) => void;
  /** Null until the user has chosen: then the first few are shown. */
  readonly hidden: readonly string[] | null;
  readonly onHidden: (keys: readonly string[]) => void;
  readonly hover: Hover;
}

/** The chart of one scale of the table, with the texts of the page. */
export function DataChart(props: Props) {
  const { title, table, columns, resource, stepSec, intervalSec, range, zone, gaps } = props;
  const { t } = useTranslation("deviceData");
  const { number } = useFormat();
  const data = useMemo(
    () => buildChart(table, columns, { resource, stepSec, gaps }),
    [table, columns, resource, stepSec, gaps],
  );
  const period = useMemo(() => ({ from: range.start, to: range.end + 1 }), [range]);
  const hidden = useMemo(
    () => props.hidden ?? data.series.slice(drawnAtFirst).map((each) => each.key),
    [props.hidden, data.series],
  );
  const zoom = useMemo(() => props.zoom ?? firstZoom(table.time), [props.zoom, table.time]);
  const first = data.series[0];
  const found = first && extremesOf(table.time, first.values);
  const summary =
    first && found
      ? t("chartSummary", {
          name: first.label,
          count: found.count,
          min: number(found.min, 3),
          max: number(found.max, 3),
          unit: first.unit,
          at: formatDateTime(found.maxAt, zone),
          gaps: gaps.length,
        })
      : title;
  return (
    <Chart
      title={title}
      data={data}
      period={period}
      zone={zone}
      gaps={gaps}
      now={props.now}
      zoom={zoom}
      onZoom={(next) => props.onZoom(next ?? (firstZoom(table.time) ? period : null))}
      hidden={hidden}
      onHidden={props.onHidden}
      hover={props.hover}
      summary={summary}
      formatValue={(value) => number(value, 3)}
      formatTick={(value, decimals) => number(value, decimals)}
      timeOf={(index) => {
        const at = table.time[index] ?? 0;
        return slotText(at, intervalSec === null ? null : at + intervalSec, zone).join(" ");
      }}
    />
  );
}
