import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { dayText, type Db } from "#core";

/** The hours of a day that contain trusted rows: bit n is hour n. */
export interface ReceivedHours {
  readonly device_id: DeviceId;
  readonly day: number;
  readonly hours: number;
}

const daySec = 86_400;

/** By device and day, ascending. Rows: one per device, type and day, by the primary key of reading_day. */
export async function receivedHours(
  db: Db,
  wanted: readonly { readonly deviceId: DeviceId; readonly msgType: number }[],
  span: { readonly from: number; readonly to: number },
): Promise<ReceivedHours[]> {
  const { rows } = await sql<ReceivedHours>`
    select d.device_id, d.day - '1970-01-01'::date as day, bit_or(d.hours)::int as hours
    from unnest(${wanted.map(({ deviceId }) => deviceId)}::int[], ${wanted.map(({ msgType }) => msgType)}::int[])
      as w (device_id, msg_type)
    join reading_day d on d.device_id = w.device_id and d.msg_type = w.msg_type::smallint
    where d.day between ${dayBefore(span.from)}::date and ${dayBefore(span.to + 2 * daySec)}::date
    group by d.device_id, d.day order by d.device_id, d.day
  `.execute(db);
  return rows;
}

/** The day before that of an instant in UTC: no zone is further behind. */
const dayBefore = (at: number): string => dayText(Math.floor(at / daySec) - 1);
