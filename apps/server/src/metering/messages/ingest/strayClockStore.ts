import type pg from "pg";
import { int4Array, int8Array } from "../rows/index.ts";

/** By how much the clock of a meter was ahead when a message was read at its own time. */
export interface MeterClock {
  readonly ts: number;
  readonly offSec: number;
}

const reachSec = String(62 * 86_400);

/** The nearest message of a type with a clock, on one side of an instant. */
const nearest = (
  side: "ts <= k.ts and ts > k.ts - " | "ts > k.ts and ts < k.ts + ",
  order: "asc" | "desc",
) => `
  (select ts, real_ts_offset - received_at_offset as "offSec" from message
    where device_id = k.device_id and msg_type = t.msg_type and ${side}${reachSec} and real_ts_offset is not null
    order by ts ${order} limit 1)`;

/**
 * Clocks of devices around instants, two months at most, in their order. Rows: four an instant, by the primary key of
 * message.
 */
export async function nearestClocks(
  pool: pg.Pool,
  instants: readonly { readonly deviceId: number; readonly ts: number }[],
): Promise<MeterClock[][]> {
  const { rows } = await pool.query<MeterClock & { readonly n: number }>({
    name: "messages-clocks",
    text: `select k.n::int as n, c.* from unnest($1::int4[], $2::int8[]) with ordinality as k(device_id, ts, n)
      cross join unnest(array[1, 2]::int2[]) as t(msg_type)
      cross join lateral (${nearest("ts <= k.ts and ts > k.ts - ", "desc")}
        union all ${nearest("ts > k.ts and ts < k.ts + ", "asc")}) c`,
    values: [int4Array(instants.map(({ deviceId }) => deviceId)), int8Array(instants.map(({ ts }) => ts))],
  });
  const found = instants.map((): MeterClock[] => []);
  for (const { n, ts, offSec } of rows) found[n - 1]?.push({ ts, offSec });
  return found;
}
