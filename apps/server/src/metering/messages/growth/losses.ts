import { decimal, share as partOf, textOf } from "#core";

/** The share of losses of a point in an interval; `to` exclusive, null: still; `share` is a decimal as text. */
export interface LossStep {
  readonly from: number;
  readonly to: number | null;
  readonly share: string;
}

/** Decimals of a share that a change divides. */
const shareScale = 12;

/**
 * The rule of losses, wherever amounts of a span of time are concerned: a share holds from its moment to its end. Of a
 * span in which it changes nobody knows how its consumption was spread, so shares count by their part of the time, to
 * twelve decimals. Undefined: no share holds in the span, whose `to` is exclusive.
 */
export function lossOver(
  steps: readonly LossStep[],
  { from, to }: { readonly from: number; readonly to: number },
): string | undefined {
  let sum: bigint | undefined;
  for (const step of steps) {
    const length = Math.min(to, step.to ?? to) - Math.max(from, step.from);
    if (length <= 0) continue;
    if (length === to - from) return step.share;
    const { units, scale } = decimal(step.share);
    const whole = units * 10n ** BigInt(Math.max(0, 2 * shareScale - scale));
    sum = (sum ?? 0n) + partOf(whole, length, to - from);
  }
  if (sum === undefined) return undefined;
  const units = partOf(sum, 1, 10 ** shareScale);
  return textOf({ units, scale: shareScale });
}
