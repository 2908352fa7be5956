import type pg from "pg";
import { startOfDay } from "#core";
import { int2Array, int4Array, int8Array } from "./arrays.ts";
import { compareDays, sumDays, type DayKey, type DayMessage, type DayRow } from "./days.ts";
import type { FieldSets } from "./fieldSets.ts";
import { parseValues } from "./values.ts";
import { lockDays, replaceDays } from "./write.ts";

/**
 * Counts the rows of these days anew from their messages. They are locked first, in the order of their key, and read
 * after that: whoever adds to one of them has either committed, and is read, or waits and adds to what is written here.
 */
export async function recountDays(
  client: pg.ClientBase,
  sets: FieldSets,
  given: { readonly days: readonly DayRow[]; readonly zoneOf: (deviceId: number) => string },
): Promise<void> {
  const days = [...given.days].sort(compareDays);
  if (days.length === 0) return;
  await lockDays(client, days);
  const counted = new Map(
    sumDays(await messagesOf(client, sets, { ...given, days })).map((day) => [keyOf(day), day]),
  );
  await replaceDays(
    client,
    days.map((day) => counted.get(keyOf(day)) ?? { ...day, n: 0 }),
  );
}

const keyOf = ({ deviceId, msgType, day, set }: DayKey): string =>
  `${String(deviceId)} ${String(msgType)} ${String(day)} ${String(set.id)}`;

interface MessageRow {
  device_id: number;
  msg_type: number;
  ts: number;
  status: number;
  field_set_id: number;
  v: string;
}

/** The messages of some days: up to 1,440 rows each, by the primary key of one or two partitions. */
async function messagesOf(
  client: pg.ClientBase,
  sets: FieldSets,
  given: { readonly days: readonly DayRow[]; readonly zoneOf: (deviceId: number) => string },
): Promise<DayMessage[]> {
  const pairs = new Map(
    given.days.map((day) => [`${String(day.deviceId)} ${String(day.msgType)} ${String(day.day)}`, day]),
  );
  const days = [...pairs.values()];
  const { rows } = await client.query<MessageRow>({
    name: "messages-of-days",
    text: `select m.* from unnest($1::int4[], $2::int2[], $3::int8[], $4::int8[]) as k(device_id, msg_type, from_ts, to_ts)
      cross join lateral (
        select device_id, msg_type, ts, status, field_set_id, v::text as v from message
        where device_id = k.device_id and msg_type = k.msg_type and ts >= k.from_ts and ts < k.to_ts
      ) m`,
    values: [
      int4Array(days.map((day) => day.deviceId)),
      int2Array(days.map((day) => day.msgType)),
      int8Array(days.map((day) => startOfDay(given.zoneOf(day.deviceId), day.day))),
      int8Array(days.map((day) => startOfDay(given.zoneOf(day.deviceId), day.day + 1))),
    ],
  });
  await sets.load(rows.map((row) => row.field_set_id));
  const messages: DayMessage[] = [];
  for (const row of rows) {
    const set = sets.byId(row.field_set_id);
    if (!set) continue;
    const v = parseValues(row.v);
    const key = set.fields.filter((_, at) => v[at] !== null).join(",");
    await sets.learn([key]);
    messages.push({
      device: { id: row.device_id, zone: given.zoneOf(row.device_id) },
      msgType: row.msg_type,
      ts: row.ts,
      status: row.status,
      daySet: sets.known(key) ?? set,
      v,
    });
  }
  return messages;
}
