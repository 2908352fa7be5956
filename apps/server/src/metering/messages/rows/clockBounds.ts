import type { MeterModel } from "@metrum/catalogue";
import type { QuarantineReason } from "@metrum/contract/metering";
import type { DeviceMetadata, Incoming } from "./types.ts";

const day = 86_400;
const month = 31 * day;

/** How far the clock of a meter, a network or a user may be ahead of the server's. */
export const aheadSec = 600;
export const earliest = Date.UTC(2000, 0, 1) / 1000;
/** Range of the stored difference between time stamp and receipt. */
const largestOffset = 2 ** 31 - 1;

/** Maximum age of a reading at receipt, by message type, where the model has no archive of that type. */
const defaultDepthSec: Readonly<Record<number, number>> = {
  3: 366 * day,
  5: 180 * day,
  7: 3660 * day,
  10: 180 * day,
  100: 180 * day,
  101: 3 * 366 * day,
  103: 3660 * day,
};
/** Polled current readings: the meter answers with its registers, or with the last frozen values. */
const polledDepthSec = 62 * day;
/** The same for uplinks: a radio module out of coverage delivers stored readings months later. */
const pushedDepthSec = 366 * day;

/**
 * How far back the time stamps of a device of this model may lie, in seconds by message type: the depth of
 * its archives plus two of their periods, for the slot being overwritten and for a slow clock.
 */
export function depthsOf(model: MeterModel | undefined): ReadonlyMap<number, number> {
  if (model?.driver.kind !== "line") return new Map();
  return new Map(
    model.driver.archives.map(({ msgType, period, depthSec }) => {
      if (period === "events") return [msgType, Math.max(depthSec, defaultDepthSec[7] ?? 0)];
      return [msgType, depthSec + 2 * Math.max(period === "month" ? month : period, day)];
    }),
  );
}

/**
 * Why the time stamp of a reading is implausible; undefined when it is plausible. Imported and manual readings
 * may be historical: for them only the year 2000 and the present are limits, as for readings released by a user.
 * Calculated readings have time stamps of stored rows.
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
  const present = source === "pushed" ? pushedDepthSec : polledDepthSec;
  const depth = depths.get(msgType) ?? defaultDepthSec[msgType] ?? present;
  return ts < receivedAt - depth ? "too_old" : undefined;
}
