import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";

/** The last reading of a day: its time stamp, and the meter's own and the receipt in seconds after it. */
export interface LastOfDay {
  readonly device_id: DeviceId;
  readonly day: number;
  readonly ts: number;
  readonly real: number | null;
  readonly received: number;
}

/** Rows: one a day and device, by the primary keys of reading_day and message. */
export async function lastOfDays(
  db: Db,
  devices: readonly {
    readonly id: DeviceId;
    readonly msgType: number;
    readonly first: string;
    readonly last: string;
  }[],
): Promise<LastOfDay[]> {
  const { rows } = await sql<LastOfDay>`
    select d.device_id, d.day - '1970-01-01'::date as day, m.ts, m.real_ts_offset as real, m.received_at_offset as received
    from unnest(${devices.map(({ id }) => id)}::int[], ${devices.map(({ msgType }) => msgType)}::int[],
      ${devices.map(({ first }) => first)}::date[], ${devices.map(({ last }) => last)}::date[])
      as w (device_id, msg_type, first, last)
    join reading_day d on d.device_id = w.device_id and d.msg_type = w.msg_type::smallint
      and d.day between w.first and w.last
    join message m on m.device_id = d.device_id and m.msg_type = d.msg_type and m.ts = d.last_ts`.execute(db);
  return rows;
}

/**
 * Seconds by which the clocks of devices were ahead at their last readings of some days, the median. Rows: one a
 * device and day, by the primary keys of reading_day and message.
 */
export async function clocksOf(
  db: Db,
  ids: readonly DeviceId[],
  days: { readonly first: string; readonly last: string },
): Promise<Map<DeviceId, number>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ device_id: DeviceId; ahead: number }>`
    select d.device_id, percentile_disc(0.5) within group (order by m.real_ts_offset) as ahead
    from reading_day d
    join message m on m.device_id = d.device_id and m.msg_type = d.msg_type and m.ts = d.last_ts
    where d.device_id = any(${[...ids]}::int[]) and d.msg_type = 1 and m.real_ts_offset is not null
      and d.day between ${days.first}::date and ${days.last}::date
    group by d.device_id`.execute(db);
  return new Map(rows.map(({ device_id, ahead }) => [device_id, ahead]));
}
