import type { MeterModel } from "@metrum/catalogue";
import type { QuarantineReason } from "@metrum/contract";
import type { DeviceMetadata, Incoming } from "./types.ts";

const day = 86_400;
const month = 31 * day;

/** How far the clock of a meter, a network or a person may run before ours. */
export const aheadSec = 600;
export const earliest = Date.UTC(2000, 0, 1) / 1000;
/** What the stored distance between stamp and receipt can be. */
const largestOffset = 2 ** 31 - 1;

/** How old a reading may be at its receipt, by message type, where the model names no archive of that type. */
const supposedDepthSec: Readonly<Record<number, number>> = {
  3: 366 * day,
  5: 180 * day,
  7: 3660 * day,
  10: 180 * day,
  100: 180 * day,
  101: 3 * 366 * day,
  103: 3660 * day,
};
/** Readings of the present that were asked for: the meter answers with its registers, or with what it last froze. */
const askedDepthSec = 62 * day;
/** The same when a device sends by itself: a radio module that was out of reach hands in what it has kept, months later. */
const sentDepthSec = 366 * day;

/**
 * How far back the stamps of a device of this model may lie, in seconds by message type: the depth of its archives, and two more of
 * their periods for the slot that is just being written over and for a clock that is slow.
 */
export function depthsOf(model: MeterModel | undefined): ReadonlyMap<number, number> {
  if (model?.driver.kind !== "line") return new Map();
  return new Map(
    model.driver.archives.map(({ msgType, period, depthSec }) => {
      if (period === "events") return [msgType, Math.max(depthSec, supposedDepthSec[7] ?? 0)];
      return [msgType, depthSec + 2 * Math.max(period === "month" ? month : period, day)];
    }),
  );
}

/**
 * Why the stamp of a reading cannot be what an honest clock said; undefined when it can. Files and people bring history: for them only
 * the year 2000 and the present are bounds, as for what a person released. What is calculated has its stamps from stored rows.
 */
export function clockFault(
  { ts, receivedAt, msgType, source, isReleased }: Incoming,
  { depths }: Pick<DeviceMetadata, "depths">,
): QuarantineReason | undefined {
  if (!Number.isSafeInteger(ts) || Math.abs(receivedAt - ts) > largestOffset) return "no_time";
  if (source === "calculated" || isReleased) return undefined;
  if (ts < earliest) return "before_2000";
  if (ts > receivedAt + aheadSec) return "clock_ahead";
  if (source === "imported" || source === "manual") return undefined;
  const present = source === "pushed" ? sentDepthSec : askedDepthSec;
  const depth = depths.get(msgType) ?? supposedDepthSec[msgType] ?? present;
  return ts < receivedAt - depth ? "too_old" : undefined;
}
