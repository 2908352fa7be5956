import type { DeviceId } from "@metrum/vocabulary";
import type pg from "pg";
import type { Day } from "#core";
import { dateArray, int2Array, int4Array } from "../rows/index.ts";
import type { DayKey } from "./days.ts";

/** A day of a device that was sampled, with what is needed to count it. */
export interface SampledDay extends DayKey {
  readonly companyId: number;
  readonly zone: string;
  readonly setId: number;
}

interface SampleRow {
  readonly device_id: DeviceId;
  readonly company_id: number;
  readonly zone: string;
  readonly msg_type: number;
  readonly day: Day;
  readonly field_set_id: number;
}

/**
 * Some past days of some devices, by chance; none that wait for a recount in another zone. Rows: all devices,
 * then those of a week by the primary key of reading_day.
 */
export async function sampledDays(
  client: pg.ClientBase,
  { devices, days }: { readonly devices: number; readonly days: number },
): Promise<SampledDay[]> {
  const { rows } = await client.query<SampleRow>(
    `select d.id as device_id, d.company_id, coalesce(d.timezone, c.timezone) as zone, r.msg_type,
        r.day - '1970-01-01'::date as day, r.field_set_id
      from (select id, company_id, timezone from device order by random() limit $1::int4) d
      join company c on c.id = d.company_id
      join reading_day r on r.device_id = d.id and r.day < current_date - 1 and r.day >= current_date - 9
      where not exists (select from zone_due z where z.device_id = d.id)
      order by random() limit $2::int4`,
    [devices, days],
  );
  return rows.map((row) => ({
    deviceId: row.device_id,
    companyId: row.company_id,
    zone: row.zone,
    msgType: row.msg_type,
    day: row.day,
    setId: row.field_set_id,
  }));
}

/** A stored day; numbers that are counted. */
export interface CountedDay {
  readonly device_id: number;
  readonly msg_type: number;
  readonly day: Day;
  readonly hours: number;
  readonly n: number;
  readonly first_ts: number;
  readonly last_ts: number;
  readonly first: readonly (number | null)[];
  readonly last: readonly (number | null)[];
  readonly sum: readonly (number | null)[];
  readonly min: readonly (number | null)[];
  readonly max: readonly (number | null)[];
}

/** The rows of these days, in the order of their key. */
export async function storedDays(client: pg.ClientBase, days: readonly DayKey[]): Promise<CountedDay[]> {
  const { rows } = await client.query<CountedDay>(
    `select r.device_id, r.msg_type, r.day - '1970-01-01'::date as day, hours, n, first_ts, last_ts, first, last, sum, min, max
      from unnest($1::int4[], $2::int2[], $3::date[]) as k(device_id, msg_type, day)
      join reading_day r on r.device_id = k.device_id and r.msg_type = k.msg_type and r.day = k.day
      order by 1, 2, 3`,
    [
      int4Array(days.map(({ deviceId }) => deviceId)),
      int2Array(days.map(({ msgType }) => msgType)),
      dateArray(days.map(({ day }) => day)),
    ],
  );
  return rows;
}
