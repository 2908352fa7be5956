import { sources, type DeviceId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import type { Db } from "#core";
import { estimateMark, type ByField } from "../rows/index.ts";

/** A row that a device, a person or an estimate has given; derived ones are none. */
export interface GivenRow {
  readonly msg_type: number;
  readonly ts: number;
  readonly real: number | null;
  readonly received: number;
  readonly status: number;
  readonly source: number;
  readonly field_set_id: number;
  readonly v: string;
  readonly by_field: ByField | null;
  readonly method: string | null;
}

/** A period of a device, both ends inclusive. The id comes from a query on `device` in the same transaction. */
export interface GivenSpan {
  readonly deviceId: DeviceId;
  readonly from: number;
  readonly to: number;
}

/** Rows of a type that are read at once: two months of half-hours, or two weeks of minutes. */
export const mostGiven = 20_000;
/** Distance of the rows that stand for denser ones: with a minute between them still 25 minutes apart. */
const spreadSec = 1560;

const columns = sql`msg_type, ts, real_ts_offset as real, received_at_offset as received, status, source, field_set_id,
  v::text as v, by_field, extra ->> 'method' as method`;
const isGiven = sql`(source <> ${sources.calculated} or extra ? ${estimateMark})`;

/** Types of which there are more rows than are read at once. */
export const denseTypes = (rows: readonly GivenRow[]): number[] => {
  const counts = new Map<number, number>();
  for (const { msg_type } of rows) counts.set(msg_type, (counts.get(msg_type) ?? 0) + 1);
  return [...counts].flatMap(([type, count]) => (count > mostGiven ? [type] : []));
};

/** The oldest rows of each type in a period, one more than are read at once. Index: primary key of message. */
export async function oldestGiven(
  db: Db,
  types: readonly number[],
  { deviceId, from, to }: GivenSpan,
): Promise<GivenRow[]> {
  const { rows } = await sql<GivenRow>`
    select m.* from unnest(${[...types]}::smallint[]) as k (type)
    cross join lateral (
      select ${columns} from message
      where device_id = ${deviceId}::int and msg_type = k.type and ts >= ${from}::bigint and ts <= ${to}::bigint
        and ${isGiven}
      order by ts limit ${mostGiven + 1}
    ) m order by m.ts, m.msg_type`.execute(db);
  return rows;
}

/**
 * The rows of a period; of a type with more than are read at once, one of every 26 minutes. Index: primary key of
 * message, once a row.
 */
export async function spreadGiven(
  db: Db,
  types: readonly number[],
  of: GivenSpan,
): Promise<{ rows: GivenRow[]; isWhole: boolean }> {
  const oldest = await oldestGiven(db, types, of);
  const dense = denseTypes(oldest);
  if (dense.length === 0) return { rows: oldest, isWhole: true };
  const { rows } = await sql<GivenRow>`
    select m.* from unnest(${dense}::smallint[]) as k (type)
    cross join generate_series(${of.from}::bigint, ${of.to}::bigint, ${spreadSec}) as g (at)
    cross join lateral (
      select ${columns} from message
      where device_id = ${of.deviceId}::int and msg_type = k.type and ts >= g.at
        and ts <= least(g.at + ${spreadSec - 1}, ${of.to}::bigint) and ${isGiven}
      order by ts limit 1
    ) m order by m.ts, m.msg_type`.execute(db);
  const others = oldest.filter(({ msg_type }) => !dense.includes(msg_type));
  return {
    rows: [...others, ...rows].toSorted((a, b) => a.ts - b.ts || a.msg_type - b.msg_type),
    isWhole: false,
  };
}

/** Condition: there is a row of these types in a period. Rows: one a type, by the primary key of message. */
export const hasRows = (
  types: readonly number[],
  { deviceId, from, to }: GivenSpan,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from unnest(${[...types]}::smallint[]) as k (type) cross join lateral (
    select from message
    where device_id = ${deviceId}::int and msg_type = k.type and ts >= ${from}::bigint and ts <= ${to}::bigint
    limit 1) m
)`;
