import { sources, statuses, type DeviceId } from "@metrum/vocabulary";
import { int2Array, int4Array, int8Array } from "../rows/index.ts";
import { ask, type Reader } from "./ask.ts";
import { rowColumns, type MessageRow } from "./periodStore.ts";

/** A row near an instant. */
export interface NearRow extends MessageRow {
  /** Its receipt, in seconds after `ts`. */
  readonly received: number;
}

/** An instant of a device and type, epoch seconds. */
export interface Instant {
  readonly deviceId: number;
  readonly msgType: number;
  readonly ts: number;
}

interface Near {
  /** How many rows up to the instant, itself included. */
  readonly upTo: number;
  readonly after?: number;
  /** How far they may be away, exclusive. */
  readonly reachSec: number;
  /** `said`: neither derived nor estimated as a whole. */
  readonly which?: "all" | "said";
}

const conditions = {
  all: "",
  said: `and (by_field is not null or (source <> ${String(sources.calculated)} and status <> ${String(statuses.estimated.id)}))`,
};

/**
 * The rows of devices and types nearest to instants, on both sides: a list by time for each instant. Rows: those asked
 * for, by the primary key of message, backwards or forwards from the instant. The ids come from a query on `device`.
 */
export async function nearestRows(
  reader: Reader,
  instants: readonly Instant[],
  { upTo, after = 0, reachSec, which = "all" }: Near,
): Promise<NearRow[][]> {
  const found = instants.map((): NearRow[] => []);
  if (instants.length === 0) return found;
  const own = `select ${rowColumns}, received_at_offset as received from message
    where device_id = k.device_id and msg_type = k.msg_type ${conditions[which]}`;
  // Numbers stand in the text: a plan for any limit would rather sort than read the index backwards.
  const reach = `${String(reachSec)}::int8`;
  const before = `(${own} and ts <= k.at and ts > k.at - ${reach} order by ts desc limit ${String(upTo)})`;
  const beyond = `(${own} and ts > k.at and ts < k.at + ${reach} order by ts limit ${String(after)})`;
  const rows = await ask<NearRow & { readonly n: number }>(reader, {
    name: `messages-nearest-${which}-${String(upTo)}-${String(after)}-${String(reachSec)}`,
    text: `select k.n::int as n, m.* from unnest($1::int4[], $2::int2[], $3::int8[]) with ordinality as k(device_id, msg_type, at, n)
      cross join lateral (${after > 0 ? `${before} union all ${beyond}` : before}) m`,
    values: [
      int4Array(instants.map(({ deviceId }) => deviceId)),
      int2Array(instants.map(({ msgType }) => msgType)),
      int8Array(instants.map(({ ts }) => ts)),
    ],
  });
  for (const row of rows) found[row.n - 1]?.push(row);
  for (const each of found) each.sort((a, b) => a.ts - b.ts);
  return found;
}

/** A calculated row and its type. */
export interface CalculatedNear extends Pick<MessageRow, "ts" | "field_set_id" | "v"> {
  readonly msg_type: number;
}

const mostCalculated = 50;

/**
 * The newest calculated rows of a device before an instant, of all types, the newest first. Rows: 50, by the primary key
 * of message, the partitions from the instant backwards.
 */
export async function newestCalculated(
  reader: Reader,
  id: DeviceId,
  before: number,
): Promise<CalculatedNear[]> {
  return ask(reader, {
    name: "messages-nearest-calculated",
    text: `select msg_type, ts, field_set_id, v::text as v from message
      where device_id = $1::int4 and ts < $2::int8 and source = ${String(sources.calculated)}
      order by ts desc limit ${String(mostCalculated)}`,
    values: [id, before],
  });
}

/** By how much the clock of a meter was ahead when a message was read at its own time. */
export interface MeterClock {
  readonly ts: number;
  readonly offSec: number;
}

const clockReachSec = String(62 * 86_400);

/** The nearest message of a type with a clock, on one side of an instant. */
const nearestClock = (side: string, order: "asc" | "desc"): string => `
  (select ts, real_ts_offset - received_at_offset as "offSec" from message
    where device_id = k.device_id and msg_type = t.msg_type and ${side} and real_ts_offset is not null
    order by ts ${order} limit 1)`;

/**
 * Clocks of devices around instants, two months at most, in their order. Rows: four an instant, by the primary key of
 * message. Archives by the thousand ask for them: what else the rows hold is left where it is.
 */
export async function nearestClocks(
  reader: Reader,
  instants: readonly { readonly deviceId: number; readonly ts: number }[],
): Promise<MeterClock[][]> {
  const rows = await ask<MeterClock & { readonly n: number }>(reader, {
    name: "messages-nearest-clocks",
    text: `select k.n::int as n, c.* from unnest($1::int4[], $2::int8[]) with ordinality as k(device_id, ts, n)
      cross join unnest(array[1, 2]::int2[]) as t(msg_type)
      cross join lateral (${nearestClock(`ts <= k.ts and ts > k.ts - ${clockReachSec}`, "desc")}
        union all ${nearestClock(`ts > k.ts and ts < k.ts + ${clockReachSec}`, "asc")}) c`,
    values: [int4Array(instants.map(({ deviceId }) => deviceId)), int8Array(instants.map(({ ts }) => ts))],
  });
  const found = instants.map((): MeterClock[] => []);
  for (const { n, ts, offSec } of rows) found[n - 1]?.push({ ts, offSec });
  return found;
}
