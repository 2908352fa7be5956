import { sources, type DeviceId, type MessageTypeId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";

/**
 * Slots of a device and type that hold something the device has said or a person has entered, oldest first; what was calculated does not
 * count. Both ends belong to the span. Rows: 48 a day for half-hours. Index: primary key of message, the partitions of the span.
 */
export async function storedSlots(
  db: Db,
  of: {
    readonly deviceId: DeviceId;
    readonly msgType: MessageTypeId;
    readonly from: number;
    readonly to: number;
  },
): Promise<number[]> {
  const { rows } = await sql<{ ts: number }>`
    select ts from message
    where device_id = ${of.deviceId}::int and msg_type = ${of.msgType}::smallint
      and ts >= ${of.from}::bigint and ts <= ${of.to}::bigint and source <> ${sources.calculated}
    order by ts`.execute(db);
  return rows.map(({ ts }) => ts);
}
