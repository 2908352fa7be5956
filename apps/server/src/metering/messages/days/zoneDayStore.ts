import type { DeviceId } from "@metrum/vocabulary";
import type pg from "pg";
import { dayText, type Day } from "#core";

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

/** The first aggregated day from a given day on. One row, by the primary key of reading_day. */
export async function firstCountedDay(
  client: pg.ClientBase,
  deviceId: DeviceId,
  from: Day,
): Promise<Day | undefined> {
  const { rows } = await client.query<{ day: Day | null }>(
    "select min(day) - '1970-01-01'::date as day from reading_day where device_id = $1::int4 and day >= $2::date",
    [deviceId, dayText(from)],
  );
  return rows[0]?.day ?? undefined;
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
