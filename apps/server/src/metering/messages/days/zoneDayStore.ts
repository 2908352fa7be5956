import type { DeviceId } from "@metrum/vocabulary";
import type pg from "pg";
import { dayText, type Day } from "#core";
import { int2Array } from "../rows/index.ts";

/** The set of the newest message of each type. Rows: a few, by the primary key of device_latest. */
export async function latestSets(
  client: pg.ClientBase,
  deviceId: DeviceId,
): Promise<{ msg_type: number; field_set_id: number }[]> {
  const { rows } = await client.query<{ msg_type: number; field_set_id: number }>(
    "select msg_type, field_set_id from device_latest where device_id = $1::int4",
    [deviceId],
  );
  return rows;
}

/** The first aggregated day from a given day on, and the first message of these types from an instant on. */
export async function firstOf(
  client: pg.ClientBase,
  deviceId: DeviceId,
  given: { readonly types: readonly number[]; readonly from: Day; readonly fromTs: number },
): Promise<{ readonly day: Day | null; readonly ts: number | null }> {
  const { rows } = await client.query<{ day: Day | null; ts: number | null }>(
    `select
        (select min(day) - '1970-01-01'::date from reading_day where device_id = $1::int4 and day >= $2::date) as day,
        (select min(first.ts) from unnest($3::int2[]) as k(msg_type) cross join lateral (
          select ts from message where device_id = $1::int4 and msg_type = k.msg_type and ts >= $4::int8 order by ts limit 1
        ) first) as ts`,
    [deviceId, dayText(given.from), int2Array(given.types), given.fromTs],
  );
  return rows[0] ?? { day: null, ts: null };
}

/** Aggregated days, the end exclusive. Rows: one per day and type, by the primary key of reading_day. */
export async function countedDays(
  client: pg.ClientBase,
  deviceId: DeviceId,
  { from, to }: { readonly from: Day; readonly to: Day },
): Promise<{ msg_type: number; day: Day }[]> {
  const { rows } = await client.query<{ msg_type: number; day: Day }>(
    `select msg_type, day - '1970-01-01'::date as day from reading_day
      where device_id = $1::int4 and day >= $2::date and day < $3::date`,
    [deviceId, dayText(from), dayText(to)],
  );
  return rows;
}

/**
 * Times of the messages of these types, the end exclusive. Rows: those of the range, by the primary key of
 * message.
 */
export async function messageTimes(
  client: pg.ClientBase,
  deviceId: DeviceId,
  given: { readonly types: readonly number[]; readonly from: number; readonly to: number },
): Promise<{ msg_type: number; ts: number }[]> {
  const { rows } = await client.query<{ msg_type: number; ts: number }>(
    `select msg_type, ts from message
      where device_id = $1::int4 and msg_type = any($2::int2[]) and ts >= $3::int8 and ts < $4::int8`,
    [deviceId, int2Array(given.types), given.from, given.to],
  );
  return rows;
}

const readingsType = 1;

/** Times of the first and the last reading of a device. Two rows, by the primary key of message. */
export async function spanOfReadings(
  client: pg.ClientBase,
  deviceId: DeviceId,
): Promise<{ readonly from: number | null; readonly to: number | null }> {
  const times = `select ts from message where device_id = $1::int4 and msg_type = ${String(readingsType)} order by ts`;
  const { rows } = await client.query<{ from: number | null; to: number | null }>(
    `select (${times} limit 1) as from, (${times} desc limit 1) as to`,
    [deviceId],
  );
  return rows[0] ?? { from: null, to: null };
}
