import type { Db } from "#core";
import { ratioAt, ratiosOf } from "#accounting/accounting-points";
import { pointAt, type JudgedDevice } from "./deviceStore.ts";

/** The ratio that consumption is multiplied by at an instant, in epoch seconds. */
export type RatioAt = (ts: number) => number;

/**
 * The ratio of the point that a device measured at an instant, over the time of the point; of a device that measured
 * none, its own.
 */
export async function ratioOver(db: Db, device: JudgedDevice, at: number): Promise<RatioAt> {
  const point = pointAt(device, at);
  if (!point) return (ts) => device.ratios.findLast(({ from_ts }) => from_ts <= ts)?.ratio ?? 1;
  const steps = (await ratiosOf(db, [point.point_id])).get(point.point_id) ?? [];
  return (ts) => {
    const { units, scale } = ratioAt(steps, ts);
    return Number(units) / 10 ** scale;
  };
}
