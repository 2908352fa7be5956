import { startOfDay } from "#core";
import type { DayNumbers, PackedDay } from "#accounting/accounting-points";
import type { LossTerm } from "./dayStore.ts";
import { amountOf, factorOf, type Exact } from "./exact.ts";
import type { NamedMember } from "./store.ts";

/** Consumption of a gap from the day in which it began to the one in which it ended. */
export interface Bridge {
  readonly from: number;
  readonly to: number;
  readonly amount: Exact;
  /** Seconds of the gap. */
  readonly seconds: number;
}

/** One point of a group by day; amounts with its coefficient. Days count from the first of the request. */
export interface Series {
  readonly member: NamedMember;
  /** What the readings of a day tell; 0 where nothing is known, see `missing`. */
  readonly amounts: readonly Exact[];
  readonly estimated: readonly Exact[];
  /** Unknown seconds of each day; 0: the day is whole, or the formula does not name the point on it. */
  readonly missing: readonly number[];
  /** Days of the formula: outside the point takes no part. */
  readonly isNamed: readonly boolean[];
  readonly bridges: readonly Bridge[];
  readonly flags: readonly number[];
  /** Share of the consumption of a day that is lost, as text; empty: no term of the point. */
  readonly lossShares: readonly (string | undefined)[];
}

const daySec = 86_400;

/** Seconds of each day of a zone: 23 to 25 hours. */
export function dayLengths(zone: string, { first, last }: DayNumbers): number[] {
  return Array.from(
    { length: Math.max(0, last - first + 1) },
    (_, at) => startOfDay(zone, first + at + 1) - startOfDay(zone, first + at),
  );
}

export const dayNumber = (text: string): number => Math.floor(Date.parse(text) / (daySec * 1000));

interface Given {
  readonly range: DayNumbers;
  /** Seconds of each day, for days that have no row. */
  readonly lengths: readonly number[];
  readonly rows: readonly PackedDay[];
  readonly losses: readonly LossTerm[];
}

/** Days without a row are missing as a whole: never zero. */
export function seriesOf(member: NamedMember, { range, lengths, rows, losses }: Given): Series {
  const factor = factorOf(member.coefficient);
  const count = lengths.length;
  const amounts = Array.from({ length: count }, () => 0n);
  const estimated = Array.from({ length: count }, () => 0n);
  const flags = Array.from({ length: count }, () => 0);
  const from = member.from_day === null ? 0 : dayNumber(member.from_day) - range.first;
  const to = member.to_day === null ? count - 1 : dayNumber(member.to_day) - range.first;
  const isNamed = lengths.map((_, at) => at >= from && at <= to);
  const missing = lengths.map((length, at) => (isNamed[at] ? length : 0));
  const bridges: Bridge[] = [];
  for (const row of rows) {
    if (!isNamed[row.at]) continue;
    flags[row.at] = row.flags;
    missing[row.at] =
      row.amount === null ? Math.max(1, row.lengthSec - row.knownSec) : row.lengthSec - row.knownSec;
    if (row.amount !== null) amounts[row.at] = amountOf(row.amount, factor);
    if (row.estimated !== "0") estimated[row.at] = amountOf(row.estimated, factor);
    if (row.gapAmount === null) continue;
    const amount = amountOf(row.gapAmount, factor);
    bridges.push({ from: row.gapFrom, to: row.at, amount, seconds: row.gapSec });
    if (row.gapEstimated !== "0")
      estimated[row.at] = (estimated[row.at] ?? 0n) + amountOf(row.gapEstimated, factor);
  }
  return {
    member,
    amounts,
    estimated,
    missing,
    isNamed,
    bridges: bridges.toSorted((a, b) => a.from - b.from),
    flags,
    lossShares: losses.length === 0 ? [] : sharesOf(losses, member.timezone, range),
  };
}

/** The term in force at the end of each day, as `point_day.ratio` is. */
const sharesOf = (terms: readonly LossTerm[], zone: string, { first, last }: DayNumbers) =>
  Array.from({ length: last - first + 1 }, (_, at) => {
    const end = startOfDay(zone, first + at + 1) - 1;
    return terms.findLast(({ from_ts, to_ts }) => from_ts <= end && (to_ts === null || to_ts > end))?.share;
  });
