import type { PartitionedTable } from "./tables.ts";

/** Epoch seconds UTC; `to` is exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * No meter stored readings before, and no table will be used after: times outside are an error of the caller.
 */
const earliest = Date.UTC(1970, 0) / 1000;
const latest = Date.UTC(2200, 0) / 1000;
const daySec = 86_400;
/** 1970-01-05, a Monday. */
const firstMonday = 4 * daySec;

/** The range of the regular length that an instant belongs to. Throws RangeError outside of 1970 to 2199. */
export function fineRange(length: PartitionedTable["length"], at: number): Range {
  if (!(at >= earliest && at < latest)) throw new RangeError(`no partition can hold the time ${String(at)}`);
  if (length === "month") {
    const [year, month] = yearAndMonth(at);
    return { from: Date.UTC(year, month) / 1000, to: Date.UTC(year, month + 1) / 1000 };
  }
  const [sec, origin] = length === "day" ? [daySec, 0] : [7 * daySec, firstMonday];
  const from = Math.floor((at - origin) / sec) * sec + origin;
  return { from, to: from + sec };
}

/** The calendar year of an instant, if it is so old that a year shares one partition. */
export function yearRange({ fineYears }: PartitionedTable, at: number, now: number): Range | undefined {
  const [year] = yearAndMonth(at);
  if (year >= yearAndMonth(now)[0] - fineYears) return undefined;
  return { from: Date.UTC(year, 0) / 1000, to: Date.UTC(year + 1, 0) / 1000 };
}

function yearAndMonth(at: number): [number, number] {
  const date = new Date(at * 1000);
  return [date.getUTCFullYear(), date.getUTCMonth()];
}

/**
 * `message_2026_11`, `message_2026_11_22` for a day, `message_w2026_11_16` for a week, `message_2005` for a
 * year.
 */
export function partitionName({ table, length }: PartitionedTable, { from, to }: Range): string {
  const iso = new Date(from * 1000).toISOString().slice(0, 10).replaceAll("-", "_");
  if (to - from > 31 * daySec) return `${table}_${iso.slice(0, 4)}`;
  if (length === "month") return `${table}_${iso.slice(0, 7)}`;
  return `${table}_${length === "week" ? "w" : ""}${iso}`;
}

/** A bound as an SQL literal of the column's type. */
export function boundOf({ unit }: PartitionedTable, at: number): string {
  if (unit === "timestamp") return `'${new Date(at * 1000).toISOString()}'`;
  return String(unit === "milliseconds" ? at * 1000 : at);
}
