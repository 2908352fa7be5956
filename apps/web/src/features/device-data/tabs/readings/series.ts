import {
  columnOf,
  fieldOf,
  fields,
  isFieldName,
  powerUnits,
  type Field,
  type ResourceKey,
} from "@metrum/vocabulary";
import type { ChartData, ChartSeries, Gap, SeriesKind, Tone } from "#ui/chart";
import type { DataColumn, DataTable } from "./dataTable.ts";
import { withoutGapSums } from "./rows.ts";

const resourceTones: Readonly<Record<ResourceKey, Tone>> = {
  electricity: "electricity",
  water: "water",
  heat: "heat",
  gas: "gas",
  substance: "ink-2",
  sensor: "ink-2",
  other: "ink-2",
};

const dashes: readonly (readonly number[] | undefined)[] = [undefined, [6, 3], [2, 3], [8, 3, 2, 3]];
/** More lines than this cannot be distinguished; the rest by choice. */
export const drawnAtFirst = 6;

/** Averages are steps, growth of a counter is bars, states and counters are lines. */
export function kindOf(name: string, resource: ResourceKey): SeriesKind {
  const { field, part } = columnOf(name);
  if (part === "growth") return "bar";
  return isFieldName(field) && fieldOf(field, resource).kind === "interval" ? "step" : "line";
}

const unknownField: Pick<Field, "tone" | "phase" | "direction"> = { tone: "own" };

/** Active and reactive differ by hue; phases and tariffs of one quantity by the dash pattern. */
export function lookOf(
  name: string,
  position: number,
  resource: ResourceKey,
): Pick<ChartSeries, "tone" | "dash"> {
  const { field } = columnOf(name);
  const { tone, phase, direction } = isFieldName(field) ? fieldOf(field, resource) : unknownField;
  if (tone === "contrast") {
    const dash = dashes[direction === "reverse" ? 1 : 0];
    return { tone: "water", ...(dash ? { dash } : {}) };
  }
  const dash = dashes[(phase === undefined ? position : phase - 1) % dashes.length];
  return { tone: position < dashes.length ? resourceTones[resource] : "ink-2", ...(dash ? { dash } : {}) };
}

/** Powers share a scale; of other columns those of one unit do. */
function scaleOf({ name, unit }: DataColumn): string {
  const { field } = columnOf(name);
  return isFieldName(field) && powerUnits.has(fields[field].unit) ? "power" : unit;
}

/** Columns by shared scale, in order of appearance. */
export function scalesOf(columns: readonly DataColumn[]): readonly (readonly DataColumn[])[] {
  const groups = new Map<string, DataColumn[]>();
  for (const column of columns) {
    const scale = scaleOf(column);
    const known = groups.get(scale);
    if (known) known.push(column);
    else groups.set(scale, [column]);
  }
  return [...groups.values()];
}

const isGrowth = ({ name }: DataColumn) => columnOf(name).part === "growth";

/**
 * Columns drawn by the chart: those the model names, and columns derived from them. Growing counters are
 * drawn by their growth, as the counter itself is a straight line; other series of their unit are omitted, as
 * they would be pressed flat. Empty: there is no chart.
 */
export function chartColumns(
  columns: readonly DataColumn[],
  chartFields: readonly string[],
  isOfCounters = false,
): readonly DataColumn[] {
  const drawn = columns.filter(({ name }) => {
    const { field, part } = columnOf(name);
    return chartFields.includes(field) && (part === "value" || part === "growth");
  });
  if (isOfCounters) return drawn.filter((column) => !isGrowth(column));
  const units = new Set(drawn.filter(isGrowth).map(({ unit }) => unit));
  return drawn.filter((column) => isGrowth(column) || !units.has(column.unit));
}

/** Whether growth can be drawn, so that the counter value is an alternative. */
export const hasGrowth = (columns: readonly DataColumn[], chartFields: readonly string[]): boolean =>
  chartColumns(columns, chartFields).some(isGrowth);

export function buildChart(
  table: Pick<DataTable, "time">,
  columns: readonly DataColumn[],
  options: { readonly resource: ResourceKey; readonly stepSec: number | null; readonly gaps: readonly Gap[] },
): ChartData {
  const series = columns.map((column, at): ChartSeries => {
    const kind = kindOf(column.name, options.resource);
    return {
      key: column.name,
      label: column.title,
      unit: column.unit,
      kind,
      ...lookOf(column.name, at, options.resource),
      filled: at === 0 && kind === "step",
      values: kind === "bar" ? withoutGapSums(table.time, column.values, options.gaps).values : column.values,
    };
  });
  return { x: table.time, series, stepSec: options.stepSec };
}
