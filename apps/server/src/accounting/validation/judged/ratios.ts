import type { FieldName } from "@metrum/vocabulary";
import { textOf, type Db } from "#core";
import { hasRatio, ratioWithin, ratiosOf } from "#accounting/accounting-points";
import { pointAt, type JudgedDevice } from "./deviceStore.ts";

/** A time in which something was consumed, in epoch seconds; `to` exclusive. */
export interface RatioSpan {
  readonly from: number;
  readonly to: number;
}

/** The ratio that the consumption of a span is multiplied by; null: it changes within, so it is not known. */
export type RatioOver = (span: RatioSpan) => number | null;

/**
 * The ratio of a field over time: of the point that its device measured at an instant; of a device that measured none,
 * its own; of a field that is behind no transformers of both kinds, 1.
 */
export async function ratioOf(
  db: Db,
  device: JudgedDevice,
  { field, at }: { readonly field: FieldName; readonly at: number },
): Promise<RatioOver> {
  if (!hasRatio(field)) return () => 1;
  const point = pointAt(device, at);
  if (!point) return (span) => ownRatio(device, span);
  const steps = (await ratiosOf(db, [point.point_id])).get(point.point_id) ?? [];
  return (span) => {
    const ratio = ratioWithin(steps, span);
    return ratio ? Number(textOf(ratio)) : null;
  };
}

function ownRatio({ ratios }: JudgedDevice, { from, to }: RatioSpan): number | null {
  const ratio = ratios.findLast(({ from_ts }) => from_ts <= from)?.ratio ?? 1;
  const isChanged = ratios.some(
    ({ from_ts, ratio: next }) => from_ts > from && from_ts < to && next !== ratio,
  );
  return isChanged ? null : ratio;
}
