/**
 * Names of the resource and status tokens; the colours are read from the style sheet when the chart is drawn.
 */
export type Tone = "electricity" | "water" | "heat" | "gas" | "accent" | "ink-2" | "ink-3" | "alarm" | "warn";

/**
 * How a value relates to time: an average holds over its interval, an instantaneous value is a point, an
 * energy is a bar.
 */
export type SeriesKind = "step" | "line" | "bar";

/** One column of values of the shared time column. NaN is "no value": never zero, never connected. */
export interface ChartSeries {
  readonly key: string;
  readonly label: string;
  readonly unit: string;
  readonly kind: SeriesKind;
  readonly tone: Tone;
  readonly dash?: readonly number[];
  readonly filled?: boolean;
  readonly values: Float64Array;
}

export interface ChartData {
  /** Epoch seconds, ascending. For averages and energies the start of the interval. */
  readonly x: Float64Array;
  readonly series: readonly ChartSeries[];
  /** Expected distance of two points in seconds; null for irregular data. */
  readonly stepSec: number | null;
}

/** A mark on the value axis: contract power, standard. */
export interface MarkLine {
  readonly value: number;
  readonly label: string;
  readonly tone: Tone;
  readonly dash: readonly number[];
}

/** A shaded time range behind the data: peak hours. */
export interface Band {
  readonly from: number;
  readonly to: number;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A range without data, with the number of missing points. */
export interface Gap extends Span {
  readonly missing: number;
}

/**
 * Points preceded by a gap: no line leads to them. A gap ends with its slot, where there need not be a point;
 * before the first point it is a gap at the start of the period.
 */
export function pointsBehind(x: Float64Array, gaps: readonly Gap[]): ReadonlySet<number> {
  const found = new Set<number>();
  let next = 0;
  for (let at = 0; at < x.length; at++) {
    const [before, time] = [x[at - 1] ?? -Infinity, x[at] ?? 0];
    while ((gaps[next]?.to ?? Infinity) <= before) next++;
    if ((gaps[next]?.from ?? Infinity) < time) found.add(at);
  }
  return found;
}

/** Minimum and maximum of some columns between two points, both inclusive; infinite without values. */
export function extentOf(
  columns: readonly Float64Array[],
  from: number,
  to: number,
): { readonly min: number; readonly max: number } {
  let [min, max] = [Infinity, -Infinity];
  for (const values of columns)
    for (let at = from; at <= to; at++) {
      const value = values[at] ?? Number.NaN;
      if (value < min) min = value;
      if (value > max) max = value;
    }
  return { min, max };
}

const manyLabels = 5000;
const shareOfMany = 0.3;

/** The range shown first: everything, or the newest 30 % when there are more than 5000 labels. */
export function firstZoom(x: Float64Array): Span | null {
  if (x.length <= manyLabels) return null;
  const from = x[Math.floor(x.length * (1 - shareOfMany))] ?? 0;
  return { from, to: x[x.length - 1] ?? from };
}

/**
 * Index of the point at or before a time for intervals, of the nearest one for instantaneous values; null
 * outside.
 */
export function indexAt(x: Float64Array, time: number, covers: boolean): number | null {
  if (x.length === 0) return null;
  let low = 0;
  let high = x.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((x[middle] ?? 0) <= time) low = middle;
    else high = middle - 1;
  }
  if (covers || low === x.length - 1) return low;
  return time - (x[low] ?? 0) <= (x[low + 1] ?? 0) - time ? low : low + 1;
}

export interface TooltipRow {
  readonly series: ChartSeries;
  readonly value: number;
}

/** A longer list is truncated, with a note. */
export const tooltipLimit = 15;

export function tooltipRows(
  series: readonly ChartSeries[],
  index: number,
): { readonly rows: readonly TooltipRow[]; readonly isCut: boolean } {
  return {
    rows: series
      .slice(0, tooltipLimit)
      .map((each) => ({ series: each, value: each.values[index] ?? Number.NaN })),
    isCut: series.length > tooltipLimit,
  };
}

/** The side of the cursor with room, away from the marked point: a tooltip never covers its subject. */
export function tooltipSide(options: {
  readonly cursor: number;
  readonly width: number;
  readonly box: number;
  readonly busy?: readonly { readonly from: number; readonly to: number }[];
}): "left" | "right" {
  const { cursor, width, box, busy = [] } = options;
  const fitsRight = cursor + box <= width;
  const fitsLeft = cursor - box >= 0;
  if (!fitsRight || !fitsLeft) return fitsRight ? "right" : "left";
  const covered = (from: number, to: number) =>
    busy.reduce((sum, each) => sum + Math.max(0, Math.min(to, each.to) - Math.max(from, each.from)), 0);
  return covered(cursor, cursor + box) <= covered(cursor - box, cursor) ? "right" : "left";
}

export interface Extremes {
  readonly min: number;
  readonly max: number;
  readonly maxAt: number;
  readonly minAt: number;
  readonly last: number;
  readonly lastAt: number;
  readonly count: number;
}

/** Data of the sentence about a column; undefined without values. */
export function extremesOf(x: Float64Array, values: Float64Array): Extremes | undefined {
  let [min, max, minAt, maxAt, last, lastAt, count] = [Infinity, -Infinity, 0, 0, Number.NaN, 0, 0];
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const time = x[at] ?? 0;
    count++;
    last = value;
    lastAt = time;
    if (value < min) [min, minAt] = [value, time];
    if (value > max) [max, maxAt] = [value, time];
  }
  return count === 0 ? undefined : { min, max, minAt, maxAt, last, lastAt, count };
}
