import type pg from "pg";
import { isArchive } from "../growth/index.ts";
import { nearestClocks, type MeterClock } from "../read/index.ts";
import type { Incoming } from "../rows/index.ts";

/** Archives are stamped by the clock of their meter: so far off, one holds the counters of another time. */
const toleratedSec = 2 * 3600;
/** Messages that are read at their own time tell how far off the clock is. */
const momentTypes: ReadonlySet<number> = new Set([1, 2]);

interface Read {
  readonly reading: Incoming;
}

const isOfMeter = ({ source }: Incoming): boolean => source === "polled" || source === "pushed";

/**
 * Archives whose meter had a clock that was off, by the nearest reading before or after them: of the batch, or stored.
 * A zone or a summer time that a meter does not follow is no fault. Nothing is read for a batch without archives.
 */
export async function strayArchives<Of extends Read>(
  pool: pg.Pool,
  batch: readonly Of[],
): Promise<ReadonlySet<Of>> {
  const archives = batch.filter(({ reading }) => isArchive(reading.msgType) && isOfMeter(reading));
  if (archives.length === 0) return new Set();
  const own = new Map<number, MeterClock[]>();
  for (const { reading } of batch) {
    const { deviceId, msgType, ts, meterAt, receivedAt } = reading;
    if (!momentTypes.has(msgType) || meterAt === undefined) continue;
    own.set(deviceId, [...(own.get(deviceId) ?? []), { ts, offSec: meterAt - receivedAt }]);
  }
  const stored = await nearestClocks(
    pool,
    archives.map(({ reading }) => reading),
  );
  return new Set(
    archives.filter(({ reading: { deviceId, ts } }, at) => {
      const [nearest] = [...(stored[at] ?? []), ...(own.get(deviceId) ?? [])].sort(
        (a, b) => Math.abs(a.ts - ts) - Math.abs(b.ts - ts),
      );
      return nearest !== undefined && Math.abs(nearest.offSec) > toleratedSec;
    }),
  );
}
