import type pg from "pg";
import type { Clock } from "#core";
import { aheadSec, int2Array, int4Array, type ByField, type FieldSets } from "../rows/index.ts";
import type { Latest, LatestOrigin } from "./latest.ts";

/** The latest values by device and message type, cached by this process. */
export interface LatestCache {
  /** Reads the pairs that are not cached. */
  load(pairs: readonly { readonly deviceId: number; readonly msgType: number }[]): Promise<void>;
  of(deviceId: number, msgType: number): Latest | undefined;
  /** Applies committed values. */
  raise(deviceId: number, msgType: number, latest: Latest): void;
  /** The newest row was deleted. */
  forget(deviceId: number, msgType: number): void;
}

/**
 * How long a newer row stored by another process may go unnoticed. A device usually communicates through one
 * process; otherwise the price is one comparison with the row before the last.
 */
const freshMs = 60_000;
/**
 * Maximum number of cached values, including an overhead per pair: about 60 MB. Beyond it the cache is
 * cleared.
 */
const mostValues = 4_000_000;
const valuesOfPair = 10;

/** By message type, then device: small integers are by far the fastest keys. Null: there is no row. */
type Known = Map<number, Map<number, Latest | null>>;

export function createLatestCache(pool: pg.Pool, sets: FieldSets, clock: Clock): LatestCache {
  let known: Known = new Map();
  let size = 0;
  let since = clock.monotonicMs();
  const ofType = (msgType: number): Map<number, Latest | null> => {
    let map = known.get(msgType);
    if (!map) known.set(msgType, (map = new Map<number, Latest | null>()));
    return map;
  };
  return {
    async load(pairs) {
      if (clock.monotonicMs() - since > freshMs || size > mostValues) {
        known = new Map();
        size = 0;
        since = clock.monotonicMs();
      }
      const missing = pairs.filter(({ deviceId, msgType }) => !known.get(msgType)?.has(deviceId));
      if (missing.length === 0) return;
      const rows = await read(pool, missing);
      await sets.load(rows.map((row) => row.field_set_id));
      size += missing.length * valuesOfPair;
      for (const { deviceId, msgType } of missing) ofType(msgType).set(deviceId, null);
      for (const row of rows) {
        const latest = latestOf(row, sets);
        if (!latest) continue;
        size += latest.v.length;
        ofType(row.msg_type).set(row.device_id, latest);
      }
    },
    of: (deviceId, msgType) => known.get(msgType)?.get(deviceId) ?? undefined,
    raise(deviceId, msgType, latest) {
      const map = ofType(msgType);
      const current = map.get(deviceId);
      if (current && current.ts > latest.ts && current.ts <= clock.now() + aheadSec) return;
      if (current?.set !== latest.set) size += latest.v.length;
      // A copy, because the argument may be a whole row of a batch.
      const { ts, receivedAt, status, source, set, v, by_field } = latest;
      map.set(deviceId, { ts, receivedAt, status, source, set, v, by_field });
    },
    forget: (deviceId, msgType) => void known.get(msgType)?.delete(deviceId),
  };
}

export interface LatestRow {
  device_id: number;
  msg_type: number;
  ts: number;
  received_at: number;
  field_set_id: number;
  status: number;
  source: number;
  v: (number | null)[];
  by_field: ByField<LatestOrigin> | null;
}

/** The cached row; undefined while its set is not cached. */
export function latestOf(row: LatestRow, sets: FieldSets): Latest | undefined {
  const { ts, received_at: receivedAt, status, source, v, by_field } = row;
  const set = sets.byId(row.field_set_id);
  return set && { ts, receivedAt, status, source, set, v, by_field };
}

/** One row per pair, by the primary key of device_latest. */
async function read(
  pool: pg.Pool,
  pairs: readonly { readonly deviceId: number; readonly msgType: number }[],
): Promise<LatestRow[]> {
  const { rows } = await pool.query<LatestRow>({
    name: "messages-latest-cache",
    text: `select l.device_id, l.msg_type, l.ts, l.received_at, l.field_set_id, l.status, l.source, l.v, l.by_field
      from unnest($1::int4[], $2::int2[]) as k(device_id, msg_type)
      join device_latest l on l.device_id = k.device_id and l.msg_type = k.msg_type`,
    values: [int4Array(pairs.map((each) => each.deviceId)), int2Array(pairs.map((each) => each.msgType))],
  });
  return rows;
}
