import { amountOf, amountOfMicro, factorOf, oneFactor, startOfDay, type Exact } from "#core";
import { lossOver } from "#metering/messages";
import type { DayNumbers, PackedDay, PackedDays } from "#accounting/accounting-points";
import { AmountsByDay, type DayAmounts } from "./dayAmounts.ts";
import type { LossTerm } from "./dayStore.ts";
import type { NamedMember } from "./store.ts";

/** Consumption of a gap from the day in which it began to the one in which it ended. */
export interface Bridge {
  readonly from: number;
  readonly to: number;
  readonly amount: Exact;
  /** Seconds of the gap. */
  readonly seconds: number;
  /** Share of its amount that is lost, as text; undefined: none. */
  readonly lossShare?: string | undefined;
}

/** One point of a group by day; amounts with its coefficient. Days count from the first of the request. */
export interface Series {
  readonly member: NamedMember;
  /** What the readings of a day tell; 0 where nothing is known, see `missing`. */
  readonly amounts: DayAmounts;
  /** Part of the amounts and bridges that rests on estimated or added values, by day; no entry: nothing does. */
  readonly estimated: ReadonlyMap<number, Exact>;
  /**
   * Unknown seconds of each day; 0: the day is whole, or the formula does not name the point on it. Empty: every day
   * is whole and named.
   */
  readonly missing: readonly number[];
  /** Days of the formula: outside the point takes no part. Empty: all. */
  readonly isNamed: readonly boolean[];
  readonly bridges: readonly Bridge[];
  /** Bits of `point_day.flags`; empty where there are none. */
  readonly flags: readonly (number | undefined)[];
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
  readonly days: PackedDays;
  readonly losses: readonly LossTerm[];
}

/** Days without a row are missing as a whole: never zero. */
export function seriesOf(member: NamedMember, given: Given): Series {
  return seriesOfWhole(member, given) ?? seriesOfAny(member, given);
}

/** The usual series: every day of the request is whole, in the formula, and counts as it is. */
function seriesOfWhole(
  member: NamedMember,
  { range, lengths, days: { whole, others }, losses }: Given,
): Series | undefined {
  const isAlways = member.from_day === null && member.to_day === null;
  if (!isAlways || factorOf(member.coefficient) !== oneFactor) return;
  if (others.length > 0 || whole.length !== lengths.length || whole.some(Number.isNaN)) return;
  return {
    member,
    amounts: { micro: whole, fine: noAmounts },
    estimated: noAmounts,
    missing: [],
    isNamed: [],
    bridges: [],
    flags: [],
    lossShares: losses.length === 0 ? [] : sharesOf(losses, member.timezone, range),
  };
}

const noAmounts: ReadonlyMap<number, Exact> = new Map();

function seriesOfAny(member: NamedMember, { range, lengths, days, losses }: Given): Series {
  const from = member.from_day === null ? 0 : dayNumber(member.from_day) - range.first;
  const to = member.to_day === null ? lengths.length - 1 : dayNumber(member.to_day) - range.first;
  const isNamed = lengths.map((_, at) => at >= from && at <= to);
  const series = {
    member,
    amounts: new AmountsByDay({ micro: lengths.map(() => 0), fine: new Map() }),
    estimated: new Map<number, Exact>(),
    missing: lengths.map((length, at) => (isNamed[at] ? length : 0)),
    isNamed,
    bridges: [] as Bridge[],
    flags: [] as number[],
    lossShares: losses.length === 0 ? [] : sharesOf(losses, member.timezone, range),
  };
  const factor = factorOf(member.coefficient);
  days.whole.forEach((micro, at) => {
    if (Number.isNaN(micro) || !isNamed[at]) return;
    series.missing[at] = 0;
    if (factor === oneFactor) series.amounts.micro[at] = micro;
    else series.amounts.put(at, amountOfMicro(micro, factor));
  });
  const since = member.from_day === null ? -Infinity : from;
  for (const day of days.others) if (isNamed[day.at]) putDay(series, sinceDay(day, since), factor);
  series.bridges.sort((a, b) => a.from - b.from);
  if (losses.length === 0) return series;
  const bridges = series.bridges.map((bridge) => ({
    ...bridge,
    lossShare: shareOver(losses, member.timezone, range.first + bridge.from, range.first + bridge.to),
  }));
  return { ...series, bridges };
}

interface Built {
  readonly amounts: AmountsByDay;
  readonly estimated: Map<number, Exact>;
  readonly missing: number[];
  readonly bridges: Bridge[];
  readonly flags: number[];
}

/**
 * A gap that began before a point was in the formula is not of its group alone, and nobody knows how much of it is: what
 * is missing of the day stays missing.
 */
const sinceDay = (day: PackedDay, since: number): PackedDay =>
  day.gapFrom < since ? { ...day, gapAmount: null } : day;

/** A day of which more is told than a whole amount. */
function putDay(
  { amounts, estimated, missing, bridges, flags }: Built,
  day: PackedDay,
  factor: bigint,
): void {
  const { at, amount, gapAmount } = day;
  flags[at] = day.flags;
  missing[at] = amount === null ? Math.max(1, day.missingSec) : day.missingSec;
  if (amount !== null) amounts.put(at, amountOf(amount, factor));
  if (gapAmount !== null)
    bridges.push({ from: day.gapFrom, to: at, amount: amountOf(gapAmount, factor), seconds: day.gapSec });
  const ofGap = gapAmount === null ? 0n : amountOf(day.gapEstimated, factor);
  const sum = amountOf(day.estimated, factor) + ofGap;
  if (sum !== 0n) estimated.set(at, sum);
}

/** The share of each day by the rule of `lossOver`. */
const sharesOf = (terms: readonly LossTerm[], zone: string, { first, last }: DayNumbers) =>
  Array.from({ length: last - first + 1 }, (_, at) => shareOver(terms, zone, first + at, first + at));

/** The share of whole days, both inclusive. */
function shareOver(
  terms: readonly LossTerm[],
  zone: string,
  first: number,
  last: number,
): string | undefined {
  const steps = terms.map(({ from_ts, to_ts, share }) => ({ from: from_ts, to: to_ts, share }));
  return lossOver(steps, { from: startOfDay(zone, first), to: startOfDay(zone, last + 1) });
}
