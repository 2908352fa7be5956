import { gapFactor, type Gap } from "#ui/chart";
import type { DataTable } from "./dataTable.ts";

/** A row of the table: a reading by its index, or one row for a whole stretch of missing intervals. */
export type DataRow =
  | { readonly kind: "reading"; readonly key: string; readonly index: number; readonly at: number }
  | { readonly kind: "gap"; readonly key: string; readonly at: number; readonly gap: Gap };

/** Readings and gaps in one order of time. */
export function withGaps(
  time: Float64Array,
  gaps: readonly Gap[],
  isDescending: boolean,
): readonly DataRow[] {
  const rows: DataRow[] = [];
  let next = 0;
  const pushGap = (gap: Gap) => rows.push({ kind: "gap", key: `gap${String(gap.from)}`, at: gap.from, gap });
  for (let index = 0; index < time.length; index++) {
    const at = time[index] ?? 0;
    for (let gap = gaps[next]; gap && gap.to <= at; gap = gaps[next]) {
      pushGap(gap);
      next++;
    }
    rows.push({ kind: "reading", key: String(at), index, at });
  }
  gaps.slice(next).forEach(pushGap);
  return isDescending ? rows.reverse() : rows;
}

export type RowState =
  | "received"
  | "late"
  | "calculated"
  | "manual"
  | "imported"
  | "estimated"
  | "corrected"
  | "suspect"
  | "rejected";

/** The word for a row: its status, and where it came from when that says more. */
export function stateOfRow(table: Pick<DataTable, "status" | "source">, index: number): RowState {
  const status = table.status[index];
  switch (status) {
    case "late":
    case "estimated":
    case "corrected":
    case "suspect":
    case "rejected":
    case "manual":
      return status;
    default:
      break;
  }
  switch (table.source[index]) {
    case "calculated":
    case "manual":
    case "imported":
      return table.source[index];
    default:
      return "received";
  }
}

/** Seconds between the end of the interval and the moment its value was stored; undefined when that is not known. */
export function lateBy(
  table: Pick<DataTable, "time" | "storedAt">,
  index: number,
  stepSec: number,
): number | undefined {
  const [at, stored] = [table.time[index], table.storedAt[index]];
  if (at === undefined || stored === undefined || Number.isNaN(stored)) return undefined;
  return Math.max(0, stored - at - stepSec);
}

/** How many intervals of the period up to now should have come, and how many did, in percent. */
export function receivedShare(options: {
  readonly time: Float64Array;
  readonly start: number;
  readonly end: number;
  readonly now: number;
  readonly stepSec: number;
}): number | null {
  const { time, start, end, now, stepSec } = options;
  const until = Math.min(end + 1, now);
  const expected = Math.floor((until - start) / stepSec);
  if (expected <= 0) return null;
  let inside = 0;
  for (const at of time) if (at >= start && at < until) inside++;
  return Math.min(100, (inside / expected) * 100);
}

/**
 * Energy of average powers: each value over its own interval. Missing intervals add nothing; the share of received intervals says
 * how much that leaves out.
 */
export function energyOf(values: Float64Array, stepSec: number): number {
  let sum = 0;
  for (const value of values) if (!Number.isNaN(value)) sum += value;
  return (sum * stepSec) / 3600;
}

/** Growth of a counter between the first and the last known value; null when there are fewer than two. */
export function growthOf(values: Float64Array): number | null {
  const known = values.filter((value) => !Number.isNaN(value));
  const [first, last] = [known[0], known.at(-1)];
  return first === undefined || last === undefined || known.length < 2 ? null : last - first;
}

/**
 * Growth from row to row without that over gaps: after a gap the growth of the whole gap arrives at once, and is no bar of the first
 * interval behind it. It is told in the table, by the row that ended the gap.
 */
export function withoutGapSums(
  time: Float64Array,
  growth: Float64Array,
  stepSec: number | null,
): { readonly values: Float64Array; readonly overGaps: ReadonlyMap<number, number> } {
  const overGaps = new Map<number, number>();
  if (stepSec === null) return { values: growth, overGaps };
  const values = growth.map((value, at) => {
    const distance = (time[at] ?? 0) - (time[at - 1] ?? Number.NaN);
    if (Number.isNaN(value) || !(distance > gapFactor * stepSec)) return value;
    overGaps.set(at, value);
    return Number.NaN;
  });
  return { values, overGaps };
}
