import type { DeviceId } from "@metrum/vocabulary";
import type pg from "pg";
import type { ByField } from "../rows/index.ts";

const readingsType = 1;
/** Derived message types, and the readings they are derived from. */
const derivedTypes = [5, 100, 101];

interface Period {
  readonly from: number;
  readonly to: number;
}

/**
 * The first row in a period from which rows can be derived, or that can be derived; undefined: nothing to do.
 * Four rows, by the primary key of message, forwards over the partitions of the period.
 */
export async function firstDerivable(
  pool: pg.Pool,
  deviceId: DeviceId,
  { from, to }: Period,
): Promise<number | undefined> {
  const { rows } = await pool.query<{ ts: number | null }>({
    name: "messages-derive-next",
    text: `select min(first.ts) as ts from unnest(array[${[readingsType, ...derivedTypes].join(", ")}]::int2[]) as k(msg_type)
      cross join lateral (
        select ts from message where device_id = $1::int4 and msg_type = k.msg_type and ts >= $2::int8 and ts <= $3::int8
        order by ts limit 1
      ) first`,
    values: [deviceId, from, to],
  });
  return rows[0]?.ts ?? undefined;
}

export interface ReadingRow {
  readonly ts: number;
  readonly status: number;
  readonly field_set_id: number;
  readonly v: string;
  readonly by_field: ByField | null;
}

/**
 * The readings of a device in a period, both ends inclusive. Rows: 720 for the twelve hours around a reading
 * where it comes every minute. Index: primary key of message, one or two partitions.
 */
export async function readingRows(
  client: pg.ClientBase | pg.Pool,
  deviceId: DeviceId,
  { from, to }: Period,
): Promise<ReadingRow[]> {
  const { rows } = await client.query<ReadingRow>({
    name: "messages-derive-read",
    text: `select ts, status, field_set_id, v::text as v, by_field from message
      where device_id = $1::int4 and msg_type = ${String(readingsType)}::int2 and ts >= $2::int8 and ts <= $3::int8 order by ts`,
    values: [deviceId, from, to],
  });
  return rows;
}
