import type { TFunction } from "i18next";
import { formatDateTime, formatOffset } from "#lib/format";
import type { Range } from "#ui/dateRange";
import type { Gap } from "#ui/chart";
import type { GridColumn } from "#ui/grid";
import { withGaps, type DataRow } from "./rows.ts";

type Value = string | number | null;

export interface CsvOf {
  readonly t: TFunction<"deviceData">;
  readonly name: string;
  readonly zone: string;
  readonly range: Range;
  readonly time: Float64Array;
  readonly gaps: readonly Gap[];
  /** The visible columns in order. */
  readonly columns: readonly Pick<GridColumn<DataRow>, "id" | "title" | "value">[];
}

/**
 * The table as a file: device, period and time zone; then the visible columns in ascending time, however the
 * table is sorted, with a line for each gap in which its end and the number of missing readings replace the
 * values.
 */
export function dataCsv({ t, name, zone, range, time, gaps, columns }: CsvOf): readonly (readonly Value[])[] {
  const period = `${formatDateTime(range.start, zone)} – ${formatDateTime(range.end, zone)}`;
  const gapText = ({ missing, to }: Gap): string =>
    t("csv.gap", { gap: t("gap", { count: missing }), until: formatDateTime(to, zone) });
  const values = columns.filter(({ id }) => id !== "datetime");
  const gapAt = (values.find(({ id }) => id === "status") ?? values[0])?.id;
  const lineOf = (row: DataRow): Value[] =>
    columns.map(({ id, value }) => {
      if (row.kind === "gap" && id !== "datetime") return id === gapAt ? gapText(row.gap) : null;
      const found = value?.(row) ?? null;
      return typeof found === "boolean" ? String(found) : found;
    });
  return [
    [t("csv.device"), name],
    [t("csv.period"), period],
    [t("csv.zone"), `${zone} (${formatOffset(range.end, zone)})`],
    [],
    columns.map(({ title }) => title),
    ...withGaps(time, gaps, false).map(lineOf),
  ];
}
