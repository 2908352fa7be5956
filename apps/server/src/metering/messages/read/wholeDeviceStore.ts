import { sources } from "@metrum/vocabulary";
import { ask, type Reader } from "./ask.ts";

/** Message types and sets of a device, of messages and of latest values. Rows: keys of its messages. */
export async function setsUsed(
  reader: Reader,
  id: number,
): Promise<{ msg_type: number; field_set_id: number }[]> {
  return ask(reader, {
    name: "messages-sets",
    text: `select distinct msg_type, field_set_id from message where device_id = $1::int4
      union select msg_type, field_set_id from device_latest where device_id = $1::int4 order by 1, 2`,
    values: [id],
  });
}

const { imported, calculated } = sources;
const receipt = (ts: string, at: string, source: string): string =>
  `case when ${source} <= ${String(imported)} or ($2 and ${source} = ${String(calculated)})
    then case when ${source} >= ${String(imported)} then least(${ts}, ${at}) else ${at} end end`;

/**
 * The last receipt that the messages of a device prove; null: none. A receipt is that of a polled or pushed value; an
 * imported one, or one of a virtual device, was there at its slot. Rows: all messages of the device.
 */
export async function lastReceipt(
  reader: Reader,
  { id, isVirtual }: { readonly id: number; readonly isVirtual: boolean },
): Promise<number | null> {
  const [row] = await ask<{ readonly received: number | null }>(reader, {
    name: "messages-last-receipt",
    text: `select greatest(
        (select max(${receipt("ts", "ts + received_at_offset", "source")}) from message where device_id = $1::int4),
        (select max(${receipt("m.ts", "(o ->> 'received_at')::int8", "(o ->> 'source')::int2")}) from message m
          cross join lateral jsonb_path_query(m.by_field, '$.*') o
          where m.device_id = $1::int4 and m.by_field is not null)) as received`,
    values: [id, isVirtual],
  });
  return row?.received ?? null;
}
