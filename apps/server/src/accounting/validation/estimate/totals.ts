import { statuses } from "@metrum/vocabulary";
import { decimalOf, microScale, ofMicro, plus, startOfDay, textOf, times, unitsAt, zero } from "#core";
import type { ChangedDay } from "#accounting/balances";
import type { Proposal } from "./estimate.ts";
import { stepsOf, type Judged, type RatioOver, type Step, type Value } from "../judged/index.ts";

interface Period {
  readonly from: number;
  readonly to: number;
  readonly ratioOver: RatioOver;
}

const text = (micro: bigint): string => textOf(ofMicro(micro));

/** Steps that lie in a period and in one ratio, with this; what goes over a change of the ratio is not known. */
const within = (steps: readonly Step[], { from, to, ratioOver }: Period) =>
  steps.flatMap((step) => {
    const ratio = step.from >= from && step.to <= to ? ratioOver(step) : null;
    return ratio === null ? [] : [{ step, ratio }];
  });

/** Consumption that lies in a period, each step by its ratio; undefined without any. */
function sumOf(steps: readonly Step[], period: Period): bigint | undefined {
  const own = within(steps, period);
  if (own.length === 0) return undefined;
  const sum = own.reduce(
    (all, { step, ratio }) => plus(all, times(decimalOf(step.amount), decimalOf(ratio))),
    zero,
  );
  return unitsAt(sum, microScale);
}

/** The steps as they would be with the estimates in the place of the values. */
export function stepsWith(judged: Judged, { values }: Proposal): readonly Step[] {
  const estimates = new Map(values.map((each) => [each.ts, each.value]));
  const estimate = (ts: number, value: number): Value => ({
    ts,
    value,
    msgType: 0,
    field: judged.field,
    status: statuses.estimated.id,
    source: 0,
    receivedAt: ts,
    meterAt: null,
  });
  if (judged.isProfile) {
    const others = judged.steps.filter(({ from }) => !estimates.has(from));
    const added = [...estimates].map(([ts, value]) => ({
      from: ts,
      to: ts + judged.everySec,
      amount: (value * judged.everySec) / 3600,
      perHour: value,
      value: estimate(ts, value),
    }));
    return [...others, ...added].toSorted((a, b) => a.from - b.from);
  }
  const levels = (judged.levels.get(judged.field) ?? []).filter(({ ts }) => !estimates.has(ts));
  const all = [...levels, ...[...estimates].map(([ts, value]) => estimate(ts, value))];
  return stepsOf(
    all.toSorted((a, b) => a.ts - b.ts),
    judged.rangeOf(judged.field),
  );
}

/** Days of a range, both inclusive, that an estimate changes or makes whole. */
export function changedDays(
  judged: Judged,
  proposal: Proposal,
  {
    zone,
    first,
    last,
    ratioOver,
  }: { readonly zone: string; readonly first: number; readonly last: number; readonly ratioOver: RatioOver },
): ChangedDay[] {
  const changed = stepsWith(judged, proposal);
  const days = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  return days.flatMap((day) => {
    const period = { from: startOfDay(zone, day), to: startOfDay(zone, day + 1), ratioOver };
    const [before, after] = [sumOf(judged.steps, period), sumOf(changed, period)];
    if (after === undefined) return [];
    const change = after - (before ?? 0n);
    const isWhole = isCovered(changed, period);
    if (change === 0n && isWhole === isCovered(judged.steps, period)) return [];
    return [{ day, change: text(change), whole: isWhole ? text(after) : null }];
  });
}

/** Whether the known steps that lie in a period leave nothing of it out. */
function isCovered(steps: readonly Step[], period: Period): boolean {
  const length = within(steps, period).reduce((sum, { step }) => sum + step.to - step.from, 0);
  return length === period.to - period.from;
}

/** Consumption of a period before and after, exact decimals; null: nothing is known. */
export function totalsWith(judged: Judged, proposal: Proposal, period: Period) {
  const before = sumOf(judged.steps, period);
  const after = sumOf(stepsWith(judged, proposal), period);
  const change = after === undefined ? undefined : after - (before ?? 0n);
  return {
    before: before === undefined ? null : text(before),
    after: after === undefined ? null : text(after),
    change: change === undefined ? null : text(change),
    isLower: change !== undefined && change < 0n,
  };
}
