import { statuses } from "@metrum/vocabulary";
import type { Proposal } from "./estimate.ts";
import type { Judged, Step, Value } from "./judged.ts";
import { stepsOf } from "./series.ts";

interface Period {
  readonly from: number;
  readonly to: number;
  readonly ratio: number;
}

/** Millionths, so that sums are exact. */
const micro = (value: number): bigint => BigInt(Math.round(value * 1e6));

function text(value: bigint): string {
  const sign = value < 0n ? "-" : "";
  const digits = (value < 0n ? -value : value).toString().padStart(7, "0");
  const fraction = digits.slice(-6).replace(/0+$/, "");
  return `${sign}${digits.slice(0, -6)}${fraction === "" ? "" : `.${fraction}`}`;
}

/** Consumption that ends in a period; undefined without any. */
function sumOf(steps: readonly Step[], { from, to, ratio }: Period): bigint | undefined {
  const own = steps.filter((step) => step.from >= from && step.to <= to);
  if (own.length === 0) return undefined;
  // A ratio has three decimals: the product is exact in nine.
  const sum = own.reduce((all, { amount }) => all + micro(amount), 0n);
  return (sum * BigInt(Math.round(ratio * 1000))) / 1000n;
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
      to: ts + 1800,
      amount: value / 2,
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
