import type { BalanceState, LossRule, PeriodSums } from "@metrum/contract/accounting";
import { absolute, dayText, exactOf, percentOf, shareOf, shown, type Exact } from "#core";
import { amountAt, ExactSum } from "./dayAmounts.ts";
import type { Series } from "./series.ts";

/** What a balance is computed of. */
export interface Input {
  /** First day, since 1970-01-01. */
  readonly first: number;
  readonly lengths: readonly number[];
  readonly series: readonly Series[];
  readonly rule: LossRule;
  readonly lossText: string | null;
  readonly allowed: number;
}

export interface Exacts {
  readonly in: Exact;
  readonly out: Exact;
  readonly losses: Exact;
  readonly imbalance: Exact;
}

/** A part of the days of a request, both ends inclusive, as indexes. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

export interface Result {
  /** Consumption of each series over the days that are not left out. */
  readonly byPoint: readonly Exact[];
  /** Null: there is no day on which every point is known. */
  readonly exacts: Exacts | null;
  /** By day: left out because something is missing that no gap amount of the part brings. */
  readonly isOut: readonly boolean[];
  readonly computedDays: number;
}

/**
 * Sums over the days of a part on which every point is known. A gap of a cumulative register has a known amount:
 * its days are summed together if the whole gap lies in the part and nothing else is missing on them; otherwise all
 * of its days are left out, of all points, so that like is compared with like.
 */
export function sumsOver(input: Input, part: Part): Result {
  const isOut = leftOut(input.series, part);
  let computedDays = 0;
  for (let at = part.from; at <= part.to; at += 1) if (!isOut[at - part.from]) computedDays += 1;
  if (computedDays === 0 || input.series.length === 0)
    return { byPoint: [], exacts: null, isOut, computedDays: 0 };
  const sums = { in: 0n, out: 0n, loss: 0n };
  let byPoints = 0n;
  const byPoint: Exact[] = [];
  for (const series of input.series) {
    const amount = pointSum(series, part, isOut);
    byPoint.push(amount);
    sums[series.member.role] += amount;
    if (input.rule === "points" && series.member.role !== "loss")
      byPoints += pointLosses(series, part, isOut);
  }
  const losses = sums.loss + byPoints + ruleLosses(input, sums.in, computedDays);
  return { byPoint, exacts: exactsOf(sums.in, sums.out, losses), isOut, computedDays };
}

export const exactsOf = (into: Exact, out: Exact, losses: Exact): Exacts => ({
  in: into,
  out,
  losses,
  imbalance: into - out - losses,
});

/** Losses by a rule that needs no point. */
export function ruleLosses(
  { rule, lossText }: Pick<Input, "rule" | "lossText">,
  into: Exact,
  days: number,
): Exact {
  if (lossText === null) return 0n;
  if (rule === "percent") return shareOf(into, lossText) / 100n;
  return rule === "fixed" ? exactOf(lossText) * BigInt(days) : 0n;
}

/** Consumption of a point over the days of a part that are not left out, with the gaps that they contain. */
export function pointSum(series: Series, { from, to }: Part, isOut: readonly boolean[]): Exact {
  const days = new ExactSum();
  for (let at = from; at <= to; at += 1) if (!isOut[at - from]) days.addDay(series.amounts, at);
  let sum = days.value;
  for (const bridge of series.bridges)
    if (bridge.from >= from && bridge.to <= to && !isOut[bridge.to - from]) sum += bridge.amount;
  return sum;
}

function pointLosses(series: Series, { from, to }: Part, isOut: readonly boolean[]): Exact {
  if (series.lossShares.length === 0) return 0n;
  let sum = 0n;
  for (let at = from; at <= to; at += 1) {
    const share = series.lossShares[at];
    if (share !== undefined && !isOut[at - from]) sum += shareOf(amountAt(series.amounts, at), share);
  }
  for (const bridge of series.bridges) {
    const share = bridge.lossShare;
    if (share !== undefined && bridge.from >= from && bridge.to <= to && !isOut[bridge.to - from])
      sum += shareOf(bridge.amount, share);
  }
  return sum;
}

/** Days of a part that cannot be compared. */
function leftOut(all: readonly Series[], { from, to }: Part): boolean[] {
  const isOut = Array.from({ length: Math.max(0, to - from + 1) }, () => false);
  for (const series of all.filter(({ missing }) => missing.length > 0))
    for (let at = from; at <= to; at += 1)
      if ((series.missing[at] ?? 0) > 0 && !isBridged(series, at)) isOut[at - from] = true;
  const gaps = all.flatMap(({ bridges }) => bridges).filter((b) => b.to >= from && b.from <= to);
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (const gap of gaps) {
      const days = daysOf(gap, { from, to });
      const isWhole = gap.from >= from && gap.to <= to && days.every((at) => !isOut[at]);
      if (isWhole || days.every((at) => isOut[at])) continue;
      for (const at of days) isOut[at] = true;
      isChanged = true;
    }
  }
  return isOut;
}

/**
 * Whether closed gaps explain what is missing of a day: with all of their days they miss no more seconds than the gaps
 * have, otherwise another hole begins or ends on one of these days.
 */
function isBridged({ missing, bridges }: Series, at: number): boolean {
  const chain = chainAt(bridges, at);
  if (!chain) return false;
  let lacking = 0;
  for (let day = Math.max(0, chain.from); day <= chain.to; day += 1) lacking += missing[day] ?? 0;
  return lacking <= chain.seconds;
}

/** Gaps that touch a day, and those that share a day with them. */
function chainAt(bridges: Series["bridges"], at: number): (Part & { readonly seconds: number }) | null {
  let chain: (Part & { readonly seconds: number }) | null = null;
  for (const { from, to, seconds } of bridges) {
    if (chain && from <= chain.to) chain = { from: chain.from, to, seconds: chain.seconds + seconds };
    else if (chain && at <= chain.to) break;
    else chain = { from, to, seconds };
  }
  return chain && chain.from <= at && at <= chain.to ? chain : null;
}

const daysOf = (gap: Part, { from, to }: Part): number[] => {
  const [start, end] = [Math.max(gap.from, from), Math.min(gap.to, to)];
  return Array.from({ length: Math.max(0, end - start + 1) }, (_, at) => start - from + at);
};

/** Known share of the seconds of all points, percent, rounded down: only complete data is 100. */
export function coveredPercent({ series, lengths }: Input, { from, to }: Part): number {
  let [due, missing] = [0, 0];
  const all = lengths.slice(from, to + 1).reduce((sum, length) => sum + length, 0);
  for (const each of series)
    if (each.missing.length === 0) due += all;
    else
      for (let at = from; at <= to; at += 1)
        if (each.isNamed[at]) {
          due += lengths[at] ?? 0;
          missing += each.missing[at] ?? 0;
        }
  return due === 0 ? 0 : Math.floor(((due - missing) / due) * 1000) / 10;
}

export function stateOf(result: Result, days: number, allowed: number): BalanceState {
  if (!result.exacts) return days === 0 ? "empty" : "incomplete";
  if (exceeds(result.exacts, allowed)) return "exceeded";
  return result.computedDays < days ? "incomplete" : "ok";
}

/** Exactly, without a rounded percentage: |imbalance| > in * allowed / 100. */
export const exceeds = ({ imbalance, in: into }: Exacts, allowed: number): boolean =>
  absolute(imbalance) * 100n > shareOf(absolute(into), String(allowed));

/** Sums of a part as they are shown. */
export function periodSums(input: Input, part: Part, result = sumsOver(input, part)): PeriodSums {
  const days = Math.max(0, part.to - part.from + 1);
  return {
    ...shownSums(result.exacts),
    start_day: dayText(input.first + part.from),
    stop_day: dayText(input.first + Math.max(part.from, part.to)),
    days,
    computed_days: result.computedDays,
    covered_percent: coveredPercent(input, part),
    state: stateOf(result, days, input.allowed),
  };
}

export function shownSums(exacts: Exacts | null) {
  return {
    in: exacts && shown(exacts.in),
    out: exacts && shown(exacts.out),
    losses: exacts && shown(exacts.losses),
    imbalance: exacts && shown(exacts.imbalance),
    imbalance_percent: exacts && percentOf(exacts.imbalance, exacts.in),
  };
}

/** Sums of each calendar month; those of the only month are the sums of all days. */
export function sumsByMonth(input: Input, total: PeriodSums): PeriodSums[] {
  const months = monthsOf(input);
  return months.length === 1 ? [total] : months.map((part) => periodSums(input, part));
}

/** The calendar months that a range of days touches. */
export function monthsOf({ first, lengths }: Pick<Input, "first" | "lengths">): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < lengths.length; at += 1) {
    const last = parts.at(-1);
    const month = dayText(first + at).slice(0, 7);
    if (last && dayText(first + last.from).startsWith(month)) parts[parts.length - 1] = { ...last, to: at };
    else parts.push({ from: at, to: at });
  }
  return parts;
}
