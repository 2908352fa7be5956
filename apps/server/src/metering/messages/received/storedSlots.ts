import { sources, type DeviceId, type MessageTypeId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";

/**
 * Slots of a device and type with values sent by the device or entered by a user, oldest first; calculated
 * ones do not count. Both ends are inclusive. Rows: 48 a day for half-hours. Index: primary key of message,
 * the partitions of the range.
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
