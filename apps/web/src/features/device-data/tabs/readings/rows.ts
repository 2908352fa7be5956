import { pointsBehind, type Gap } from "#ui/chart";
import type { DataTable } from "./dataTable.ts";

/** A row of the table: a reading by its index, or one row for a whole gap. */
export type DataRow =
  | { readonly kind: "reading"; readonly key: string; readonly index: number; readonly at: number }
  | { readonly kind: "gap"; readonly key: string; readonly at: number; readonly gap: Gap };

/** Readings and gaps ordered by time; a suspect reading may lie within a gap, after its row. */
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
    for (let gap = gaps[next]; gap && gap.from <= at; gap = gaps[next]) {
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

/** The word for a row: its status, and its source if that is more informative. */
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

/** Seconds between the end of the interval and the time its value was stored; undefined if unknown. */
export function lateBy(
  table: Pick<DataTable, "time" | "storedAt">,
  index: number,
  stepSec: number,
): number | undefined {
  const [at, stored] = [table.time[index], table.storedAt[index]];
  if (at === undefined || stored === undefined || Number.isNaN(stored)) return undefined;
  return Math.max(0, stored - at - stepSec);
}

/**
 * Growth from row to row without growth over gaps: after a gap the growth of the whole gap arrives at once,
 * and must not be a bar of the following interval. The table shows it in the row that ended the gap.
 */
export function withoutGapSums(
  time: Float64Array,
  growth: Float64Array,
  gaps: readonly Gap[],
): { readonly values: Float64Array; readonly overGaps: ReadonlyMap<number, number> } {
  const ends = pointsBehind(time, gaps);
  const overGaps = new Map<number, number>();
  const values = growth.map((value, at) => {
    if (Number.isNaN(value) || !ends.has(at)) return value;
    overGaps.set(at, value);
    return Number.NaN;
  });
  return { values, overGaps };
}
