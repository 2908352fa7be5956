import { sources, statuses, type DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";
import type { JudgedRow } from "../rows/index.ts";

/** An instant of a device. */
export interface Instant {
  readonly deviceId: DeviceId;
  readonly ts: number;
}

/** A row near an instant; `n` is the position of the instant. */
export interface RowAround extends JudgedRow {
  readonly n: number;
  readonly ts: number;
  readonly field_set_id: number;
  readonly v: string;
}

/** Rows on each side: the nearest may be doubtful, or have other fields. */
const each = 4;
const reachSec = 62 * 86_400;
const columns = sql`ts, field_set_id, status, source, v::text as v, by_field`;

/**
 * Rows of these types at instants and nearest to them on both sides, at most two months away; rows that were derived or
 * estimated as a whole are left out. Rows: 9 a type and instant, by the primary key of message. The ids must come from a
 * query on `device` in the same transaction.
 */
export async function rowsAround(
  db: Db,
  instants: readonly Instant[],
  types: readonly number[],
): Promise<RowAround[]> {
  const own = sql`device_id = k.device_id and msg_type = t.type
    and (by_field is not null or (source <> ${sources.calculated} and status <> ${statuses.estimated.id}))`;
  const { rows } = await sql<RowAround>`
    select k.n::int as n, m.*
    from unnest(${instants.map(({ deviceId }) => deviceId)}::int[], ${instants.map(({ ts }) => ts)}::bigint[])
      with ordinality as k (device_id, at, n)
    cross join unnest(${[...types]}::smallint[]) as t (type)
    cross join lateral (
      (select ${columns} from message where ${own} and ts <= k.at and ts > k.at - ${reachSec}::int
        order by ts desc limit ${each + 1})
      union all
      (select ${columns} from message where ${own} and ts > k.at and ts < k.at + ${reachSec}::int
        order by ts limit ${each})
    ) m order by k.n, m.ts`.execute(db);
  return rows;
}
